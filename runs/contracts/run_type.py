"""A run type's contract as the engine reads it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from console.exact import decode, digest
from console.exact.value import Object, Value
from runs.contracts.keeping import CheckpointRule, checkpoint_rule
from runs.contracts.resume import CHECKED_AGAIN
from runs.contracts.signalling import SignalRule, signal_rules
from runs.contracts.stopping import Limits, RunCancellation, limits, run_cancellation
from runs.contracts.waiting import Waiting, waiting

ANY = "*"
PINNED: Final = ("model", "prompt", "policy", "context", "interface", "workflow", "code")


@dataclass(frozen=True, slots=True)
class Migration:
    """A path between two schema versions of an agent's state, and what takes it there, in words."""

    before: int
    after: int
    by: str


@dataclass(frozen=True, slots=True)
class RunTypeDocument:
    """A contract in normal form, read. What it leaves open has the careful default that stands here."""

    name: str
    version: int
    digest: bytes
    description: str
    consequential: bool
    operations: frozenset[str] | None  # None: any
    deadline_seconds: int | None
    complete_with_unresolved: bool
    lease_seconds: int
    success_criteria: tuple[str, ...]
    schema_version: int | None
    drivers: frozenset[str] | None  # the agents, by name, that may take a run over beside its own; None: any
    waiting: Waiting
    signals: Mapping[str, SignalRule]
    cancellation: RunCancellation
    limits: Limits
    checkpoint: CheckpointRule
    pins: Mapping[str, str]  # of each of PINNED: continue, decide or quarantine
    migrations: tuple[Migration, ...]
    revalidate: frozenset[str]
    before_continue: str  # of unknown effects: reconcile or ask_a_person
    recovery_seconds: int | None
    drain_per_second: float | None
    quarantine_to: str
    quarantine_path: str
    value: Object = field(repr=False)

    def may_use(self, operation: str) -> bool:
        """Tell whether runs of this type may use the operation."""
        return self.operations is None or operation in self.operations

    def may_take_over(self, agent: str) -> bool:
        """Tell whether an agent of this name may drive a run of this type that another agent began."""
        return self.drivers is None or agent in self.drivers


def run_type_document(document: Value) -> RunTypeDocument:
    """Read a run type's contract, valid and in normal form."""
    if not isinstance(document, dict):
        raise TypeError("a contract is a mapping")
    operations, deadline = document["operations"], document.get("deadline_seconds")
    ownership, objectives = _section(document, "ownership"), _section(document, "objectives")
    recovery, drain = objectives.get("recovery_seconds"), objectives.get("drain_per_second")
    quarantine, checkpoint = _section(document, "quarantine"), checkpoint_rule(document.get("checkpoint"))
    return RunTypeDocument(
        name=document["name"],
        version=int(document["version"]),
        digest=digest(document),
        description=document["description"],
        consequential=document["consequential"],
        operations=_names(operations),
        deadline_seconds=None if deadline is None else int(deadline),
        complete_with_unresolved=document["complete_with_unresolved"],
        lease_seconds=int(ownership.get("lease_seconds", 60)),
        success_criteria=tuple(document.get("success_criteria", ())),
        schema_version=checkpoint.schema_version,
        drivers=_names(ownership.get("drivers", [])),
        waiting=waiting(document.get("waiting")),
        signals=signal_rules(document.get("signals")),
        cancellation=run_cancellation(document.get("cancellation")),
        limits=limits(document.get("limits")),
        checkpoint=checkpoint,
        pins={name: _section(document, "pins").get(name, "decide") for name in PINNED},
        migrations=tuple(
            Migration(int(step["from"]), int(step["to"]), step["by"]) for step in document.get("migrations", ())
        ),
        revalidate=frozenset(document.get("revalidate", CHECKED_AGAIN)),
        before_continue=_section(document, "unknown").get("before_continue", "reconcile"),
        recovery_seconds=None if recovery is None else int(recovery),
        drain_per_second=None if drain is None else float(drain),
        quarantine_to=quarantine.get("to", "operators"),
        quarantine_path=quarantine.get("path", ""),
        value=document,
    )


def read_run_type(text: str) -> RunTypeDocument:
    """Read a run type's contract from the canonical text that was stored."""
    return run_type_document(decode(text, levels=128))


def _section(document: Object, name: str) -> Any:
    return document.get(name) or {}


def _names(value: Any) -> frozenset[str] | None:
    return None if value == ANY else frozenset(value)
