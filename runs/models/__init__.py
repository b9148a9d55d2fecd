"""Rows and constraints of the durable record."""

from runs.models.attempts import Attempt
from runs.models.callbacks import Callback
from runs.models.checkpoints import Checkpoint, Resumption
from runs.models.contracts import Dependency, OperationContract, RunTypeContract
from runs.models.effects import Effect
from runs.models.paces import Pace
from runs.models.resolutions import EvidenceFile, Resolution
from runs.models.runs import Run
from runs.models.stops import Cancellation, Correction, Pause
from runs.models.waits import Signal, Wait

__all__ = [
    "Attempt",
    "Callback",
    "Cancellation",
    "Checkpoint",
    "Correction",
    "Dependency",
    "Effect",
    "EvidenceFile",
    "OperationContract",
    "Pace",
    "Pause",
    "Resolution",
    "Resumption",
    "Run",
    "RunTypeContract",
    "Signal",
    "Wait",
]
