"""What can be done about a work item as it stands, and why not what cannot: in the words in which the moves would refuse it."""

from dataclasses import dataclass
from typing import Final

from compensation.deeds.escalating import NeedsNobody, TopOfLadder
from compensation.deeds.standing import TODO, WHO, said
from compensation.deeds.trying import NOT_AGAIN, NOT_FORWARD, SAID_LATE, why_not_again, why_not_now
from compensation.queries.seen import Ending, Item
from console.pages.compensation.rows import needs_somebody

AT_REST: Final = frozenset({"accept", "run_now", "retry", "resolve", "waive"})  # not beside an effect that is under way
ENDING_FIRST: Final = frozenset({"accept", "retry", "resolve", "waive"})  # not past what waits for a second person
AGAIN: Final = frozenset({"accept", "retry"})
TITLES: Final = {
    "accept": "Accept the difference and go on", "run_now": "Run it now", "retry": "Try it again",
    "resolve": "Say that it was made good for by hand", "waive": "Waive it", "escalate": "Tell more people",
}  # fmt: skip
NAMES: Final = (*sorted(AT_REST), "escalate", "tick", "file")


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be done, or why it cannot."""

    allowed: bool
    why_not: str = ""


def offers(item: Item, waiting: Ending | None, *, may_act: bool, said_late: bool) -> dict[str, Offer]:
    """Give what can be done about an item by somebody who may or may not act on it, by name; `said_late`: an answer that came late says
    that it was done."""
    return {name: _offer(name, item, waiting, may_act=may_act, said_late=said_late) for name in NAMES}


def shut(item: Item, offered: dict[str, Offer]) -> list[tuple[list[str], str]]:
    """Give what cannot be done about an item now, by its title, with why not; what has the same reason stands together."""
    because: dict[str, list[str]] = {}
    for name, title in TITLES.items():
        if not offered[name].allowed and _is_of(item, name):
            because.setdefault(offered[name].why_not, []).append(title)
    return [(titles, why_not) for why_not, titles in because.items()]


def _is_of(item: Item, name: str) -> bool:
    return bool(item.difference) if name == "accept" else bool(item.operation) if name in {"run_now", "retry"} else True


def _offer(name: str, item: Item, waiting: Ending | None, *, may_act: bool, said_late: bool) -> Offer:
    why_not = "" if may_act else WHO
    if not why_not and name in AT_REST and item.acting is not None:
        why_not = TODO.get(item.acting.state, "")
    if not why_not and name in ENDING_FIRST and waiting is not None:
        why_not = f"What {waiting.proposed_by.name} said waits for a second person; that is confirmed, declined or taken back first."
    why_not = why_not or WHY_NOT.get(name, _always)(item)
    if not why_not and name in AGAIN and said_late:
        why_not = NOT_AGAIN.format(why=SAID_LATE)
    return Offer(not why_not, why_not)


def _always(item: Item) -> str:
    return ""


def _in_vain(item: Item) -> str:
    why = why_not_again(item.kind, item.state, item.waits_for, item.acting.state if item.acting else "")
    return NOT_AGAIN.format(why=why) if why else ""


def _run_now(item: Item) -> str:
    why = why_not_now(item.kind, item.state, item.waits_for, item.acting.state if item.acting else "")
    return NOT_FORWARD.format(why=why) if why else ""


def _ticked(item: Item) -> str:
    still = [point for point in item.checklist if not point.get("done_at")]
    return (
        f"{len(still)} of {len(item.checklist)} points of the checklist are open: tick them off first." if still else ""
    )


def _ladder(item: Item) -> str:
    if not needs_somebody(item):
        return said(NeedsNobody)
    return "" if item.level < len(item.ladder) else said(TopOfLadder)


WHY_NOT: Final = {
    "accept": _in_vain, "retry": _in_vain, "run_now": _run_now, "resolve": _ticked, "escalate": _ladder,
}  # fmt: skip
