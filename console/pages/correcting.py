"""Correcting a run: the form, what it became, and saying that corrections are taken into account where no driver does."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from uuid_utils.compat import uuid7

from console.exact import Object, Value
from console.exact.conditions import OPS
from console.http.refusals import NotFound, Refusal
from console.pages import sent
from console.pages.answers import whole
from console.pages.room import MemberRequest, Receipt, deed, page
from runs import queries
from runs.corrections import acknowledging, making
from runs.models import Effect, Run
from runs.states import RUN_OPEN

WORDS = {
    "eq": "is", "in": "is one of (separated by commas)", "lt": "is below", "lte": "is at most", "gt": "is above", "gte": "is at least",
    "prefix": "begins with", "exists": "is given (true or false)",
}  # fmt: skip


@page()
def correct(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show the form."""
    return whole(request, "runs/correct.html", _form(request, subject, QueryDict()))


def _corrected(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Lead back to the run, or show the form again with why it was refused."""
    if not isinstance(became, Refusal):
        return HttpResponseRedirect(f"{reverse('run', args=[subject])}#corrections", status=303)
    context = _form(request, subject, request.POST) | {"receipt": sent.said(became)}
    return whole(request, "runs/correct.html", context, became.status)


@deed(shown=_corrected, on="correct")
def correct_run(request: MemberRequest, subject: UUID) -> Receipt:
    """Write a correction down."""
    return making.correct(
        request.by, subject, text=_text(request, "text"), source=_text(request, "source"), contradicts=_contradicts(request.POST),
        key=sent.key(request),
    )  # fmt: skip


@deed(shown=_corrected, on="correct")
def acknowledge_corrections(request: MemberRequest, subject: UUID) -> Receipt:
    """Say that the corrections are taken into account."""
    number = request.POST.get("number", "")
    return acknowledging.acknowledge(
        request.by, subject, epoch=None, number=int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0,
        key=sent.key(request),
    )  # fmt: skip


def _contradicts(form: QueryDict) -> Object:
    said: Object = {
        name: form.get(name, "").strip() for name in ("operation", "argument") if form.get(name, "").strip()
    }
    if form.get("op"):
        said["must"] = {"op": form["op"], "value": _value(str(form["op"]), form.get("value", "").strip())}
    return said


def _value(op: str, text: str) -> Value:
    if op == "in":
        return [part.strip() for part in text.split(",") if part.strip()]
    if op == "exists":
        return {"true": True, "false": False}.get(text.lower(), text)
    return text


def _text(request: MemberRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\r\n", "\n")


def _form(request: MemberRequest, run_id: UUID, typed: QueryDict) -> dict[str, Any]:
    found = queries.run(request.member.tenant_id, run_id)
    if found is None:
        raise NotFound
    operations = (
        Effect.objects.filter(run_id=run_id).order_by("operation_name").values_list("operation_name", flat=True)
    )
    return {
        "run": found, "open": found.state in RUN_OPEN, "may_correct": making.member_may_correct(request.member, found.agent),
        "operations": list(operations.distinct()[:50]), "ops": [(op, WORDS[op]) for op in OPS], "typed": typed,
        "unseen": _unseen(found), "form_key": str(uuid7()), "seen_key": str(uuid7()),
    }  # fmt: skip


def _unseen(run: Run) -> int:
    return run.corrections_count - run.corrections_seen
