"""How long the waits of a run type last, and what follows when what is waited for never comes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

EXPIRES_SECONDS: Final = 30 * 86400
ON_EXPIRY: Final = "escalate"


@dataclass(frozen=True, slots=True)
class Expiry:
    """When a wait expires, in seconds after it was opened, and what follows: wake, escalate, fail or cancel."""

    seconds: int = EXPIRES_SECONDS
    follows: str = ON_EXPIRY


@dataclass(frozen=True, slots=True)
class Waiting:
    """The expiry of the waits of a run type: of those that have a say of their own by name, and of all the others."""

    otherwise: Expiry = Expiry()
    named: Mapping[str, Expiry] = field(default_factory=dict)

    def expiry(self, name: str) -> Expiry:
        """Give when a wait of this name expires, and what follows."""
        return self.named.get(name, self.otherwise)


def waiting(section: Any) -> Waiting:
    """Read the section `waiting` of a run type in normal form; None where the contract has none."""
    if section is None:
        return Waiting()
    otherwise = Expiry(int(section["expires_seconds"]), section["on_expiry"])
    named = {
        name: Expiry(int(own.get("expires_seconds", otherwise.seconds)), own.get("on_expiry", otherwise.follows))
        for name, own in section["named"].items()
    }
    return Waiting(otherwise, named)
