"""What the work in hand is about: ids that every line written meanwhile carries. Each task and each request has its own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

# In the order in which people read them.
NAMES = ("request", "tenant", "principal", "run", "effect", "attempt", "worker")
_bound: ContextVar[Mapping[str, str]] = ContextVar("telemetry", default={})  # noqa: B039 - replaced, never changed


def bind(**ids: object) -> None:
    """Add ids to the work in hand, until its task ends or `about` does."""
    _bound.set({**_bound.get(), **{name: str(value) for name, value in ids.items() if value is not None}})


@contextmanager
def about(**ids: object) -> Iterator[None]:
    """Begin work that is about these ids and nothing else but the worker that does it."""
    before = _bound.get()
    _bound.set({name: before[name] for name in ("worker",) if name in before})
    bind(**ids)
    try:
        yield
    finally:
        _bound.set(before)


def ids() -> Mapping[str, str]:
    """Give the ids of the work in hand."""
    return _bound.get()


def request_id() -> str | None:
    """Give the id of the request in hand."""
    return _bound.get().get("request")
