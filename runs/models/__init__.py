"""Rows and constraints of the durable record."""

from runs.models.attempts import Attempt
from runs.models.contracts import Dependency, OperationContract, RunTypeContract
from runs.models.effects import Effect
from runs.models.runs import Run

__all__ = ["Attempt", "Dependency", "Effect", "OperationContract", "Run", "RunTypeContract"]
