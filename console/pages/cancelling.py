"""Cancelling on pages: the forms for a run and for an effect, opening a run again, and seeing to what was left; by the moves' own rules."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from uuid_utils.compat import uuid7

from console.http.refusals import NotFound, Refusal
from console.pages import sent
from console.pages.answers import whole
from console.pages.room import MemberRequest, Receipt, deed, page, reading
from runs import neighbours, queries
from runs.cancelling import cancel, reopening
from runs.cancelling.reopening import REOPENED
from runs.cancelling.rule import rule_of_effect, rule_of_run
from runs.cancelling.standing import may
from runs.models import Run
from runs.states import CANCELLED, CLOSING, RUN_OPEN

DAY = 86400


@page()
def cancel_form(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show the form that cancels a run."""
    return whole(request, "runs/cancel.html", _run_form(request, subject))


@page()
def cancel_effect_form(request: MemberRequest, subject: UUID, number: int) -> HttpResponse:
    """Show the form that cancels an effect."""
    return whole(request, "runs/cancel.html", _effect_form(request, subject, number))


@page()
def reopen_form(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show the form that opens a run again."""
    return whole(request, "runs/reopen.html", _reopen_form(request, subject))


def _reason(request: MemberRequest) -> str:
    return request.POST.get("reason", "").replace("\r\n", "\n")


def _run(request: MemberRequest, run_id: UUID) -> Run:
    found = queries.run(request.member.tenant_id, run_id)
    if found is None:
        raise NotFound
    return found


def _run_form(request: MemberRequest, run_id: UUID) -> dict[str, Any]:
    run = _run(request, run_id)
    rule = rule_of_run(run)
    open_ = run.state in RUN_OPEN or (run.state == CLOSING and run.closing_toward == CANCELLED)
    return {
        "run": run, "effect": None, "rule": rule, "may_cancel": may(request.member, rule), "open": open_, "form_key": str(uuid7()),
        "typed": "",
    }  # fmt: skip


def _effect_form(request: MemberRequest, run_id: UUID, number: Any) -> dict[str, Any]:
    run, effect = _run(request, run_id), neighbours.effect(request.member.tenant_id, run_id, number)
    if effect is None:
        raise NotFound
    rule = rule_of_effect(effect)
    return {
        "run": run, "effect": effect, "rule": rule, "may_cancel": may(request.member, rule), "open": effect.ended_at is None,
        "form_key": str(uuid7()), "typed": "",
    }  # fmt: skip


def _reopen_form(request: MemberRequest, run_id: UUID) -> dict[str, Any]:
    run = _run(request, run_id)
    return {
        "run": run, "may": "operator" in request.member.roles, "can": run.state in REOPENED and run.erased_at is None,
        "late": run.deadline_at is not None and run.deadline_at <= request.now, "left": run.ended_at is not None and run.attention,
        "form_key": str(uuid7()), "seen_key": str(uuid7()), "typed": "",
    }  # fmt: skip


def _shown(template: str, form: Callable[..., dict[str, Any]]) -> Callable[..., HttpResponse]:
    """Lead back to the run, or show the form again with why nothing was done."""

    def shown(request: MemberRequest, *named: Any) -> HttpResponse:
        *address, became = named
        if not isinstance(became, Refusal):
            return HttpResponseRedirect(f"{reverse('run', args=[address[0]])}#cancellation", status=303)
        context = form(request, *address) | {"receipt": sent.said(became), "typed": request.POST.get("reason", "")}
        return whole(request, template, context, became.status)

    return shown


@deed(shown=_shown("runs/cancel.html", _run_form), on="cancel")
def cancel_run(request: MemberRequest, subject: UUID) -> Receipt:
    """Cancel a run."""
    scope, mode = request.POST.get("scope") or None, request.POST.get("mode") or None
    return cancel.cancel_run(
        request.by, subject, reason=_reason(request), scope=scope, mode=mode, key=sent.key(request)
    )


@deed(shown=_shown("runs/cancel.html", _effect_form), on="cancel_effect")
def cancel_effect(request: MemberRequest, subject: UUID, number: Any) -> Receipt:
    """Cancel an effect."""
    with reading(request):
        found = neighbours.effect(request.member.tenant_id, subject, number)
    if found is None:
        raise NotFound
    return cancel.cancel_effect(request.by, found.pk, reason=_reason(request), key=sent.key(request))


@deed(shown=_shown("runs/reopen.html", _reopen_form), on="reopen")
def reopen_run(request: MemberRequest, subject: UUID) -> Receipt:
    """Open a run again."""
    days = request.POST.get("days", "")
    seconds = int(days) * DAY if days.isdecimal() and 0 < int(days) <= 366 else None
    return reopening.reopen(
        request.by, subject, reason=_reason(request), deadline_seconds=seconds, key=sent.key(request)
    )


@deed(shown=_shown("runs/reopen.html", _reopen_form), on="reopen")
def see_to(request: MemberRequest, subject: UUID) -> Receipt:
    """Say that what was left is seen to."""
    return reopening.see_to(request.by, subject, reason=_reason(request), key=sent.key(request))
