"""A wait as a driver asks for it, before it is read."""

from dataclasses import dataclass, field

from console.exact import Object


@dataclass(frozen=True, slots=True)
class WaitDraft:
    """One condition. `condition` holds the fields of its kind; what is left open is as the run type's contract says."""

    kind: str
    condition: Object = field(default_factory=dict)
    name: str = ""
    parks: bool = True
    expires_seconds: int | None = None
    on_expiry: str | None = None

    def intent(self) -> Object:
        """Give what the driver sent: what equality of keys compares."""
        return {
            "kind": self.kind,
            "condition": self.condition,
            "name": self.name,
            "parks": self.parks,
            "expires_seconds": self.expires_seconds,
            "on_expiry": self.on_expiry,
        }
