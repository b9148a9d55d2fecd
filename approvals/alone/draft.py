"""What an agent asks about by itself, before it is asked: what people's yes will bind, and what equality of keys compares."""

from dataclasses import dataclass
from typing import Final

from console.exact import Object, Value, canonical, digest

LOW, NORMAL, HIGH = "low", "normal", "high"
TIERS: Final = (LOW, NORMAL, HIGH)
LONGEST_ARGUMENTS: Final = 65_536
LONGEST_DEADLINE: Final = 366 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Draft:
    """What would be done: the operation by name, on what, with what, and how it is told to people."""

    operation: str
    target: str
    arguments: Object
    summary: str
    reason: str = ""
    tier: str = NORMAL
    irreversible: bool = False
    deadline_seconds: int | None = None

    def bound(self) -> Object:
        """Give what an approval binds: not the words around it, nor how long it may wait."""
        return {
            "alone": True, "operation": self.operation, "target": self.target, "arguments": self.arguments,
            "tier": self.tier, "irreversible": self.irreversible,
        }  # fmt: skip

    def told(self) -> Object:
        """Give what policies are told of it."""
        return {name: value for name, value in self.bound().items() if name != "alone"}

    def digest(self) -> bytes:
        """Give the digest of what is bound."""
        return digest(self.bound())

    def sent(self) -> dict[str, Value]:
        """Give everything that was sent: another word is another question, and needs another key."""
        return {
            **self.bound(), "summary": self.summary, "reason": self.reason, "deadline_seconds": self.deadline_seconds,
        }  # fmt: skip

    def at_least(self, tier: str, *, irreversible: bool) -> "Draft":
        """Give the same with the tier of a contract, where that is higher: who asks does not choose how much care it takes."""
        higher = max(self.tier, tier, key=TIERS.index)
        return Draft(
            self.operation, self.target, self.arguments, self.summary, self.reason, higher,
            self.irreversible or irreversible, self.deadline_seconds,
        )  # fmt: skip

    def is_too_long(self) -> bool:
        """Tell whether the arguments are longer than people can be shown."""
        return len(canonical(self.arguments)) > LONGEST_ARGUMENTS
