"""The order in which things are made good for: as contracts say which operations' effects come first, and not simply backwards. Pure.

What no contract orders runs side by side. Contracts in force make no circle together; those of different versions may, and then what was
done last comes first, so that nothing waits for ever."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Ordered:
    """An effect as far as order goes: `first` names the operations whose effects are made good for before it."""

    id: UUID
    number: int
    operation: str
    first: tuple[str, ...]


def before(chosen: Sequence[Ordered], standing: Iterable[Ordered]) -> dict[UUID, tuple[UUID, ...]]:
    """Give for each of the chosen the effects that come before it: of the chosen, and of those whose items stand already and are open."""
    rank = _ranks(chosen)
    mine, theirs = _by_operation(chosen), _by_operation(standing)
    found: dict[tuple[str, tuple[str, ...]], tuple[UUID, ...]] = {}
    for each in chosen:
        group = each.operation, each.first
        if group not in found:  # one list for all that are alike: the work grows with the effects, not with their pairs
            earlier = [name for name in each.first if name in rank and rank[name] < rank[each.operation]]
            standing_first = [effect for name in each.first for effect in theirs[name]]
            found[group] = (*standing_first, *(effect for name in earlier for effect in mine[name]))
    return {each.id: found[each.operation, each.first] for each in chosen}


def _by_operation(effects: Iterable[Ordered]) -> Mapping[str, list[UUID]]:
    found: dict[str, list[UUID]] = defaultdict(list)
    for each in effects:
        found[each.operation].append(each.id)
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
