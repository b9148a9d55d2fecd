"""What tests of pages do with compensation: have work items in any state, by the record's own writing, and read and send their forms."""

import re
from collections.abc import Sequence
from html import unescape
from typing import Any, Final
from uuid import UUID

from django.test import Client

from compensation.models import Plan, WorkItem
from compensation.writing import changed, write
from console import clock
from console.exact import canonical
from runs.compensating.standing import stands
from runs.models import Effect, Run
from tests.cast import Company, inside
from tests.compensation import desk
from tests.compensation.undoing import done
from tests.shop import Shop

# How an item comes into a state: the entries on the way there, each with the state that it leads to.
WAYS: Final[dict[str, Sequence[tuple[str, str]]]] = {
    "planned": (), "waiting": (("item.waits", "waiting"),), "running": (("item.began", "running"),),
    "verifying": (("item.began", "running"), ("item.verifying", "verifying")), "done": (("item.began", "running"), ("item.done", "done")),
    "failed": (("item.failed", "failed"),), "escalated": (("item.failed", "failed"), ("item.escalated", "escalated")),
    "resolved": (("item.failed", "failed"), ("item.resolved", "resolved")),
    "waived": (("item.failed", "failed"), ("item.waived", "waived")),
    "dropped": (("item.dropped", "dropped"),),
}  # fmt: skip
OVER: Final = ("done", "resolved", "waived", "dropped")
LATER: Final = ("waits_for", "state_reason", "difference", "left", "owner_id", "verified_by")  # said once it stands so


def put(shop: Shop | Company, run_id: UUID, *items: dict[str, Any], **plan: Any) -> list[WorkItem]:
    """Have a plan with these work items in a run, each in the state that it names.

    `of` names what it makes good for by the effect's key, `behind` the places of the items that come first."""
    with inside(shop.tenant.pk):
        effects = {each.key: each.pk for each in Effect.objects.filter(run=run_id)}
    asked = [_written(each) for each in items]
    rows = [_row(each, effects) for each in asked]
    _, made = desk.planned(shop, run_id, *rows, **{"cause": "cancelled", **plan})
    with inside(shop.tenant.pk):
        now = clock.now()
        stands(desk.CLOCK, [Run.objects.select_for_update(no_key=True).get(pk=run_id)], "open", now)
        Plan.objects.select_for_update(no_key=True).get(pk=made[0].plan_id)
        for item, each in zip(made, asked, strict=True):
            ends = {"ended_at": now} if each.get("state") in OVER else {}
            for kind, to in WAYS[each.get("state", "planned")]:
                write(desk.CLOCK, [changed(item, kind, state=to, **(ends if to in OVER else {}))], now)
            if "behind" in each:
                after = [made[place].pk for place in each["behind"]]
                write(desk.CLOCK, [changed(item, "item.waits", after=after, after_count=len(after))], now)
            if late := {name: each[name] for name in LATER if name in each}:
                write(desk.CLOCK, [changed(item, "item.waits", **late)], now)
    return made


def one(shop: Shop, state: str = "planned", **columns: Any) -> WorkItem:
    """Have a run in which something was reserved, and its work item in this state."""
    (made,) = put(shop, done(shop, "reserve"), {"of": "reserve", "state": state, **columns})
    return made


def _written(each: dict[str, Any]) -> dict[str, Any]:
    """Write lists as they are kept."""
    return {
        name: canonical(value) if isinstance(value, list) and name != "behind" else value
        for name, value in each.items()
    }


def _row(each: dict[str, Any], effects: dict[str, UUID]) -> dict[str, Any]:
    told = {name: value for name, value in each.items() if name not in {*LATER, "of", "state", "behind"}}
    of = {"effect_id": effects[each["of"]], "operation": "release"} if "of" in each else {}
    return {"owner_group": "operators", "weight": 3, **of, **told}


def stored(item: WorkItem) -> WorkItem:
    """Read a work item anew."""
    with inside():
        return WorkItem.objects.get(pk=item.pk)


def address(found: WorkItem, verb: str = "") -> str:
    """Give where the page or a form of a work item is."""
    return f"/compensation/{found.pk}/{verb}" if verb else f"/compensation/{found.pk}"


def fields(page: str, verb: str) -> dict[str, str]:
    """Read the hidden fields of a form, as a browser would send them."""
    form = re.search(rf'<form[^>]*action="[^"]*/{verb}".*?</form>', page, re.DOTALL)
    assert form, f"there is no form for {verb}"
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0])
    return {name: unescape(value) for name, value in hidden if name != "csrfmiddlewaretoken"}


def send(browser: Client, found: WorkItem, verb: str, **typed: Any) -> Any:
    """Open the page, fill a form in and send it."""
    page = browser.get(address(found)).content.decode()
    form = "confirm" if verb == "decline" else verb
    return browser.post(address(found, verb), {**fields(page, form), **typed})
