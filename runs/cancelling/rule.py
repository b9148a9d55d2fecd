"""What contracts say of cancelling: who may, how, within which time, with which clean-up."""

from dataclasses import dataclass
from typing import Final

from runs import catalogue
from runs.contracts.run_type import RunTypeDocument
from runs.models import Effect, Run

DRIVER: Final = "driver"
GRACEFUL, IMMEDIATE = "graceful", "immediate"
EFFECT, RUN, TREE = "effect", "run", "tree"


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may cancel, and how it is done where nobody says; `cleanup` names the operations that may be done while it closes."""

    who: frozenset[str]
    mode: str
    scope: str
    grace_seconds: int = 0
    cleanup: frozenset[str] = frozenset()


def rule_of_run(run: Run) -> Rule:
    """Read what the run's type says."""
    return rule_of_type(catalogue.run_type(run.run_type_id).document)


def rule_of_type(document: RunTypeDocument) -> Rule:
    """Read what a run type says."""
    said = document.cancellation
    scope = TREE if said.children == "cancel" else RUN
    return Rule(frozenset(said.who), said.mode, scope, said.grace_seconds, frozenset(said.cleanup))


def rule_of_effect(effect: Effect) -> Rule:
    """Read what the effect's operation says."""
    said = catalogue.operations_by_id([effect.operation_id])[effect.operation_id].document.cancellation
    return Rule(frozenset(said.who), said.mode, EFFECT)
