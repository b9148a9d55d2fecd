"""Confirming a standing approval, which is the second word that it needs, or declining it."""

from typing import Any
from uuid import UUID

from approvals import telling
from approvals.deciding.refusals import NotEligible, SeparationOfDuties
from approvals.granting import record
from approvals.granting.holding import check_state, hold, receipt
from approvals.granting.people import approver, check_serves_another, word
from approvals.granting.rules import check_bounds, check_words, stands_in_for
from approvals.granting.words import words_of
from approvals.models import Grant
from approvals.states import ACTIVE, DECLINED, PROPOSED_GRANT
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.http.reasons import given
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.ledger.moves import move, once

WAITS = frozenset({PROPOSED_GRANT})


class GrantOver(Refusal):
    """The time of this standing approval is over."""

    code = "grant_over"


@move("confirm_grant")
def confirm(by: Actor, grant_id: UUID, *, key: str) -> dict[str, Any]:
    """Let a proposed grant stand, as somebody else whom its rules ask.

    Raises NotFound, GrantClosed, GrantOver, NotEligible, SeparationOfDuties, NothingToStandInFor, GrantTooWide, TooManyAsked, NotVouching,
    StepUpNeeded."""
    return once(by, key, "confirm_grant", {"grant": str(grant_id)}, lambda: _confirm(by, grant_id), about=grant_id)


@move("decline_grant")
def decline(by: Actor, grant_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Turn a proposed grant down. Raises NotFound, GrantClosed, NotEligible, SeparationOfDuties, ReasonMissing, ReasonTooLong."""
    why = given(reason)
    asked = {"grant": str(grant_id), "reason": why}
    return once(by, key, "decline_grant", asked, lambda: _decline(by, grant_id, why), about=grant_id)


def _confirm(by: Actor, grant_id: UUID) -> dict[str, Any]:
    grant = hold(by, grant_id)
    now = clock.now()
    member = approver(by)
    check_state(grant, WAITS)
    if member.pk == grant.owner_id:
        raise SeparationOfDuties("Somebody else confirms what you proposed.")
    if now >= grant.ends_at:
        raise GrantOver(ends_at=instant(grant.ends_at), state=grant.state, version=grant.ledger_seq)
    check_serves_another(grant, member)
    _, found, _ = stands_in_for(grant, grant.agent.name if grant.agent else "")
    mine = word(by, member, found, now)
    check_bounds(grant, found)
    check_words([*words_of(grant), mine], found)
    grant.state, grant.confirmed_by_id, grant.confirmed_at = ACTIVE, member.pk, now
    grant.confirmed_as, grant.confirmed_proved_at = sorted(mine.said_as), mine.proved_at
    grant.save(update_fields=["state", "confirmed_by", "confirmed_at", "confirmed_as", "confirmed_proved_at"])
    facts = {"member": str(member.pk), "said_as": list(grant.confirmed_as), "proved_at": plain(mine.proved_at)}
    record.write([(grant.pk, "grant.confirmed", facts | {"rules": [each.rule for each in found]})], by, now)
    telling.grant_confirmed(by, grant)
    ring_after_commit(grant.pk)
    return receipt("confirmed", grant, at=instant(now))


def _decline(by: Actor, grant_id: UUID, reason: str) -> dict[str, Any]:
    grant = hold(by, grant_id)
    now = clock.now()
    member = approver(by)
    check_state(grant, WAITS)
    if member.pk == grant.owner_id:
        raise SeparationOfDuties("What you proposed you take back, and do not decline.")
    if not set(member.groups) & set(grant.groups):
        raise NotEligible(groups=list(grant.groups))
    _end(grant, member.pk, reason, now)
    record.write([(grant.pk, "grant.declined", {"member": str(member.pk), "reason": reason})], by, now)
    telling.grant_ended(by, grant, "declined", reason)
    ring_after_commit(grant.pk)
    return receipt("declined", grant, at=instant(now))


def _end(grant: Grant, member_id: UUID, reason: str, now: Any) -> None:
    grant.state, grant.ended_reason, grant.ended_by_id, grant.ended_at = DECLINED, reason, member_id, now
    grant.save(update_fields=["state", "ended_reason", "ended_by", "ended_at"])
