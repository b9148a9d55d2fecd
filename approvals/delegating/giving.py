"""Handing one's decisions over, and taking them back: moves on the tenant's stream."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import telling
from approvals.models import Delegation
from console import clock
from console.clock import instant
from console.http.refusals import Forbidden, InvalidContent, NotFound, ReasonTooLong, Refusal
from console.identity.models import Member
from console.identity.office import check_administers, hold, told
from console.identity.step_up import RECENT_SECONDS, check_stepped_up
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.moves import move, once

LONGEST_DAYS = 90
LONGEST_REASON = 2000
MOST_OPERATIONS = 50
MOST = 20  # that one member has given at a time, and as many that one member was given
OPERATION = re.compile(r"[a-z][a-z0-9_-]{0,62}")


class NotYoursToGive(Forbidden):
    """You can let others decide only for groups of your own; what was handed to you goes no further."""

    code = "not_yours_to_give"


class NotATaker(InvalidContent):
    """Only another active approver of this tenant can decide in your place."""

    code = "not_a_taker"


class BadDelegation(InvalidContent):
    """It says for which operations, by their names, and lasts until a time to come, at most 90 days from now."""

    code = "bad_delegation"


class DelegationReasonMissing(InvalidContent):
    """Say why somebody else decides; it is kept with every decision made so."""

    code = "reason_missing"


class TooManyDelegations(Refusal):
    """At most 20 are given, and at most 20 taken, by one person at a time."""

    code = "too_many_delegations"


@dataclass(frozen=True, slots=True)
class Terms:
    """For which operations and groups (none: all), from when (None: now) until when, and why."""

    operations: tuple[str, ...]
    groups: tuple[str, ...]
    starts_at: datetime | None
    ends_at: datetime
    reason: str

    def checked(self) -> "Terms":
        """Give them in order, each name once. Raises BadDelegation, DelegationReasonMissing, ReasonTooLong."""
        operations, groups = (tuple(sorted(set(names))) for names in (self.operations, self.groups))
        if len(operations) > MOST_OPERATIONS or not all(OPERATION.fullmatch(name) for name in operations):
            raise BadDelegation(path="/operations")
        if not self.reason.strip():
            raise DelegationReasonMissing(path="/reason")
        if len(self.reason) > LONGEST_REASON:
            raise ReasonTooLong(path="/reason")
        return Terms(operations, groups, self.starts_at, self.ends_at, self.reason.strip())


@move("delegate")
def give(by: Actor, taker_id: UUID, terms: Terms, *, key: str) -> dict[str, Any]:
    """Let another approver decide in one's place; nobody hands on what was handed to them.

    A key, which may lie in a file, hands nothing over without a fresh proof of whose it is. Raises NotYoursToGive, NotATaker,
    BadDelegation, DelegationReasonMissing, ReasonTooLong, TooManyDelegations, StepUpNeeded."""
    terms = terms.checked()
    asked = {
        "taker": str(taker_id), "operations": list(terms.operations), "groups": list(terms.groups),
        "starts_at": instant(terms.starts_at) if terms.starts_at else None, "ends_at": instant(terms.ends_at), "reason": terms.reason,
    }  # fmt: skip
    return once(by, key, "delegate", asked, lambda: _given(by, taker_id, terms))


@move("take back")
def revoke(by: Actor, delegation_id: UUID, *, key: str) -> dict[str, Any]:
    """End a delegation at once, as its giver or as an administrator. Raises NotFound, NotAdministrator."""

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        locked = Delegation.objects.select_for_update(of=["self"], no_key=True)
        named = locked.select_related("giver__user", "taker__user")
        found = named.filter(pk=delegation_id, tenant_id=tenant.pk).first()
        if found is None:
            raise NotFound
        if by.kind != "member" or by.id != found.giver_id:
            check_administers(by)
        now = clock.now()
        receipt = {"delegation": str(found.pk), "at": instant(now)}
        if found.revoked_at is not None or found.ends_at <= now:
            return {"receipt": "unchanged", **receipt}
        found.revoked_at = now
        found.save(update_fields=["revoked_at"])
        facts = {"id": str(found.pk), "revoked_at": instant(now)}
        chains.append(tenant, tenant.pk, [("delegation.revoked", facts)], by, now)
        telling.delegation_revoked(by, found)
        return {"receipt": "revoked", **receipt}

    return once(by, key, "take back", {"delegation": str(delegation_id)}, act)


def _given(by: Actor, taker_id: UUID, terms: Terms) -> dict[str, Any]:
    tenant = hold(by.tenant)
    now = clock.now()
    starts_at = max(terms.starts_at or now, now)
    if not starts_at < terms.ends_at <= now + timedelta(days=LONGEST_DAYS):
        raise BadDelegation(path="/ends_at")
    giver = _approver(by.principal, tenant.pk) if by.kind == "member" else None
    if giver is None or not giver.groups or not set(terms.groups) <= set(giver.groups):
        raise NotYoursToGive(groups=giver.groups if giver else [])
    if by.via == "api":
        check_stepped_up(by, RECENT_SECONDS, now)
    taker = _approver(taker_id, tenant.pk)
    if taker is None or taker.pk == giver.pk:
        raise NotATaker(path="/taker")
    _check_few(giver, taker, now)
    delegation = Delegation(
        id=uuid7(), tenant_id=tenant.pk, giver=giver, taker=taker, operations=list(terms.operations), groups=list(terms.groups),
        reason=terms.reason, starts_at=starts_at, ends_at=terms.ends_at, created_at=now,
    )  # fmt: skip
    delegation.save(force_insert=True)
    chains.append(tenant, tenant.pk, [("delegation.given", told(delegation, Delegation.recorded))], by, now)
    telling.delegation_given(by, delegation)
    return {"receipt": "delegated", "delegation": str(delegation.pk), "at": instant(now)}


def _approver(member_id: UUID, tenant_id: UUID) -> Member | None:
    found = Member.objects.filter(pk=member_id, tenant_id=tenant_id, active=True, user__is_active=True)
    return found.filter(roles__contains=["approver"]).first()


def _check_few(giver: Member, taker: Member, now: datetime) -> None:
    standing = Delegation.objects.filter(revoked_at=None, ends_at__gt=now)
    if standing.filter(giver=giver).count() >= MOST or standing.filter(taker=taker).count() >= MOST:
        raise TooManyDelegations
