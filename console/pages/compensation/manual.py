"""Adding a work item for people to a run: what no contract foresaw, with instructions, a checklist, an owner and a deadline."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from uuid_utils.compat import uuid7

from compensation.deeds import manual
from compensation.deeds.standing import operates
from compensation.queries import of_run
from console.http.refusals import InvalidContent, NotFound, Refusal
from console.identity.groups import ROLE_OF
from console.identity.queries import owners
from console.pages import address, finding_form, sent
from console.pages.answers import whole
from console.pages.compensation import receipts
from console.pages.finding_form import text
from console.pages.room import MemberRequest, Receipt, deed, page
from runs import queries

HOUR = 3600
NAMED = 200
BEFORE = 200
DIGITS = 6
TEXTS = ("summary", "instructions", "checklist", "need", "hours", "owner_group", "why", "needs_second")
NOT_YOURS = "Operators and admins add work items."
ERASED = "What this run said was erased; nothing is added to it any more."


class NotHours(InvalidContent):
    """Write a whole number of hours, or nothing."""

    code = "not_a_number"


@page()
def new_work_item(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show the form that adds a work item to a run."""
    return whole(request, "runs/new_work_item.html", _context(request, subject))


def _answered(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Lead to the work item that was added; show a refused form again with what was typed."""
    if isinstance(became, Refusal):
        context = _context(request, subject) | {
            "receipt": receipts.told(became), "faults": finding_form.faults(became), "after": set(_after(request)),
            "typed": {name: request.POST.get(name, "") for name in TEXTS},
        }  # fmt: skip
        return whole(request, "runs/new_work_item.html", context, receipts.status(became))
    words = address.query(receipt=request.POST["idempotency_key"])
    return HttpResponseRedirect(f"{reverse('work_item', args=[became['item']])}?{words}", status=303)


@deed(shown=_answered, on="new_work_item")
def add_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Add a work item to a run."""
    typed = request.POST
    return manual.add_manual(
        request.by, subject, summary=text(typed, "summary"), instructions=text(typed, "instructions"),
        checklist=text(typed, "checklist").splitlines(), need=typed.get("need", ""), deadline_seconds=_seconds(text(typed, "hours")),
        owner_group=text(typed, "owner_group"), after=_after(request), needs_second=typed.get("needs_second") == "yes",
        reason=text(typed, "why"), key=sent.key(request),
    )  # fmt: skip


def _context(request: MemberRequest, run_id: UUID) -> dict[str, Any]:
    run = queries.run(request.member.tenant_id, run_id)
    if run is None:
        raise NotFound
    people = owners(request.member.tenant_id, NAMED)
    groups = sorted({group for each in people for group in each.groups} | set(ROLE_OF))
    erased = ERASED if run.erased_at is not None else ""
    before = of_run.still_open(run.pk, BEFORE + 1)
    return {
        "run": run, "groups": groups, "before": before[:BEFORE], "more_before": len(before) > BEFORE,
        "may": erased or ("" if operates(request.member) else NOT_YOURS), "typed": {"owner_group": "operators"}, "faults": {},
        "after": set[UUID](), "receipt": None, "form_key": str(uuid7()),
    }  # fmt: skip


def _seconds(hours: str) -> int | None:
    if not hours:
        return None
    if not (hours.isascii() and hours.isdigit() and len(hours) <= DIGITS):
        raise NotHours(path="/deadline_seconds")
    return int(hours) * HOUR


def _after(request: MemberRequest) -> list[UUID]:
    """Read the work items that come first; what is none is left out, for nobody can choose it."""
    found = []
    for written in request.POST.getlist("after"):
        try:
            found.append(UUID(written))
        except ValueError:
            continue
    return found
