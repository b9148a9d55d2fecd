"""Tenants, people, agents and keys: each change is a move of the tenant's own record, and no change of another's."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db.utils import IntegrityError

from console.database import crossing_tenants
from console.http.refusals import NotFound
from console.identity import administration
from console.identity.api_keys import PREFIX, digest_of
from console.identity.models import ApiKey, Member, Tenant, User
from console.ledger.actors import Actor, system
from tests import clock
from tests.cast import inside
from tests.record import findings, kinds, told
from tests.shop import Shop

WEEK = timedelta(days=7)


def office(shop: Shop) -> str:
    """Give the stream of a tenant's administration."""
    return f"tenant:{shop.tenant.pk}"


def issue(shop: Shop, **more: Any) -> tuple[ApiKey, str]:
    """Issue a key for the shop's agent."""
    with crossing_tenants():
        return administration.issue_key(shop.office, shop.agent, **{"lasts": WEEK, "scopes": ["runs:read"], **more})


def test_a_tenant_begins_its_own_record(db: None, one_role: None) -> None:
    with crossing_tenants():
        opened = administration.open_tenant(system("test"), "corner", "The corner shop")
    assert told(opened.stream()) == [("tenant.opened", {"slug": "corner", "name": "The corner shop"})]
    assert findings() == []


def test_each_change_is_told_with_all_that_is_recorded(shop: Shop) -> None:
    shop.change("ann", roles=["approver", "operator"], groups=["finance", "hr"])
    kind, says = told(office(shop))[-1]
    assert kind == "member.changed"
    assert {name: says[name] for name in ("id", "roles", "groups", "active")} == {
        "id": str(shop.members["ann"].pk), "roles": ["approver", "operator"], "groups": ["finance", "hr"], "active": True,
    }  # fmt: skip
    assert set(says) == {"id", *Member.recorded}


def test_a_person_is_a_member_of_a_tenant_once(shop: Shop) -> None:
    before = kinds(office(shop))
    with pytest.raises(IntegrityError), crossing_tenants():
        administration.add_member(shop.office, shop.members["ann"].user, ["admin"], [])
    assert kinds(office(shop)) == before


def test_an_agents_name_is_its_own_within_the_tenant(shop: Shop, rival: Shop) -> None:
    with pytest.raises(IntegrityError), crossing_tenants():
        administration.add_agent(shop.office, shop.agent.name, shop.members["ann"])
    assert rival.agent.name == shop.agent.name


def test_an_address_is_one_person_whatever_its_case(shop: Shop) -> None:
    with pytest.raises(IntegrityError), inside():
        User.objects.create_user("ANN@shop.example", "x", name="Another Ann")
    with inside():
        assert User.objects.get_by_natural_key("Ann@Shop.Example").pk == shop.members["ann"].user.pk


def test_nobody_changes_another_tenants_people_or_keys(shop: Shop, rival: Shop) -> None:
    key, _ = issue(shop)
    ann = shop.members["ann"]
    with crossing_tenants():
        for act in (
            lambda: administration.change_member(rival.office, ann.pk, roles=[], groups=[], active=False),
            lambda: administration.revoke_key(rival.office, key.pk),
            lambda: administration.change_member(rival.office, uuid4(), roles=[], groups=[], active=False),
        ):
            with pytest.raises(NotFound):
                act()
    with inside():
        assert Member.objects.get(pk=ann.pk).active
        assert ApiKey.objects.get(pk=key.pk).revoked_at is None


def test_nothing_is_administered_in_a_tenant_that_is_not_there(db: None, one_role: None) -> None:
    with pytest.raises(NotFound), crossing_tenants():
        administration.add_agent(Actor("system", None, "test", uuid4(), "test"), "bot", Member(pk=uuid4()))


# Keys


def test_a_key_is_shown_once_and_kept_as_a_digest(shop: Shop) -> None:
    key, text = issue(shop)
    assert text.startswith(PREFIX)
    assert len(text) > 40
    with inside():
        stored = ApiKey.objects.get(pk=key.pk)
    assert (stored.digest, stored.prefix) == (digest_of(text), text[:10])
    assert text not in str(vars(stored))
    assert text not in str(told(office(shop)))


def test_no_two_keys_are_alike(shop: Shop) -> None:
    assert len({issue(shop)[1] for _ in range(10)}) == 10


def test_a_key_lasts_as_long_as_was_said_by_the_databases_clock(shop: Shop) -> None:
    with clock.at(clock.DAY):
        key, _ = issue(shop)
    assert key.expires_at - key.created_at == WEEK


def test_a_key_is_revoked_at_once_and_once(shop: Shop) -> None:
    key, _ = issue(shop)
    with crossing_tenants():
        first = administration.revoke_key(shop.office, key.pk)
        again = administration.revoke_key(shop.office, key.pk)
    assert first.revoked_at is not None
    assert again.revoked_at == first.revoked_at
    assert kinds(office(shop)).count("key.revoked") == 1


def test_a_tenants_row_carries_the_head_of_its_record(shop: Shop) -> None:
    issue(shop)
    with inside():
        tenant = Tenant.objects.get(pk=shop.tenant.pk)
    assert tenant.ledger_seq == len(kinds(office(shop)))
