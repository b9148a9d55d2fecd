"""What is being cancelled and is not proven yet, over all runs: the oldest first, each with what it waits for."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpResponse

from console.pages import address
from console.pages.answers import part_or_page
from console.pages.books import counted
from console.pages.cancel_panel import MODES, SCOPES
from console.pages.counts import MOST, Count, if_readable
from console.pages.room import MemberRequest, page
from runs.cancelling import desk
from runs.cancelling.desk import WaitsFor
from runs.history import actor_names, process_name
from runs.models import Cancellation

SHOWN = 50
PARTS = {"list": "cancellations/_list.html"}


@dataclass(frozen=True, slots=True)
class Line:
    """One cancellation: what is to stop, how, on whose word, and what it waits for in words."""

    row: Cancellation
    what: str
    how: str
    by: str
    waits: list[str]
    graced: bool


@page("after")
def cancellations(request: MemberRequest) -> HttpResponse:
    """Show what is being cancelled."""
    after = address.cursor(request)
    tenant_id = request.member.tenant_id
    found = desk.unproven(tenant_id, after, SHOWN + 1)
    more = address.Cursor(found[SHOWN - 1].asked_at, found[SHOWN - 1].pk) if len(found) > SHOWN else None
    waits = desk.waits_for(found[:SHOWN])
    names = actor_names(tenant_id, {each.asked_by for each in found[:SHOWN]})
    context = {
        "lines": [_line(request, each, waits.get(each.pk, WaitsFor()), names) for each in found[:SHOWN]],
        "count": if_readable(lambda: Count(desk.count_unproven(tenant_id, MOST + 1))),
        "later": address.query(after=more) if more else None,
        "oldest": after is None,
    }
    return part_or_page(request, "cancellations/list.html", PARTS, context)


def _line(request: MemberRequest, row: Cancellation, waits: WaitsFor, names: dict[str, str]) -> Line:
    what = f"effect {row.effect.number}" if row.effect else SCOPES.get(row.scope, row.scope)
    graced = row.grace_until is not None and row.grace_until > request.now
    by = names.get(row.asked_by, process_name(row.asked_by))
    return Line(row, what, MODES.get(row.mode, row.mode), by, list(_words(waits)), graced)


def _words(waits: WaitsFor) -> Iterator[str]:
    if waits.in_flight:
        yield f"{counted(waits.in_flight, 'effect')} in flight"
    if waits.unknown:
        yield f"{counted(waits.unknown, 'effect')} not confirmed"
    if waits.cleanup:
        yield f"{counted(waits.cleanup, 'effect')} of clean-up"
    if waits.children:
        yield f"{counted(waits.children, 'run')} that it started"
    if waits.compensation:
        yield "what is being made good for"
