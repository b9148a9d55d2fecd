"""Who bears a key: the agent that it was issued to, in its own tenant, for as long as the key is alive."""

from datetime import datetime, timedelta

import pytest
from rest_framework.exceptions import AuthenticationFailed

from console.database import crossing_tenants
from console.identity import administration
from console.identity.authentication import bearer
from console.identity.models import ApiKey
from tests import clock
from tests.cast import inside
from tests.shop import Shop


@pytest.fixture
def text(shop: Shop) -> str:
    """The text of a key that lasts an hour."""
    with crossing_tenants():
        _, issued = administration.issue_key(
            shop.office, shop.agent, lasts=timedelta(hours=1), scopes=["runs:read", "runs:write"]
        )
    return issued


def test_a_key_stands_for_its_agent_its_tenant_and_its_scopes(shop: Shop, rival: Shop, text: str) -> None:
    by, _ = bearer(f"Bearer {text}")
    assert (by.kind, by.id, by.tenant_id, by.via) == ("agent", shop.agent.pk, shop.tenant.pk, "api")
    assert by.scopes == {"runs:read", "runs:write"}
    assert by.roles == by.groups == frozenset()


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer"])
def test_the_schemes_case_does_not_matter(text: str, scheme: str) -> None:
    assert bearer(f"{scheme} {text}")[0].kind == "agent"


@pytest.mark.parametrize(
    "spoil", ["{}x", "Bearer", "Bearer ", "Bearer {}x", "Basic {}", "{}", "Bearer cf_", "Bearer sk_{}"]
)
def test_what_is_no_key_lets_nobody_in(text: str, spoil: str) -> None:
    with pytest.raises(AuthenticationFailed):
        bearer(spoil.format(text))


def test_a_key_dies_at_its_hour_by_the_databases_clock(text: str) -> None:
    with clock.at(3590):
        bearer(f"Bearer {text}")
    with clock.at(3600), pytest.raises(AuthenticationFailed, match="expired"):
        bearer(f"Bearer {text}")


def test_a_revoked_key_lets_nobody_in(shop: Shop, text: str) -> None:
    _, key = bearer(f"Bearer {text}")
    with crossing_tenants():
        administration.revoke_key(shop.office, key.pk)
    with pytest.raises(AuthenticationFailed, match="revoked"):
        bearer(f"Bearer {text}")


def test_when_a_key_was_used_last_is_noted_at_most_once_a_minute(shop: Shop, text: str) -> None:
    def used() -> datetime | None:
        with inside():
            return ApiKey.objects.get(agent=shop.agent).last_used_at

    assert used() is None
    bearer(f"Bearer {text}")
    first = used()
    assert first is not None
    with clock.at(30):
        bearer(f"Bearer {text}")
    assert used() == first
    with clock.at(90):
        bearer(f"Bearer {text}")
    later = used()
    assert later is not None
    assert later - first > timedelta(seconds=60)
