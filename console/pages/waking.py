"""Having a run go on that waits: the form, for operators, and what became of it."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from uuid_utils.compat import uuid7

from console.http.refusals import NotFound, Refusal
from console.pages import sent
from console.pages.answers import whole
from console.pages.room import MemberRequest, Receipt, deed, page
from runs import queries
from runs.states import WAITING
from runs.waits import withdrawing


@page()
def wake(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show the form."""
    return whole(request, "runs/wake.html", _form(request, subject))


def _woken(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Lead back to the run, or show the form again with why it does not go on."""
    if not isinstance(became, Refusal):
        return HttpResponseRedirect(f"{reverse('run', args=[subject])}#waits", status=303)
    context = _form(request, subject) | {"receipt": sent.said(became), "typed": request.POST.get("reason", "")}
    return whole(request, "runs/wake.html", context, became.status)


@deed(shown=_woken, on="wake")
def wake_run(request: MemberRequest, subject: UUID) -> Receipt:
    """Have the run go on."""
    reason = request.POST.get("reason", "").replace("\r\n", "\n")
    return withdrawing.wake(request.by, subject, reason=reason, key=sent.key(request))


def _form(request: MemberRequest, run_id: UUID) -> dict[str, Any]:
    found = queries.run(request.member.tenant_id, run_id)
    if found is None:
        raise NotFound
    return {
        "run": found, "may_wake": "operator" in request.by.roles, "waits": found.state == WAITING, "form_key": str(uuid7()), "typed": "",
    }  # fmt: skip
