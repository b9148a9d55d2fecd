"""A signal as an agent sends it, before it is on record."""

from dataclasses import dataclass

from console.exact import Object, Value


@dataclass(frozen=True, slots=True)
class SignalDraft:
    """News: by what name, about what, what it says, and how long it is kept for a wait (None: thirty days)."""

    name: str
    correlation: str
    body: Value = None
    keep_seconds: int | None = None

    def intent(self) -> Object:
        """Give what was sent: what equality of keys compares."""
        return {
            "name": self.name,
            "correlation": self.correlation,
            "body": self.body,
            "keep_seconds": self.keep_seconds,
        }
