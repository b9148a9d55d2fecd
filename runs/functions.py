"""Functions that carry out effects in a worker: registered by name, called with what was permitted, answering with what came of it.

    from runs.functions import Call, Done, NotDone, Rejected, function

    @function("print-label")
    async def print_label(call: Call) -> Done:
        ...
        return Done({"label": label.number}, reference=label.number)

docs/python-executor.md says the rest. Nothing here knows of the database; your module needs this one and nothing else of ours."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, TypeAlias


@dataclass(frozen=True, slots=True)
class Call:
    """What a function is called with. `arguments` are the effective ones; decimals are texts, other fractions are Decimal."""

    operation: str
    arguments: dict[str, Any]
    target: str
    effect_key: str  # the same for every attempt: hand it on, so that the other side can tell a repetition
    effect_id: str
    fence: int
    attempt: int  # from 1
    deadline_at: datetime
    reference: str = ""  # the other side's own name for it, once there is one
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)  # those that the contract names


class Said(Exception):
    """What came of it, other than that it was done. Raise it, or return it."""

    outcome: ClassVar[str] = "unknown"

    def __init__(
        self, reason: str = "", *, result: Mapping[str, Any] | None = None, reference: str = "", retry_after: float | None = None
    ) -> None:  # fmt: skip
        super().__init__(reason)
        self.reason, self.result, self.reference, self.retry_after = reason, result, reference, retry_after


class Accepted(Said):
    """It was taken and will be done later; the status function is asked until it is known. `reference` goes to it."""

    outcome = "accepted"


class Partial(Said):
    """Some of it was done; `result` says what."""

    outcome = "partial"


class Rejected(Said):
    """It was refused for a reason of business, and nothing was done."""

    outcome = "rejected"


class Denied(Said):
    """It was refused for want of authority, and nothing was done."""

    outcome = "denied"


class Invalid(Said):
    """It makes no sense as it is, and nothing was done."""

    outcome = "invalid"


class Conflict(Said):
    """What it was to act on had changed meanwhile, and nothing was done. Of a status function: what is there comes from another intent."""

    outcome = "conflict"


class NotDone(Said):
    """Nothing was done; another time it may be. `retry_after`, in seconds, lengthens the wait."""

    outcome = "transient"


class Overloaded(NotDone):
    """Nothing was done, because the other side has too much to do."""

    outcome = "overload"


class Unknown(Said):
    """It may have been done or not; nobody can tell. Any exception that is not of this page means this too, for what writes."""

    outcome = "unknown"


class Pending(Said):
    """Of a status function: it is still under way."""

    outcome = "pending"


class Absent(Said):
    """Of a status function: it was never seen."""

    outcome = "absent"


@dataclass(frozen=True, slots=True)
class Done:
    """It was done. `reference` is the other side's own name for it."""

    result: Mapping[str, Any] | None = None
    reference: str = ""


Function: TypeAlias = Callable[[Call], Done | Said | Awaitable[Done | Said]]


class NameTaken(Exception):
    """Two functions are registered under one name; a contract could not say which it means."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A function, and whether it is awaited in the loop or called in a thread."""

    name: str
    call: Function
    is_async: bool


_registered: dict[str, Registered] = {}


def function(name: str) -> Callable[[Function], Function]:
    """Register a function under the name that contracts call it by. Raises NameTaken."""

    def register(made: Function) -> Function:
        known = _registered.get(name)
        if known is not None and (known.call.__module__, known.call.__qualname__) != (
            made.__module__,
            made.__qualname__,
        ):
            raise NameTaken(f"{name} is {known.call.__module__}.{known.call.__qualname__} already.")
        _registered[name] = Registered(name, made, inspect.iscoroutinefunction(made))
        return made

    return register


def registered(name: str) -> Registered | None:
    """Give the function of this name, if it is registered in this process."""
    return _registered.get(name)


def forget(name: str) -> None:
    """Take a function out again; for tests."""
    _registered.pop(name, None)
