"""A member's keys are for recovery only: made by that person, alive while they belong here, ended by them or an administrator."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg.errors import CheckViolation
from rest_framework.exceptions import AuthenticationFailed

from console import clock
from console.database import crossing_tenants
from console.http.refusals import NotFound
from console.identity import administration, agents, api_keys, own_keys
from console.identity.api_keys import BadTerms, NotItsScope
from console.identity.authentication import bearer
from console.identity.models import ApiKey, User
from console.identity.office import NotAdministrator, hold
from console.identity.office import told as told_as
from console.identity.step_up import StepUpNeeded
from console.ledger import chains
from runs.administration_trail import trail
from tests import clock as database_clock
from tests.cast import inside
from tests.record import findings, told
from tests.shop import Shop
from tests.superuser import hand


def issue(
    shop: Shop, by: str = "oscar", name: str = "the queue on the wall", **more: Any
) -> tuple[dict[str, Any], str]:
    """Have somebody make a key for themselves."""
    terms = {"days": 30, "scopes": ["recovery:write", "recovery:read"], "key": f"key-{uuid4()}", **more}
    return own_keys.issue(shop.proven(by), name, **terms)


def revoke(shop: Shop, by: str, of: str, key_id: str) -> dict[str, Any]:
    """Have somebody end a member's key."""
    return own_keys.revoke(shop.actor(by), shop.members[of].pk, UUID(key_id), key=f"key-{uuid4()}")


def test_a_key_is_made_by_somebody_who_has_just_proven_who_they_are(shop: Shop) -> None:
    proven = shop.proven("oscar")
    terms: dict[str, Any] = {"days": 30, "scopes": ["approvals:decide"]}
    with pytest.raises(StepUpNeeded) as refused:
        own_keys.issue(shop.actor("oscar"), "a tool", **terms, key="k1")
    assert refused.value.facts["within_seconds"] == 300
    with database_clock.at(301), pytest.raises(StepUpNeeded):
        own_keys.issue(proven, "a tool", **terms, key="k2")
    assert own_keys.issue(proven, "a tool", **terms, key="k3")[1]


def test_a_members_key_stands_for_the_member_as_they_are_now(shop: Shop) -> None:
    _, text = issue(shop)
    by, key = bearer(f"Bearer {text}")
    assert (by.kind, by.id, by.tenant_id, by.via) == ("member", shop.members["oscar"].pk, shop.tenant.pk, "api")
    assert by.scopes == {"recovery:read", "recovery:write"}
    assert by.roles == {"operator"}
    assert (key.name, key.agent_id, key.expires_at - key.created_at) == (
        "the queue on the wall",
        None,
        timedelta(days=30),
    )
    shop.change("oscar", roles=["auditor"])
    assert bearer(f"Bearer {text}")[0].roles == {"auditor"}


def test_the_keys_of_a_member_who_was_stopped_let_nobody_in(shop: Shop) -> None:
    _, text = issue(shop)
    shop.change("oscar", active=False)
    with pytest.raises(AuthenticationFailed, match="member is no longer active"):
        bearer(f"Bearer {text}")
    with pytest.raises(own_keys.NotAMember):
        issue(shop)
    shop.change("oscar", active=True)
    assert bearer(f"Bearer {text}")[0].id == shop.members["oscar"].pk


def test_the_keys_of_somebody_whose_account_is_closed_let_nobody_in(shop: Shop) -> None:
    _, text = issue(shop)
    with inside():
        User.objects.filter(pk=shop.members["oscar"].user_id).update(is_active=False)
    with pytest.raises(AuthenticationFailed, match="member is no longer active"):
        bearer(f"Bearer {text}")


def test_a_key_is_revoked_by_its_member_or_an_administrator_and_by_nobody_else(shop: Shop, rival: Shop) -> None:
    for by in ("oscar", "dora"):
        receipt, text = issue(shop)
        for stranger in ("ann", "ben"):
            with pytest.raises(NotAdministrator):
                revoke(shop, stranger, "oscar", receipt["api_key"])
        with pytest.raises(NotFound):  # somebody else's key by one's own name
            revoke(shop, "ann", "ann", receipt["api_key"])
        with pytest.raises(NotFound):
            own_keys.revoke(rival.actor("dora"), shop.members["oscar"].pk, UUID(receipt["api_key"]), key="k")
        assert bearer(f"Bearer {text}")
        assert revoke(shop, by, "oscar", receipt["api_key"])["receipt"] == "revoked"
        assert revoke(shop, by, "oscar", receipt["api_key"])["receipt"] == "unchanged"
        with pytest.raises(AuthenticationFailed, match="revoked"):
            bearer(f"Bearer {text}")
    assert findings() == []


