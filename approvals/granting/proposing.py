"""Proposing a standing approval: nothing stands by it until somebody else confirms it."""

from typing import Any

from uuid_utils.compat import uuid7

from approvals import telling
from approvals.granting import record
from approvals.granting.holding import receipt
from approvals.granting.people import approver, check_serves_another, word
from approvals.granting.rules import check_bounds, check_words, stands_in_for
from approvals.granting.terms import Terms, check
from approvals.models import Grant
from approvals.states import PROPOSED_GRANT
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http.refusals import NotFound
from console.identity.models import Agent
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.ledger.moves import move, once


@move("propose_grant")
def propose(by: Actor, terms: Terms, *, key: str) -> dict[str, Any]:
    """Propose a standing approval, which somebody else has to confirm.

    Raises BadGrant, NotEligible, SeparationOfDuties, NothingToStandInFor, GrantTooWide, TooManyAsked, NotVouching, StepUpNeeded."""
    return once(by, key, "propose_grant", terms.asked(), lambda: _propose(by, terms))


def drafted(by: Actor, terms: Terms) -> tuple[Grant, str]:
    """Give the grant that these terms would make at this moment, not kept, with its agent's name. Raises BadGrant, NotFound."""
    now = clock.now()
    check(terms, now)
    agent = Agent.objects.filter(pk=terms.agent_id, tenant_id=by.tenant).first() if terms.agent_id else None
    if terms.agent_id and agent is None:
        raise NotFound
    grant = Grant(
        id=uuid7(), tenant_id=by.tenant, operation=terms.operation, agent=agent, run_type=terms.run_type,
        target_pattern=terms.target_pattern, constraint=terms.constraint_text(), uses_most=terms.uses_most, amount_path=terms.amount_path,
        amount_most=terms.amount_most, rate_most=terms.rate_most, rate_seconds=terms.rate_seconds, starts_at=terms.starts_at or now,
        ends_at=terms.ends_at, owner_id=by.principal, purpose=terms.purpose.strip(), state=PROPOSED_GRANT, created_at=now,
        ledger_seq=0, ledger_hash=b"",
    )  # fmt: skip
    return grant, agent.name if agent else ""


def _propose(by: Actor, terms: Terms) -> dict[str, Any]:
    member = approver(by)
    grant, agent = drafted(by, terms)
    check_serves_another(grant, member)
    _, found, asked_all_the_same = stands_in_for(grant, agent)
    mine = word(by, member, found, grant.created_at)
    check_bounds(grant, found)
    check_words([mine], found)
    grant.groups = list(dict.fromkeys(group for each in found for group in each.ask.groups))
    grant.owner_as, grant.owner_proved_at = sorted(mine.said_as), mine.proved_at
    Grant.objects.bulk_create([grant])
    record.write(
        [(grant.pk, "grant.proposed", _facts(grant) | {"rules": [each.rule for each in found]})], by, grant.created_at
    )
    telling.grant_proposed(by, grant)
    ring_after_commit(grant.pk)
    return receipt("proposed", grant, at=instant(grant.created_at), asked_all_the_same=asked_all_the_same)


def _facts(grant: Grant) -> Object:
    told = (
        "operation", "run_type", "target_pattern", "constraint", "uses_most", "amount_path", "amount_most", "rate_most", "rate_seconds",
        "starts_at", "ends_at", "groups", "purpose", "owner_as", "owner_proved_at",
    )  # fmt: skip
    facts: Object = {name: plain(getattr(grant, name)) for name in told}
    return facts | {"agent": plain(grant.agent_id), "owner": plain(grant.owner_id)}
