"""What kind of bank this is: which promises it makes to those who call it."""

from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

from examples.bank.callbacks import MODES


class BadSwitch(ValueError):
    """There is no such switch, or it does not take that value."""


@dataclass(slots=True)
class Switches:
    """The promises; what is not said stays as it is."""

    idempotency: bool = True  # the same key does the thing once
    idempotency_seconds: float | None = None  # None: keys are remembered for ever
    mismatch: bool = True  # the same key with another body is refused (422); off: the first answer is given again
    status: str = "on"  # on | off | stale
    stale_seconds: float = 5.0  # how far the replica that answers a stale status query is behind
    fence_aware: bool = False  # a Fencing-Token lower than the highest seen for the key is refused (409)
    latency_seconds: float = 0.0  # how long each effect takes
    lookalikes: bool = (
        False  # what is read back of an order ends with a record that looks the same and is somebody else's
    )
    callback_url: str = ""  # whom everything that is taken on (202) is told of when it is done or refused; "": nobody
    callback_mode: str = "once"  # how: see examples/bank/callbacks.py

    def turn(self, wanted: dict[str, Any]) -> None:
        """Set what is named; BadSwitch for anything else."""
        kinds = {field.name: field.type for field in fields(self)}
        for name, value in wanted.items():
            if name not in kinds or not _fits(value, kinds[name]):
                raise BadSwitch(f"no switch {name} takes {value!r}")
            setattr(self, name, value)
        if self.status not in {"on", "off", "stale"}:
            raise BadSwitch(f"status is on, off or stale, not {self.status!r}")
        if self.callback_mode not in MODES:
            raise BadSwitch(f"callback_mode is one of {', '.join(MODES)}, not {self.callback_mode!r}")

    def shown(self) -> dict[str, Any]:
        """Give all of them."""
        return asdict(self)


def _fits(value: object, kind: Any) -> bool:
    kinds = get_args(kind) or (kind,)
    if float in kinds and isinstance(value, int) and not isinstance(value, bool):
        return True
    return isinstance(value, kinds)
