"""Giving a run more of what it may use: the form, for operators and administrators, and what became of it."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from uuid_utils.compat import uuid7

from console.exact.decimals import decimal_string
from console.http.refusals import NotFound, Refusal
from console.pages import limits_panel, sent
from console.pages.answers import whole
from console.pages.room import MemberRequest, Receipt, deed, page
from runs import queries
from runs.limits import extending
from runs.limits.budgets import BUDGETS
from runs.limits.remains import remains
from runs.states import EXHAUSTED, RUN_GOING


@page()
def extend(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show the form, with what was done and what was not."""
    return whole(request, "runs/extend.html", _form(request, subject, {}))


def _extended(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Lead back to the run, or show the form again with why it was refused."""
    if not isinstance(became, Refusal):
        return HttpResponseRedirect(f"{reverse('run', args=[subject])}#limits", status=303)
    typed = {name: request.POST.get(name, "") for name in (*BUDGETS, "reason")}
    context = _form(request, subject, typed) | {"receipt": sent.said(became)}
    return whole(request, "runs/extend.html", context, became.status)


@deed(shown=_extended, on="extend")
def extend_run(request: MemberRequest, subject: UUID) -> Receipt:
    """Give the run more."""
    more = {name: _number(request.POST[name].strip()) for name in BUDGETS if request.POST.get(name, "").strip()}
    reason = request.POST.get("reason", "").replace("\r\n", "\n")
    return extending.extend(request.by, subject, more=more, reason=reason, key=sent.key(request))


def _number(text: str) -> Any:
    found = decimal_string(text)
    return text if found is None else found


def _form(request: MemberRequest, run_id: UUID, typed: dict[str, str]) -> dict[str, Any]:
    found = queries.run(request.member.tenant_id, run_id)
    if found is None:
        raise NotFound
    left = remains(found)
    return {
        "run": found, "goes_on": found.state in RUN_GOING | {EXHAUSTED}, "out": found.state == EXHAUSTED,
        "may_extend": extending.may_extend(request.member), "left": left, "reason": typed.get("reason", ""), "form_key": str(uuid7()),
        "lines": [(each.name, limits_panel.line(each), typed.get(each.name, "")) for each in left.budgets],
    }  # fmt: skip
