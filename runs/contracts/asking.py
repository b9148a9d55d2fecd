"""How an outcome is asked after: how often, how long, and when "never seen" may be believed (R-F2)."""

from dataclasses import dataclass
from typing import Any

from console.exact.value import Object


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How often an outcome is asked after, and within which time it should be known; spans in seconds."""

    absence_is_proof: bool
    every_seconds: float
    objective_seconds: float
    absence_after_seconds: float = 30.0
    backoff_factor: float = 2.0
    max_seconds: float = 3600.0

    def wait(self, asked: int) -> float:
        """Give the seconds to wait after it was asked so many times without an end: growing, and bounded."""
        seconds = self.every_seconds
        for _ in range(asked - 1):
            seconds *= self.backoff_factor
            if seconds >= self.max_seconds or self.backoff_factor == 1:
                break
        return min(seconds, max(self.max_seconds, self.every_seconds))


def asking(section: Object) -> dict[str, Any]:
    """Read what a section says of it, as fields of Asking; what came after 0.1.0 may be absent and has its default there."""
    later = ("absence_after_seconds", "backoff_factor", "max_seconds")
    return {
        "absence_is_proof": section["absence_is_proof"],
        "every_seconds": float(section["every_seconds"]),
        "objective_seconds": float(section["objective_seconds"]),
        **{name: float(section[name]) for name in later if name in section},
    }
