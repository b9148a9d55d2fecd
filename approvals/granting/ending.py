"""Ending a standing approval: revoked at once by whoever may, or over because its time is."""

from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet

from approvals import telling
from approvals.granting import record
from approvals.granting.holding import check_state, hold, receipt
from approvals.granting.people import NotToRevoke, may_revoke, speaker
from approvals.models import Grant, GrantUse
from approvals.states import ACTIVE, ENDED, GRANT_REVOKED, PROPOSED_GRANT, RESERVED
from console import clock
from console.clock import DatabaseNow, instant
from console.doorbell import ring_after_commit
from console.http.reasons import given
from console.ledger.actors import Actor
from console.ledger.moves import move, once

OPEN = frozenset({PROPOSED_GRANT, ACTIVE})
ITS_TIME = "out of time"
ALL_SPENT = "used up"


@move("revoke_grant")
def revoke(by: Actor, grant_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """End a grant at once: the next claim refuses what would go by it; what has begun goes on, and is still counted.

    Raises NotFound, GrantClosed, NotToRevoke, ReasonMissing, ReasonTooLong."""
    why = given(reason)
    asked = {"grant": str(grant_id), "reason": why}
    return once(by, key, "revoke_grant", asked, lambda: _revoke(by, grant_id, why), about=grant_id)


def _revoke(by: Actor, grant_id: UUID, reason: str) -> dict[str, Any]:
    grant = hold(by, grant_id)
    now = clock.now()
    member = speaker(by)
    if member is None or not may_revoke(member, grant):
        raise NotToRevoke
    check_state(grant, OPEN)
    grant.state, grant.ended_reason, grant.ended_by, grant.ended_at = GRANT_REVOKED, reason, member, now
    grant.save(update_fields=["state", "ended_reason", "ended_by", "ended_at"])
    record.write([(grant.pk, "grant.revoked", {"member": str(member.pk), "reason": reason})], by, now)
    telling.grant_ended(by, grant, "revoked", reason)
    ring_after_commit(grant.pk)
    return receipt("revoked", grant, at=instant(now), uses_taken=grant.uses_taken)


def end_due(by: Actor, limit: int) -> int:
    """End grants whose time is over, confirmed or not, and those of which every use is spent. What is held is still settled."""
    over = Grant.objects.filter(state__in=sorted(OPEN), ends_at__lte=DatabaseNow()).order_by("ends_at")
    held = GrantUse.objects.filter(grant=OuterRef("pk"), state=RESERVED)
    spent = Grant.objects.filter(~Exists(held), state=ACTIVE, uses_taken=F("uses_most")).order_by("ends_at")
    return _end(by, over, limit, ITS_TIME) + _end(by, spent, limit, ALL_SPENT)


def _end(by: Actor, due: "QuerySet[Grant]", limit: int, how: str) -> int:
    """End what is due; the condition is looked at again under the lock, and what somebody holds waits for the next pass."""
    ids = list(due.values_list("pk", flat=True)[:limit])
    held = list(due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True, of=("self",)))
    if not held:
        return 0
    now = clock.now()
    Grant.objects.filter(pk__in=[grant.pk for grant in held]).update(state=ENDED, ended_reason=how, ended_at=now)
    record.write([(grant.pk, "grant.ended", {"reason": how}) for grant in held], by, now)
    for grant in held:
        grant.state, grant.ended_reason, grant.ended_at = ENDED, how, now
        telling.grant_ended(by, grant, how, "")
    ring_after_commit(*[grant.pk for grant in held])
    return len(held)
