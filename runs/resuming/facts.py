"""What a resume looks at, read before it judges. The steps, the decision and the brief are pure functions of this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from console.exact import Object, Value
from runs.contracts.run_type import RunTypeDocument
from runs.limits.budgets import Budget
from runs.models import Attempt, Cancellation, Checkpoint, Correction, Effect, Resumption, Run, Wait


@dataclass(frozen=True, slots=True)
class Asked:
    """What whoever resumes says of itself: what it runs with, which schema it reads, and from which checkpoint it goes on."""

    holder: str
    versions: Mapping[str, str] = field(default_factory=dict)
    schema_version: int | None = None
    checkpoint: int | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """Whose the run is at this resume. `how`: acquired, held (the token was good), not (nobody may have it now), looked (a preview)."""

    how: str
    epoch: int
    holder: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A checkpoint as it was read: its state opened and brought to the schema that is wanted, or the fault that was met."""

    checkpoint: Checkpoint
    value: Value = None  # of a state that is JSON
    text: str | None = None  # of one that is text
    has_state: bool = False
    schema_version: int | None = None
    migrated_from: int | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Approved:
    """What an approval was given for, beside what stands now."""

    effect: Effect
    policy_now: str  # the policy in force that governs the operation now, in words; "" when nothing does
    policy_then: str
    operation_then: int
    operation_now: int | None  # the version in force; None: retired

    @property
    def same_arguments(self) -> bool:
        """Tell whether what was approved is what would be done."""
        request = self.effect.request
        return request is None or bytes(request.subject_digest) == bytes(self.effect.effect_digest)

    @property
    def same_policy(self) -> bool:
        """Tell whether the policy that asked still governs."""
        return self.policy_now == self.policy_then


@dataclass(frozen=True, slots=True)
class News:
    """What the record says since the last time that a driver went on: how many entries of each kind, and the newest in words."""

    since_seq: int
    since_at: datetime
    counts: Mapping[str, int] = field(default_factory=dict)
    lines: Sequence[tuple[int, datetime, str]] = ()  # number, time, sentence; oldest first


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a resume looks at, as of one moment, under the run's lock (or not, in a preview)."""

    now: datetime
    run: Run  # with agent, its owner, run_type
    contract: RunTypeDocument
    asked: Asked | None  # None: a preview by people, which has no driver
    kept: Kept | None
    newest_checkpoint: int  # the number of the last one; 0: none
    left_aside: bool  # a person released the run after this checkpoint was written
    before: Mapping[str, Value]  # what the last driver ran with, and the versions of ours that it went on under
    ours: Mapping[str, Value]  # the versions of ours in force now
    last: Resumption | None
    counts: Mapping[str, int]  # effects by state
    unresolved: Sequence[Effect]  # in flight, unknown, or done in part and not settled
    replaced: frozenset[UUID]  # those of them that another effect stands in for
    unstarted: Sequence[Effect]
    ended: Sequence[Effect]  # the newest
    to_undo: Sequence[Effect]  # a person found since that they must be undone
    making_good: Sequence[Effect]  # those that make good for others, the newest first
    approvals: Sequence[Approved]
    attempts: Mapping[UUID, Attempt]  # under way, by effect
    contradictions: Sequence[Value]  # what the agent's own state said of effects, and was not so
    waits: Sequence[Wait]  # open, and those that ended since
    corrections: Sequence[Correction]  # not yet seen
    cancellations: Sequence[Cancellation]  # not yet proven
    pauses: Sequence[str]  # what is paused, in words
    children: Mapping[str, int]  # by state
    budgets: Sequence[Budget]
    news: News
    run_type_now: int | None

    @property
    def stream_seq(self) -> int:
        """Give the version of the authoritative state."""
        return self.run.ledger_seq


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a step found, and which decision it asks for ("": none)."""

    result: str
    detail: str
    asks_for: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What one of the nine steps found."""

    step: str
    result: str  # passed, changed or failed
    detail: str
    asks_for: str = ""
    because: str = ""

    def told(self) -> Object:
        """Tell it as it is kept and given."""
        return {"step": self.step, "result": self.result, "detail": self.detail}
