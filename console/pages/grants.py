"""Standing approvals: those in force and those that wait for a second word, one with its uses, and the form that proposes one."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from uuid_utils.compat import uuid7

from approvals import queries as requests
from approvals.granting import queries
from approvals.granting.confirming import confirm, decline
from approvals.granting.ending import OPEN, revoke
from approvals.granting.people import may_revoke
from approvals.granting.proposing import drafted, propose
from approvals.granting.rules import check_bounds, stands_in_for
from approvals.granting.sentences import said
from approvals.models import Request
from approvals.states import PROPOSED_GRANT
from console.http.refusals import NotFound, Refusal
from console.identity.models import Agent
from console.pages import address, grant_forms, grant_rows, sent
from console.pages.address import Cursor, query
from console.pages.answers import whole
from console.pages.room import MemberRequest, Receipt, deed, page
from runs import shelf

SHOWN = 50
LISTED = 200
NEVER = datetime.max.replace(tzinfo=UTC)  # a proposal says its end; nothing is counted from here


@page("before", "receipt")
def grants(request: MemberRequest) -> HttpResponse:
    """Show what stands, what waits to be confirmed, and what has ended."""
    tenant_id = request.member.tenant_id
    before = address.cursor(request, "before")
    found = queries.ended(tenant_id, before, SHOWN + 1)
    last = found[SHOWN - 1] if len(found) > SHOWN else None
    open_ones = [grant_rows.line(grant) for grant in queries.in_force(tenant_id)]
    context = {
        "proposed": [line for line in open_ones if line.grant.state == PROPOSED_GRANT],
        "active": [line for line in open_ones if line.grant.state != PROPOSED_GRANT],
        "ended": [grant_rows.line(grant) for grant in found[:SHOWN]],
        "older": query(before=Cursor(last.created_at, last.pk)) if last else None, "newest": before is None,
        "may_propose": requests.decides(request.member), "mine": set(request.member.groups), "member": request.member,
        "receipt": sent.told(request),
    }  # fmt: skip
    return whole(request, "grants/list.html", context)


@page("before", "receipt")
def grant(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one, whatever has become of it: its bounds, its uses and what came of each, and who said what."""
    return whole(request, "grants/detail.html", _detail(request, subject) | {"receipt": sent.told(request)})


@page("request", *grant_forms.WORDS)
def new_grant(request: MemberRequest) -> HttpResponse:
    """Show the form, filled in from a card; once it was filled in, also what it would allow and what it would have covered."""
    form = {name: request.GET[name] for name in grant_forms.WORDS if name in request.GET}
    if "request" in request.GET:
        form = grant_forms.from_card(_card(request)) | form
    return whole(request, "grants/new.html", _form(request, form, tried="uses_most" in request.GET))


def _proposed(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if isinstance(became, Refusal):
        form = {name: request.POST.get(name, "") for name in (*grant_forms.WORDS, "ends_at")}
        context = _form(request, form, tried=False) | {"receipt": sent.said(became)}
        return whole(request, "grants/new.html", context, became.status)
    return sent.to(request, "grant", str(became["grant"]))


@deed(shown=_proposed, on="new_grant")
def propose_grant(request: MemberRequest) -> Receipt:
    """Propose exactly what was shown."""
    terms = grant_forms.read({**request.POST.dict(), "lasts_hours": ""}, NEVER)
    return propose(request.by, terms, key=sent.key(request))


def _answered(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    """Lead back to the grant, or show it as it stands with why nothing was changed."""
    if not isinstance(became, Refusal):
        return HttpResponseRedirect(
            f"{reverse('grant', args=[subject])}?{query(receipt=request.POST['idempotency_key'])}", status=303
        )
    context = _detail(request, subject) | {"receipt": sent.said(became), "typed": request.POST.get("reason", "")}
    return whole(request, "grants/detail.html", context, became.status)


@deed(shown=_answered, on="grant")
def confirm_grant(request: MemberRequest, subject: UUID) -> Receipt:
    """Be the second person."""
    return confirm(request.by, subject, key=sent.key(request))


@deed(shown=_answered, on="grant")
def decline_grant(request: MemberRequest, subject: UUID) -> Receipt:
    """Turn it down."""
    return decline(request.by, subject, reason=_reason(request), key=sent.key(request))


@deed(shown=_answered, on="grant")
def revoke_grant(request: MemberRequest, subject: UUID) -> Receipt:
    """End it at once."""
    return revoke(request.by, subject, reason=_reason(request), key=sent.key(request))


def _reason(request: MemberRequest) -> str:
    return request.POST.get("reason", "").replace("\r\n", "\n")


def _detail(request: MemberRequest, grant_id: UUID) -> dict[str, Any]:
    found = queries.one(request.member.tenant_id, grant_id)
    if found is None:
        raise NotFound
    before = address.cursor(request, "before") if request.method in {"GET", "HEAD"} else None
    uses = queries.uses(found, before, SHOWN + 1)
    last = uses[SHOWN - 1] if len(uses) > SHOWN else None
    member = request.member
    asked = requests.decides(member) and bool(set(member.groups) & set(found.groups)) and member.pk != found.owner_id
    return {
        "line": grant_rows.line(found), "grant": found, "uses": grant_rows.uses(uses[:SHOWN]),
        "older": query(before=Cursor(last.reserved_at, last.pk)) if last else None, "newest": before is None,
        "may_confirm": found.state == PROPOSED_GRANT and asked, "may_revoke": found.state in OPEN and may_revoke(member, found),
        "is_owner": member.pk == found.owner_id, "form_key": str(uuid7()), "typed": "",
    }  # fmt: skip


def _card(request: MemberRequest) -> Request:
    try:
        found = requests.one(request.member.tenant_id, UUID(request.GET["request"]))
    except ValueError:
        found = None
    if found is None or found.erased_at is not None:
        raise NotFound
    return found


def _form(request: MemberRequest, form: dict[str, str], *, tried: bool) -> dict[str, Any]:
    tenant_id = request.member.tenant_id
    return {
        "form": form, "lines": grant_forms.lines(form), "ops": grant_forms.OPS.items(), "form_key": str(uuid7()),
        "agents": list(Agent.objects.filter(tenant_id=tenant_id, active=True).order_by("name")[:LISTED]),
        "operations": [each.name for each in shelf.in_force("operation", tenant_id, "", LISTED)],
        "run_types": [each.name for each in shelf.in_force("run-type", tenant_id, "", LISTED)],
        "may_propose": requests.decides(request.member), **(_tried(request, form) if tried else {}),
    }  # fmt: skip


def _tried(request: MemberRequest, form: dict[str, str]) -> dict[str, Any]:
    """Say what it would allow and what it would have covered; or what is wrong with it."""
    try:
        terms = grant_forms.read(form, request.now)
        draft, agent = drafted(request.by, terms)
        _, found, all_the_same = stands_in_for(draft, agent)
        draft.groups = list(dict.fromkeys(group for each in found for group in each.ask.groups))
        check_bounds(draft, found)
    except Refusal as refusal:
        return {"wrong": refusal.detail, "wrong_at": str(refusal.facts.get("path", "")).removeprefix("/")}
    return {
        "said": said(draft), "draft": draft, "past": queries.tried(draft), "asked_all_the_same": all_the_same,
        "rules": [each.rule for each in found], "hidden": grant_forms.hidden(form, terms),
    }  # fmt: skip