def test_a_members_key_is_not_revoked_as_an_agents(shop: Shop) -> None:
    receipt, text = issue(shop)
    with pytest.raises(NotFound):
        agents.revoke(shop.actor("dora"), shop.agent.pk, UUID(receipt["api_key"]), key="k")
    assert bearer(f"Bearer {text}")


@pytest.mark.parametrize("terms", [{"days": 0}, {"days": 367}, {"scopes": []}, {"scopes": ["recovery:read", "all"]}])
def test_a_key_has_an_end_and_a_scope(shop: Shop, terms: dict[str, Any]) -> None:
    with pytest.raises(BadTerms):
        issue(shop, **terms)


@pytest.mark.parametrize("scope", ["runs:read", "runs:write"])
def test_a_members_key_has_no_scope_of_an_agents(shop: Shop, scope: str) -> None:
    with pytest.raises(NotItsScope, match=f"The scope {scope} is not for the key of a member"):
        issue(shop, scopes=["recovery:read", scope])
    with pytest.raises(NotItsScope), crossing_tenants():
        administration.issue_members_key(
            shop.office, shop.members["oscar"], "x", lasts=timedelta(days=1), scopes=[scope]
        )


@pytest.mark.parametrize("name", ["", "   ", "x" * 64, "two\nlines", "\x07"])
def test_a_key_is_named_after_what_uses_it(shop: Shop, name: str) -> None:
    with pytest.raises(own_keys.BadKeyName):
        issue(shop, name=name)


def test_nobody_makes_a_key_for_somebody_else(shop: Shop) -> None:
    for actor in (shop.bot, shop.office):
        with pytest.raises(own_keys.NotAMember):
            own_keys.issue(actor, "x", days=1, scopes=["recovery:read"], key=f"k-{uuid4()}")


def test_the_text_of_a_key_is_given_once_and_kept_nowhere(shop: Shop) -> None:
    receipt, text = issue(shop, key="the-form")
    again, nothing = issue(shop, key="the-form")
    assert (again["api_key"], again["replayed"], nothing) == (receipt["api_key"], True, "")
    with inside():
        assert ApiKey.objects.filter(member=shop.members["oscar"]).count() == 1
    assert text
    assert text not in str(told(f"tenant:{shop.tenant.pk}"))


def test_the_record_tells_of_a_members_keys(shop: Shop) -> None:
    receipt, text = issue(shop)
    revoke(shop, "dora", "oscar", receipt["api_key"])
    kind, facts = told(f"tenant:{shop.tenant.pk}")[-2]
    assert kind == "key.issued"
    assert (facts["member_id"], facts["agent_id"], facts["name"]) == (
        str(shop.members["oscar"].pk), None, "the queue on the wall",
    )  # fmt: skip
    with inside():
        steps = trail(shop.tenant.pk, {receipt["api_key"]: text[:10]})
    assert [step.sentence for step in steps] == [
        f"Revoked the key {text[:10]}….",
        f"Issued the key {text[:10]}…, for recovery:read and recovery:write.",
    ]
    assert findings() == []


def test_verification_names_a_key_that_was_given_to_somebody_else(shop: Shop) -> None:
    shop.verified = False
    receipt, _ = issue(shop)
    hand().execute(
        "update identity_apikey set member_id = %s where id = %s", [shop.members["ann"].pk, receipt["api_key"]]
    )
    assert [finding.where for finding in findings()] == [f"key {receipt['api_key']} member_id"]


def test_the_facts_of_0_1_0_tell_of_keys_without_member_and_name(shop: Shop) -> None:
    old = [column for column in ApiKey.recorded if column not in {"member_id", "name"}]
    with inside(shop.tenant.pk):
        tenant = hold(shop.tenant.pk)
        key, _ = api_keys.mint(shop.agent, clock.now() + timedelta(days=1), ["runs:read"])
        key.created_at = clock.now()
        key.save(force_insert=True)
        chains.append(tenant, tenant.pk, [("key.issued", told_as(key, tuple(old)))], shop.office, clock.now())
    assert findings() == []


@pytest.mark.parametrize(
    "change",
    ["agent_id = null", "member_id = (select id from identity_member limit 1)", "scopes = '{recovery:read}'"],
)
def test_the_row_itself_has_one_holder_and_that_ones_scopes(shop: Shop, change: str) -> None:
    with crossing_tenants():
        key, _ = administration.issue_key(shop.office, shop.agent, lasts=timedelta(days=1), scopes=["runs:read"])
    with pytest.raises(CheckViolation, match="identity_key_has_"):
        hand().execute(f"update identity_apikey set {change} where id = %s".encode(), [key.pk])
