"""The checklist of a work item: each point ticked off, or opened again, by somebody whose name is kept."""

from typing import Any
from uuid import UUID

from compensation.checklists import NOT_DONE, points, still_open
from compensation.deeds.standing import Held, hold, receipt
from compensation.writing import changed, write
from console.clock import instant
from console.exact import canonical
from console.http.refusals import InvalidContent, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once


class NoSuchPoint(InvalidContent):
    """The checklist has no point at this place; places begin with 0."""

    code = "no_such_point"


class ChecklistOpen(Refusal):
    """Points of the checklist are open; `open` names them. Tick them off first, or waive the work item, with authority."""

    code = "checklist_open"


@move("tick checklist")
def tick(by: Actor, item_id: UUID, place: int, *, done: bool, version: int | None = None, key: str) -> dict[str, Any]:
    """Tick a point of the checklist off, or open it again. Raises NotFound, NotAnOperator, ItemOver, StaleVersion, NoSuchPoint."""
    asked: dict[str, Any] = {"item": str(item_id), "place": place, "done": done}
    return once(by, key, "tick_checklist", asked, lambda: _tick(by, item_id, place, version, done=done), about=item_id)


def check_ticked(held: Held) -> None:
    """Refuse an item whose checklist is not done. Raises ChecklistOpen."""
    still = still_open(held.item.checklist)
    if still:
        raise ChecklistOpen(open=still, **held.standing)


def _tick(by: Actor, item_id: UUID, place: int, version: int | None, *, done: bool) -> dict[str, Any]:
    held = hold(by, item_id, version)
    listed = points(held.item.checklist)
    if not 0 <= place < len(listed):
        raise NoSuchPoint(path="/place", points=len(listed), **held.standing)
    if bool(listed[place]["done_at"]) != done:
        by_whom = {"done_by": str(by.principal), "done_at": instant(held.now)} if done else NOT_DONE
        listed[place] = {"text": listed[place]["text"], **by_whom}
        change = changed(held.item, "item.checked", {"place": place, "done": done}, checklist=canonical([*listed]))
        write(by, [change], held.now)
    return receipt(held, place=place, done=done, open=still_open(held.item.checklist))
