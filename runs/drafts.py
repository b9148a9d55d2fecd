"""What an agent posts, before it is accepted."""

from collections.abc import Sequence
from dataclasses import dataclass
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

    def intent(self) -> Object:
        """Give what the caller sent, as far as it is material: what equality of keys compares (R-E1)."""
        return {
            "operation": self.operation,
            "arguments": self.arguments,
            "target": self.target,
            "after": sorted(self.after),
            "required": self.required,
            "supersedes": None if self.supersedes is None else str(self.supersedes),
            "deadline_seconds": self.deadline_seconds,
        }

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

    def digest(self) -> bytes:
        """Give the digest of the intent, effects included."""
        effects: list[Value] = [{"key": effect.key, **effect.intent()} for effect in self.effects]
        return digest(
            {
                "run_type": self.run_type,
                "goal": self.goal,
                "completes_itself": self.completes_itself,
                "deadline_seconds": self.deadline_seconds,
                "effects": effects,
            }
        )


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
