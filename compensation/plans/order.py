"""The order in which things are made good for: as contracts say which operations' effects come first, and not simply backwards. Pure.

What no contract orders runs side by side. Contracts in force make no circle together; those of different versions may, and then what was
done last comes first, so that nothing waits for ever."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final
from uuid import UUID

FEW: Final = 10  # effects of those that come first that are named one by one


@dataclass(frozen=True, slots=True)
class Ordered:
    """An effect as far as order goes: `first` names the operations whose effects are made good for before it."""

    id: UUID
    number: int
    operation: str
    first: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """What comes before an effect, by steps: `steps` are operations whose effects in the same plan come first, `earlier` those whose
    effects come first where their items stand already. `count` tells how many effects that are, `few` names the first of them."""

    steps: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    count: int = 0
    few: tuple[UUID, ...] = ()


def before(chosen: Sequence[Ordered], standing: Iterable[Ordered]) -> dict[UUID, Turn]:
    """Give for each of the chosen what comes before it: of the chosen, and of those whose items stand already and are open.

    Steps are named and not their effects, so that a plan grows with its effects, not with their pairs."""
    rank = _ranks(chosen)
    mine, theirs = _by_operation(chosen), _by_operation(standing)
    found: dict[tuple[str, tuple[str, ...]], Turn] = {}
    for each in chosen:
        alike = each.operation, each.first
        if alike not in found:
            steps = tuple(name for name in each.first if name in rank and rank[name] < rank[each.operation])
            earlier = tuple(name for name in each.first if name in theirs)
            found[alike] = _turn(steps, earlier, [*(theirs[name] for name in earlier), *(mine[name] for name in steps)])
    return {each.id: found[each.operation, each.first] for each in chosen}


def _turn(steps: tuple[str, ...], earlier: tuple[str, ...], groups: Sequence[Sequence[UUID]]) -> Turn:
    few = tuple(islice(chain.from_iterable(groups), FEW))
    return Turn(steps, earlier, sum(map(len, groups)), few)


def _by_operation(effects: Iterable[Ordered]) -> Mapping[str, list[UUID]]:
    found: dict[str, list[UUID]] = {}
    for each in effects:
        found.setdefault(each.operation, []).append(each.id)
    return found


def _ranks(chosen: Sequence[Ordered]) -> dict[str, int]:
    """Number the operations so that what comes first has the lower number; in a circle, what was done last."""
    first: dict[str, set[str]] = {}
    last: dict[str, int] = {}
    for each in chosen:
        first.setdefault(each.operation, set()).update(each.first)
        last[each.operation] = max(each.number, last.get(each.operation, 0))
    waiting = {name: {other for other in names if other in first and other != name} for name, names in first.items()}
    ranks: dict[str, int] = {}
    while waiting:
        free = [name for name, names in waiting.items() if not names - ranks.keys()]
        for name in free or [max(waiting, key=lambda name: last[name])]:
            ranks[name] = len(ranks)
            del waiting[name]
    return ranks
