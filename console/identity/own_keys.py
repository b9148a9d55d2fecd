"""A member's own keys, for tools of recovery: made by that person alone, ended by that person or an administrator."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.http.refusals import Forbidden, InvalidContent, NotFound
from console.identity import api_keys
from console.identity.models import ApiKey, Member, Tenant
from console.identity.office import check_administers, hold
from console.identity.step_up import RECENT_SECONDS, check_stepped_up
from console.ledger.actors import Actor
from console.ledger.moves import move, once

LONGEST_NAME = 63


class NotAMember(Forbidden):
    """A key of one's own is made by a member who belongs here still."""

    code = "not_a_member"


class BadKeyName(InvalidContent):
    """A key has a name of 1 to 63 characters, which says what it is used by."""

    code = "bad_key_name"


@move("issue own key")
def issue(by: Actor, name: str, *, days: int, scopes: list[str], key: str) -> tuple[dict[str, Any], str]:
    """Issue a key for whoever asks; its text is given here and never again: sent a second time, the receipt comes without it.

    Whoever sits down at an open browser makes none: it takes a fresh proof of who asks.

    Raises NotAMember, BadKeyName, BadTerms, NotItsScope, StepUpNeeded."""
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadKeyName
    scopes = api_keys.checked("member", days, scopes)
    given: list[str] = []

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        member = _themselves(by, tenant)
        check_stepped_up(by, RECENT_SECONDS, clock.now())
        issued, text = api_keys.minted(by, tenant, member, timedelta(days=days), scopes, name)
        given.append(text)
        return {
            "receipt": "issued",
            "member": str(member.pk),
            "api_key": str(issued.pk),
            "at": instant(issued.created_at),
        }

    asked = {"name": name, "days": days, "scopes": scopes}
    return once(by, key, "issue own key", asked, act), "".join(given)


@move("revoke member's key")
def revoke(by: Actor, member_id: UUID, api_key_id: UUID, *, key: str) -> dict[str, Any]:
    """Revoke a member's key at once, as that member or as an administrator. Raises NotAdministrator, NotFound."""

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        if by.kind != "member" or by.id != member_id:
            check_administers(by)
        keys = ApiKey.objects.select_for_update(no_key=True)
        found = keys.filter(pk=api_key_id, tenant=tenant, member_id=member_id).first()
        if found is None:
            raise NotFound
        receipt = {"member": str(member_id), "api_key": str(api_key_id), "at": instant(clock.now())}
        if found.revoked_at is not None:
            return {"receipt": "unchanged", **receipt}
        api_keys.revoked(by, tenant, found)
        return {"receipt": "revoked", **receipt}

    return once(by, key, "revoke member's key", {"member": str(member_id), "api_key": str(api_key_id)}, act)


def _themselves(by: Actor, tenant: Tenant) -> Member:
    """Give the member that the actor is, as it stands now. Raises NotAMember."""
    found = Member.objects.filter(pk=by.principal, tenant=tenant, active=True).first() if by.kind == "member" else None
    if found is None:
        raise NotAMember
    return found
