"""Who is asking through the API: the bearer of a key. The tenant comes from the key, never from the address."""

from datetime import timedelta
from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from console.clock import DatabaseNow
from console.identity.api_keys import PREFIX, digest_of
from console.identity.members import member_actor
from console.identity.models import ApiKey
from console.ledger.actors import Actor
from console.telemetry import context

USED_AGAIN = timedelta(minutes=1)


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer cf_…`. A token in the address is not looked at."""

    def authenticate(self, request: Request) -> tuple[Actor, ApiKey] | None:
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        by, key = bearer(header)
        context.bind(tenant=by.tenant_id, principal=by)
        return by, key

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="counterfoil"'


def bearer(header: str) -> tuple[Actor, ApiKey]:
    """Give the agent or the member whose key stands in an Authorization header. Raises AuthenticationFailed."""
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer" or not text.startswith(PREFIX):
        raise AuthenticationFailed("Send `Authorization: Bearer` with a key that begins with cf_.")
    found = (
        ApiKey.objects.filter(digest=digest_of(text.strip()))
        .annotate(now=DatabaseNow())
        .select_related("agent", "member__user")
        .first()
    )
    if found is None:
        raise AuthenticationFailed("This key is not known.")
    now = getattr(found, "now")  # noqa: B009 - an annotation
    _refuse_dead(found, now)
    if found.last_used_at is None or now - found.last_used_at > USED_AGAIN:
        _note_use(found)
    return holder_actor(found), found


def holder_actor(key: ApiKey) -> Actor:
    """Make the actor that a key stands for: its agent, or its member with the roles and groups of now. Raises TypeError."""
    if key.member is not None:
        return member_actor(key.member, via="api", scopes=frozenset(key.scopes))
    if key.agent is None:
        raise TypeError(f"{key} is nobody's")
    return Actor(
        kind="agent",
        id=key.agent_id,
        name=key.agent.name,
        tenant_id=key.tenant_id,
        via="api",
        scopes=frozenset(key.scopes),
    )


def _note_use(key: ApiKey) -> None:
    """Note that the key is in use, at most once a minute, so that reading costs no write each time; of many at once one notes it."""
    unnoted = ApiKey.objects.filter(pk=key.pk, last_used_at=key.last_used_at)
    unnoted.update(last_used_at=DatabaseNow())


def _refuse_dead(key: ApiKey, now: Any) -> None:
    if key.revoked_at is not None:
        raise AuthenticationFailed("This key was revoked.")
    if key.expires_at <= now:
        raise AuthenticationFailed("This key has expired.")
    if key.agent is not None and not key.agent.active:
        raise AuthenticationFailed("This agent is no longer active.")
    if key.member is not None and not (key.member.active and key.member.user.is_active):
        raise AuthenticationFailed("This member is no longer active.")
