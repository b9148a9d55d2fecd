"""Tasks: what people carry out themselves. The list, one task, and what is done about it: begun, kept, handed back, reported."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from uuid_utils.compat import uuid7

from console.exact import Object
from console.http import keys
from console.http.refusals import NotFound, Refusal
from console.pages import address, blanks, task_card, task_receipts
from console.pages.address import Cursor, query
from console.pages.answers import part_or_page, whole
from console.pages.room import MemberRequest, Receipt, deed, page, reading
from console.pages.task_receipts import HoldForm, NoHold, ReportForm
from runs import performing, queries
from runs.models import Effect

SHOWN = 50
PARTS = {"list": "tasks/_list.html"}
CARD = {"then": "tasks/_then.html"}


@page("after")
def tasks(request: MemberRequest) -> HttpResponse:
    """Show what this member may do, and has begun: the nearest deadline first."""
    after = address.cursor(request)
    found = queries.tasks(request.member, after, SHOWN + 1)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    shown = task_card.lines(request.member, found[:SHOWN])
    context = {
        "begun": [line for line in shown if line.lease_expires_at],
        "open": [line for line in shown if not line.lease_expires_at],
        "count": request.nav.tasks,
        "older": query(after=Cursor(last.deadline_at, last.pk)) if last else None,
        "newest": after is None,
    }
    return part_or_page(request, "tasks/list.html", PARTS, context)


@page("receipt")
def task(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one task, whatever has become of it; after a deed also its receipt."""
    kept = task_receipts.kept(request.by, request.GET.get("receipt", ""), subject)
    context = _card(request, subject) | ({"receipt": task_receipts.receipt(kept)} if kept else {})
    return part_or_page(request, "tasks/task.html", CARD, context)


def _answered(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Show the task as it stands after a deed, with what became of that.

    Without JavaScript a deed leads to the task, so that going back never asks to send the form again."""
    refusal = became if isinstance(became, Refusal) else None
    if refusal is None and not request.htmx:
        words = address.query(receipt=request.POST["idempotency_key"])
        return HttpResponseRedirect(f"{reverse('task', args=[subject])}?{words}", status=303)
    errors = refusal.facts.get("errors", []) if refusal else []
    named, _ = blanks.faults_of(errors)
    context = _card(request, subject, request.POST if refusal else None, named)
    context["receipt"] = task_receipts.receipt(became)
    template = "tasks/_card.html" if request.htmx else "tasks/task.html"
    return whole(request, template, context, refusal.status if refusal else 200)


def _renewed(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Show until when it is held now; only that part is swapped, so that what somebody writes stays."""
    status = became.status if isinstance(became, Refusal) else 200
    if request.htmx:
        return whole(request, "tasks/_lease.html", _card(request, subject), status)
    if isinstance(became, Refusal):
        return _answered(request, subject, became)
    return HttpResponseRedirect(reverse("task", args=[subject]), status=303)


@deed(shown=_answered, on="task")
def begin_task(request: MemberRequest, subject: UUID) -> Receipt:
    """Begin it: it is held for this member from now on."""
    key = keys.checked(request.POST.get("idempotency_key"))
    return performing.begin(request.by, subject, epoch=None, key=key)


@deed(shown=_renewed, on="task")
def renew_task(request: MemberRequest, subject: UUID) -> Receipt:
    """Hold it for longer; sent twice it does the same."""
    held = _held(request, subject)
    return performing.heartbeat(request.by, held.attempt, fence=held.fence)


@deed(shown=_answered, on="task")
def hand_back_task(request: MemberRequest, subject: UUID) -> Receipt:
    """Give it back: nothing was done, and others can begin it."""
    held, key = _held(request, subject), keys.checked(request.POST.get("idempotency_key"))
    reason = request.POST.get("reason", "").strip()
    return performing.hand_back(request.by, held.attempt, fence=held.fence, reason=reason, key=key)


@deed(shown=_answered, on="task")
def report_task(request: MemberRequest, subject: UUID) -> Receipt:
    """Report what came of it."""
    held, form = _held(request, subject), ReportForm.read(request.POST)
    result = blanks.read(_schema(request, subject), request.POST) if form.is_done else None
    if form.outcome != "succeeded":
        result = result or None
    return performing.report(
        request.by, held.attempt, fence=held.fence, outcome=form.outcome, result=result, reason=form.reason, evidence=form.evidence,
        key=form.key,
    )  # fmt: skip


def _held(request: MemberRequest, effect_id: UUID) -> HoldForm:
    """Read which attempt the form is about; one of another task is none of this one. Raises NoHold."""
    held = HoldForm.read(request.POST)
    with reading(request):
        if all(attempt.pk != held.attempt for attempt in _found(request, effect_id).attempts.all()):
            raise NoHold
    return held


def _schema(request: MemberRequest, effect_id: UUID) -> Object | None:
    with reading(request):
        return task_card.schema(_found(request, effect_id))


def _card(
    request: MemberRequest, effect_id: UUID, sent: QueryDict | None = None, faults: dict[str, str] | None = None
) -> dict[str, object]:
    shown = task_card.task(request.member, request.now, _found(request, effect_id), sent, faults)
    typed = {name: sent.get(name, "") for name in ("reason", "evidence")} if sent else {}
    return {"task": shown, "typed": typed, "idempotency_key": str(uuid7())}


def _found(request: MemberRequest, effect_id: UUID) -> Effect:
    found = queries.task(request.member, effect_id)
    if found is None:
        raise NotFound
    return found
