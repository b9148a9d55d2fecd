"""A key of an agent or a member: minted, shown once, kept as a digest, found again; issued and revoked in the record of the tenant."""

import hashlib
import secrets
from datetime import datetime, timedelta

from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.http.refusals import InvalidContent
from console.identity import scopes as known
from console.identity.models import Agent, ApiKey, Member, Tenant
from console.identity.office import told
from console.ledger import chains
from console.ledger.actors import Actor

PREFIX = "cf_"
LONGEST_DAYS = 366


class BadTerms(InvalidContent):
    """A key lasts from 1 to 366 days, and has one or more of the scopes that its holder's keys can have."""

    code = "bad_terms"


class NotItsScope(InvalidContent):
    """That scope is not for such a key: an agent's reads and drives runs, a member's recovers and decides."""

    code = "not_its_scope"


def checked(whose: str, days: int, scopes: list[str]) -> list[str]:
    """Give the scopes of an agent's or a member's key in their own order. Raises BadTerms, NotItsScope."""
    check_scopes(whose, scopes)
    if not 1 <= days <= LONGEST_DAYS or not scopes or set(scopes) - set(known.OF[whose]):
        raise BadTerms
    return [scope for scope in known.OF[whose] if scope in scopes]


def check_scopes(whose: str, scopes: list[str]) -> None:
    """Refuse a member's scope for an agent's key, and the reverse. Raises NotItsScope."""
    others = {scope for holder, theirs in known.OF.items() if holder != whose for scope in theirs}
    strange = next((scope for scope in scopes if scope in others), None)
    if strange is not None:
        own = " and ".join(known.OF[whose])
        raise NotItsScope(f"The scope {strange} is not for the key of {_A[whose]}, which has {own}.", scope=strange)


def mint(holder: Agent | Member, expires_at: datetime, scopes: list[str], name: str = "") -> tuple[ApiKey, str]:
    """Make a key for an agent or a member; the text is given here and never again. Raises NotItsScope."""
    agent, member = (holder, None) if isinstance(holder, Agent) else (None, holder)
    check_scopes("agent" if agent else "member", scopes)
    text = PREFIX + secrets.token_urlsafe(32)
    key = ApiKey(
        id=uuid7(), tenant_id=holder.tenant_id, agent=agent, member=member, name=name, prefix=text[:10], digest=digest_of(text),
        scopes=scopes, expires_at=expires_at,
    )  # fmt: skip
    return key, text


def minted(
    by: Actor, tenant: Tenant, holder: Agent | Member, lasts: timedelta, scopes: list[str], name: str = ""
) -> tuple[ApiKey, str]:
    """Write a new key into the tenant that is held, and give its text. Raises NotItsScope."""
    now = clock.now()
    key, text = mint(holder, now + lasts, scopes, name)
    key.created_at = now
    key.save(force_insert=True)
    chains.append(tenant, tenant.pk, [("key.issued", told(key, ApiKey.recorded))], by, now)
    return key, text


def revoked(by: Actor, tenant: Tenant, key: ApiKey) -> ApiKey:
    """Write into the tenant that is held that a key is revoked, unless it is already; the key's row is locked."""
    if key.revoked_at is None:
        key.revoked_at = now = clock.now()
        key.save(update_fields=["revoked_at"])
        facts = {"id": str(key.pk), "revoked_at": instant(now)}
        chains.append(tenant, tenant.pk, [("key.revoked", facts)], by, now)
    return key


def digest_of(text: str) -> bytes:
    """Give the digest under which a key is kept."""
    return hashlib.sha256(text.encode()).digest()


_A = {"agent": "an agent", "member": "a member"}
