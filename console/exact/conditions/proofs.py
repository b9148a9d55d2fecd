"""Proving things about conditions: that one can never hold, or that one allows no more than another does.

The condition is spread into branches of single checks; each branch is reasoned about path by path. "Impossible" is
claimed only when every branch is proven empty, "possible" only with an example that the condition itself was judged by.
"""

from itertools import chain
from typing import Any

from console.exact.conditions.evaluation import evaluate
from console.exact.conditions.forms import AllOf, AnyOf, Check, Condition, Not
from console.exact.conditions.regions import Literal, Region
from console.exact.paths import ABSENT, Absent, Path
from console.exact.value import Object, Value

BRANCHES = 1000
WORK = 20_000  # values and checks over all branches: keeps a proof well under a second

Branch = tuple[Literal, ...]


class Undecided(Exception):
    """It could be proven neither way within the bounds; treat it as not proven."""


def satisfiable(condition: Condition) -> bool:
    """Tell whether some facts make the condition hold; Undecided when neither could be proven."""
    return example(condition) is not None


def narrower(one: Condition, other: Condition) -> bool:
    """Tell whether whatever `one` allows `other` allows too; Undecided when neither could be proven."""
    return example(AllOf((one, Not(other)))) is None


def example(condition: Condition) -> Object | None:
    """Give facts that make the condition hold, or None when it is proven that there are none; else Undecided."""
    open_branches = False
    for branch in _affordable(_branches(condition, wanted=True)):
        facts = _example(branch)
        if isinstance(facts, Absent):
            open_branches = True
        elif facts is not None:
            if evaluate(condition, facts):
                return facts
            open_branches = True
    if open_branches:
        raise Undecided("no example was found, and none was excluded")
    return None


def _branches(condition: Condition, *, wanted: bool) -> list[Branch]:
    match condition:
        case Check():
            return [(Literal(condition, wanted),)]
        case Not(part):
            return _branches(part, wanted=not wanted)
        case AllOf(parts) | AnyOf(parts):
            each = [_branches(part, wanted=wanted) for part in parts]
            return _joined(each) if isinstance(condition, AllOf) == wanted else _bounded(list(chain(*each)))


def _joined(parts: list[list[Branch]]) -> list[Branch]:
    joined: list[Branch] = [()]
    for branches in parts:
        if len(joined) * len(branches) > BRANCHES:
            raise Undecided("the condition has too many cases")
        joined = [one + other for one in joined for other in branches]
    return joined


def _bounded(branches: list[Branch]) -> list[Branch]:
    if len(branches) > BRANCHES:
        raise Undecided("the condition has too many cases")
    return branches


def _affordable(branches: list[Branch]) -> list[Branch]:
    if sum(len(branch) * sum(len(each.check.values) for each in branch) for branch in branches) > WORK:
        raise Undecided("the condition has too many values and cases")
    return branches


def _example(branch: Branch) -> Object | Absent | None:
    """Give facts that the branch allows, None when it is proven that there are none, ABSENT when it stays open."""
    regions: dict[Path, Region] = {
        path: Region(each for each in branch if each.check.path == path)
        for path in {each.check.path for each in branch}
    }
    facts: dict[Path, Value] = {}
    is_open = False
    for path in sorted(regions, key=lambda path: (-len(path), path)):  # what stands inside comes before its container
        region = regions[path]
        if any(inner[: len(path)] == path for inner in facts):
            if not region.allows({}):
                return None
        elif not region.allows(ABSENT):
            found = region.witness()
            if found is not ABSENT:
                facts[path] = found
            elif region.is_empty():
                return None
            else:
                is_open = True
                facts[path] = {}
    return ABSENT if is_open else _nested(facts)


def _nested(facts: dict[Path, Value]) -> Object:
    root: Object = {}
    for path in sorted(facts, key=len):
        place: Any = root
        for step in path[:-1]:
            place = place.setdefault(step, {})
        place.setdefault(path[-1], facts[path])
    return root
