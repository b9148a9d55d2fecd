"""One plan: what is to be made good for, in what order, on what terms, and what cannot be undone; approving and declining it."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from uuid_utils.compat import uuid7

from compensation.deeds import plans as deciding
from compensation.queries import plans, trail
from compensation.queries.seen import Plan
from console.http.refusals import NotFound, Refusal, StaleVersion
from console.pages import address, finding_form, sent
from console.pages.answers import part_or_page, whole
from console.pages.compensation import plan_table, receipts
from console.pages.finding_form import text
from console.pages.room import MemberRequest, Receipt, deed, page

ENTRIES = 100
PARTS = {"plan": "compensation/_plan.html"}


@page("receipt")
def compensation_plan(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one plan; after a deed also its receipt."""
    context = _context(request, _found(request, subject))
    kept = receipts.kept(request.by, request.GET.get("receipt", ""), subject)
    context["receipt"] = receipts.told(kept) if kept else None
    return part_or_page(request, "compensation/plan.html", PARTS, context)


def _answered(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Lead to what stands after a deed; show a refused one with what was typed and how things stand now."""
    if isinstance(became, Refusal):
        context = _context(request, _found(request, subject))
        context |= {
            "receipt": receipts.told(became), "faults": finding_form.faults(became), "typed": request.POST.get("why", ""),
        }  # fmt: skip
        if isinstance(became, StaleVersion):
            context["news"] = receipts.news(request, subject)
        return whole(request, "compensation/plan.html", context, receipts.status(became))
    words = address.query(receipt=request.POST["idempotency_key"])
    return HttpResponseRedirect(f"{reverse('compensation_plan', args=[subject])}?{words}", status=303)


@deed(shown=_answered, on="compensation_plan")
def approve_plan(request: MemberRequest, subject: UUID) -> Receipt:
    """Have the plan begin, in its order."""
    return deciding.approve_plan(
        request.by, subject, reason=text(request.POST, "why"), version=sent.version(request), key=sent.key(request)
    )


@deed(shown=_answered, on="compensation_plan")
def decline_plan(request: MemberRequest, subject: UUID) -> Receipt:
    """Have nothing of the plan done."""
    return deciding.decline_plan(
        request.by, subject, reason=text(request.POST, "why"), version=sent.version(request), key=sent.key(request)
    )


def _context(request: MemberRequest, plan: Plan) -> dict[str, object]:
    return {
        "plan": plan,
        "lines": plan_table.of_plan(plan),
        "may_not": plan_table.may_decide(request.member, plan),
        "may_not_approve": plan_table.may_not_approve(request.member, plan),
        "trail": trail.trail(request.member.tenant_id, plan.id, limit=ENTRIES),
        "idempotency_key": str(uuid7()),
        "faults": {},
        "typed": "",
    }


def _found(request: MemberRequest, plan_id: UUID) -> Plan:
    found = plans.plan(request.member.tenant_id, plan_id)
    if found is None:
        raise NotFound
    return found
