"""How an agent's state of an older schema is brought to a newer one: registered functions, one for each step (RES-03).

    from runs.checkpoints.migrations import migration, shape

    @migration("customer-case", 1, 2)
    def name_the_effects(state):
        return {**state, "pending_effects": state["pending"]}

    @shape("customer-case", 2)
    def has_what_it_needs(state):
        return [] if "pending_effects" in state else ["pending_effects is missing"]

Your module needs this one and nothing else of ours; it is imported by COUNTERFOIL_MIGRATIONS. What has no tested path is refused by
name: nothing is guessed, and nothing that is missing is filled in. docs/checkpoints.md says more."""

import importlib
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from console import env

logger = logging.getLogger(__name__)
State: TypeAlias = Any  # a JSON value, or a text
Step: TypeAlias = Callable[[State], State]
Check: TypeAlias = Callable[[State], list[str]]


class Incompatible(Exception):
    """A state cannot be used as it is."""


class NoVersion(Incompatible):
    """The state does not say its schema version."""


class Future(Incompatible):
    """The state is of a newer schema than its reader knows."""


class NoPath(Incompatible):
    """No registered migration leads from the state's schema to the reader's."""


class Unfit(Incompatible):
    """The state is not what its schema says."""


class Broke(Incompatible):
    """A migration failed on this state."""


class Taken(Exception):
    """Two functions are registered for one step; which is meant could not be said."""


@dataclass(slots=True)
class OfRunType:
    """What is registered for one type of run."""

    steps: dict[int, dict[int, Step]] = field(default_factory=dict)  # from → to → function
    checks: dict[int, Check] = field(default_factory=dict)


_registered: dict[str, OfRunType] = {}


def migration(run_type: str, from_version: int, to_version: int) -> Callable[[Step], Step]:
    """Register a step from one schema version of a run type's state to a later one. Raises Taken."""
    if to_version <= from_version:
        raise ValueError("A migration leads to a later version.")

    def register(step: Step) -> Step:
        steps = _registered.setdefault(run_type, OfRunType()).steps.setdefault(from_version, {})
        if _is_another(steps.get(to_version), step):
            raise Taken(f"{run_type}: {from_version} to {to_version} is registered already.")
        steps[to_version] = step
        return step

    return register


def shape(run_type: str, version: int) -> Callable[[Check], Check]:
    """Register what tells the faults of a state of this version; an empty list says that it fits. Raises Taken."""

    def register(check: Check) -> Check:
        checks = _registered.setdefault(run_type, OfRunType()).checks
        if _is_another(checks.get(version), check):
            raise Taken(f"{run_type}: the shape of {version} is registered already.")
        checks[version] = check
        return check

    return register


def migrate(run_type: str, version: int | None, state: State, wanted: int) -> tuple[State, int]:
    """Bring a state to the version that its reader wants. Raises NoVersion, Future, NoPath, Unfit, Broke; the state is left as it is."""
    load()
    if version is None:
        raise NoVersion("The state does not say its schema version, and none is assumed.")
    if version > wanted:
        raise Future(f"The state has schema version {version}; its reader knows {wanted}.")
    _fit(run_type, version, state)
    for before, after in _path(run_type, version, wanted):
        step = _registered[run_type].steps[before][after]
        try:
            state = step(state)
        except Exception as fault:  # whatever it is, the state is not to be used
            raise Broke(f"The migration from {before} to {after} failed: {type(fault).__name__}.") from fault
        _fit(run_type, after, state)
    return state, wanted


def load() -> list[str]:
    """Import the modules that register; gives those that cannot be imported, which leaves what they would register without a path."""
    return [name for name in env.listed("COUNTERFOIL_MIGRATIONS", "") if not _imported(name)]


@lru_cache(maxsize=100)
def _imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except Exception:
        logger.exception("the migrations of %s are not registered: it cannot be imported", name)
        return False
    return True


def paths(run_type: str) -> list[tuple[int, int]]:
    """Give the registered steps of a run type, in order."""
    of = _registered.get(run_type, OfRunType())
    return sorted((before, after) for before, steps in of.steps.items() for after in steps)


def forget(run_type: str) -> None:
    """Take out what is registered for a run type; for tests."""
    _registered.pop(run_type, None)


def _path(run_type: str, version: int, wanted: int) -> list[tuple[int, int]]:
    """Give the shortest way through the registered steps."""
    steps = _registered.get(run_type, OfRunType()).steps
    ways: deque[list[int]] = deque([[version]])
    seen = {version}
    while ways:
        way = ways.popleft()
        if way[-1] == wanted:
            return list(pairwise(way))
        for after in sorted(steps.get(way[-1], {}), reverse=True):
            if after <= wanted and after not in seen:
                seen.add(after)
                ways.append([*way, after])
    raise NoPath(f"No migration leads from schema version {version} to {wanted}.")


def _fit(run_type: str, version: int, state: State) -> None:
    check = _registered.get(run_type, OfRunType()).checks.get(version)
    if check is None:
        return
    try:
        faults = check(state)
    except Exception as fault:
        raise Unfit(f"The state is not what schema version {version} says: {type(fault).__name__}.") from fault
    if faults:
        raise Unfit(f"The state is not what schema version {version} says: {'; '.join(faults[:5])}.")


def _is_another(known: Callable[..., Any] | None, made: Callable[..., Any]) -> bool:
    return known is not None and (known.__module__, known.__qualname__) != (made.__module__, made.__qualname__)
