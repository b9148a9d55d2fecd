"""Asking alone: judged by the policy that governs the operation's name; denied aloud, allowed at once, or put to people."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import record, spending
from approvals.alone.draft import LONGEST_DEADLINE, Draft
from approvals.alone.judging import facts
from approvals.ask import Question, ask
from approvals.models import Request
from approvals.policies import Ruling, rulings
from approvals.policy_asks import Ask
from approvals.policy_document import ALLOW, DENY
from approvals.states import APPROVED
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import canonical
from console.http.refusals import Forbidden, InvalidContent
from console.identity.models import Agent
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from console.telemetry import traces

ALLOWED: Final = Ask(panels=(), decide_within_seconds=0, use_within_seconds=3600)  # nobody is asked


class NotAnAgent(Forbidden):
    """Agents ask; people decide."""

    code = "not_by_you"


class DeniedByPolicy(Forbidden):
    """The policy denies this; nobody is asked, and it must not be done."""

    code = "denied_by_policy"


class ArgumentsTooLong(InvalidContent):
    """Arguments have at most 65,536 characters in canonical form, so that people can be shown all of them."""

    code = "arguments_too_long"


def _nothing_stops(tenant_id: UUID) -> None:
    """Let it be asked."""


def _nothing_known(tenant_id: UUID, draft: Draft) -> Draft:
    """Take it as the agent says it."""
    return draft


@move("ask alone")
def ask_alone(
    by: Actor,
    draft: Draft,
    *,
    key: str,
    unless: Callable[[UUID], None] = _nothing_stops,
    known: Callable[[UUID, Draft], Draft] = _nothing_known,
) -> dict[str, Any]:
    """Ask whether exactly this may be done by the agent itself; the same key and content give the same request again.

    `unless` is asked whether anything forbids asking now, `known` what is known of the operation above this room. Raises NotAnAgent,
    ArgumentsTooLong, DeniedByPolicy, and what `unless` raises."""
    if by.kind != "agent":
        raise NotAnAgent
    if draft.is_too_long():
        raise ArgumentsTooLong(path="/arguments")
    return once(by, key, "ask alone", draft.sent(), lambda: _asked(by, known(by.tenant, draft), key, unless))


def _asked(by: Actor, draft: Draft, key: str, unless: Callable[[UUID], None]) -> dict[str, Any]:
    unless(by.tenant)
    agent = Agent.objects.select_related("owner__user").get(pk=by.principal)
    ruling = rulings(by.tenant, [facts(draft.told(), agent)])[0]
    now = clock.now()
    if ruling.verdict == DENY:
        raise DeniedByPolicy(ruling.reason, rule=ruling.rule or None, may_resubmit=False)
    allowed = ruling.verdict == ALLOW
    asked = replace(ruling, ask=ALLOWED) if allowed else ruling
    [request] = ask(by, by.tenant, [_question(draft, agent, asked, key, now)], now)
    spending.keep(by.tenant, [(request.subject, ruling.spends)], now)
    if allowed:
        _allow(by, request, now)
    ring_after_commit(request.pk, work=False)
    return {"approval": str(request.pk), "at": instant(now)}


def _question(draft: Draft, agent: Agent, ruling: Ruling, key: str, now: datetime) -> Question:
    return Question(
        subject=uuid7(), subject_digest=draft.digest(), operation=draft.operation, summary=draft.summary,
        target=draft.target, arguments=canonical(draft.arguments), shown=canonical({"executor": "agent"}),
        reason=draft.reason, tier=draft.tier, irreversible=draft.irreversible, agent_id=agent.pk, owner_id=agent.owner_id,
        ruling=ruling, deadline_at=now + timedelta(seconds=draft.deadline_seconds or LONGEST_DEADLINE),
        traceparent=traces.traceparent(), alone=True, key=key,
    )  # fmt: skip


def _allow(by: Actor, request: Request, now: datetime) -> None:
    """Approve in the policy's name what it allows; no person is named, because none was asked."""
    request.state, request.decided_at = APPROVED, now
    request.use_by = now + timedelta(seconds=request.use_within_seconds)
    Request.objects.filter(pk=request.pk).update(state=APPROVED, decided_at=now, use_by=request.use_by, remind_at=None)
    policy = Actor("system", None, "policy", by.tenant_id, by.via)
    record.write([(request.pk, "request.approved", {"use_by": instant(request.use_by)})], policy, now)
