"""What an agent posts, before it is accepted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from console.exact import Object, Value, digest


@dataclass(frozen=True, slots=True)
class EffectDraft:
    """One intent: the operation, its arguments as sent, and what it waits for."""

    key: str
    operation: str
    arguments: Object
    target: str | None = None
    after: Sequence[str] = ()  # ids of effects, or keys of effects of the same run
    reason: str = ""
    required: bool | None = None
    supersedes: UUID | None = None
    deadline_seconds: int | None = None
    after_waits: Sequence[str] = ()  # names or ids of waits of the run
    cleanup: bool = False  # it finishes although its run is being cancelled
    compensates: UUID | None = None  # the effect that it makes good for; no agent sends this
    expects: str = ""  # what must still be so before it acts, canonical

    def intent(self) -> Object:
        """Give what the caller sent, as far as it is material: what equality of keys compares (R-E1)."""
        said: Object = {
            "operation": self.operation,
            "arguments": self.arguments,
            "target": self.target,
            "after": sorted(self.after),
            "required": self.required,
            "supersedes": None if self.supersedes is None else str(self.supersedes),
            "deadline_seconds": self.deadline_seconds,
            **({"cleanup": True} if self.cleanup else {}),
        }
        if self.compensates is not None:
            said |= {"compensates": str(self.compensates), "expects": self.expects}
        return said | {"after_waits": sorted(self.after_waits)} if self.after_waits else said

    def digest(self) -> bytes:
        """Give the digest of the intent."""
        return digest(self.intent())


@dataclass(frozen=True, slots=True)
class RunDraft:
    """What an agent sets out to do; `effects` are accepted with it or not at all."""

    key: str
    run_type: str
    goal: str
    completes_itself: bool = False
    deadline_seconds: int | None = None
    effects: Sequence[EffectDraft] = ()
    limits: Mapping[str, Any] | None = None  # at most what the contract of the run type allows
    holder: str = ""  # the process that drives it; another one that sends the same means the same
    parent: UUID | None = None  # the run below which it stands
    parent_epoch: int | None = None  # the parent's token, which its driver has

    def digest(self) -> bytes:
        """Give the digest of the intent, effects included."""
        effects: list[Value] = [{"key": effect.key, **effect.intent()} for effect in self.effects]
        intent: Object = {
            "run_type": self.run_type, "goal": self.goal, "completes_itself": self.completes_itself,
            "deadline_seconds": self.deadline_seconds, "effects": effects,
        }  # fmt: skip
        if self.limits is not None:
            intent["limits"] = dict(self.limits)
        if self.parent is not None:
            intent["parent"] = str(self.parent)
        return digest(intent)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A run as accepted: made now, or found again under its key."""

    run_id: UUID
    created: bool
    effect_ids: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class Proposed:
    """An effect as accepted: made now, or found again under its key."""

    effect_id: UUID
    created: bool
