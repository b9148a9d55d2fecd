"""Rows and constraints of the durable record."""

from runs.models.attempts import Attempt
from runs.models.callbacks import Callback
from runs.models.contracts import Dependency, OperationContract, RunTypeContract
from runs.models.effects import Effect
from runs.models.paces import Pace
from runs.models.resolutions import EvidenceFile, Resolution
from runs.models.runs import Run

__all__ = [
    "Attempt",
    "Callback",
    "Dependency",
    "Effect",
    "EvidenceFile",
    "OperationContract",
    "Pace",
    "Resolution",
    "Run",
    "RunTypeContract",
]
