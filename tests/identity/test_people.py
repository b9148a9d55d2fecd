"""People are added, changed, stopped and started again by an administrator, once for each form, and the last one stays."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client

from console.http.refusals import KeyReused, NotFound, Refusal
from console.identity import people
from console.identity.models import Member, User
from console.identity.office import NotAdministrator
from console.ledger.models import Refusal as KeptRefusal
from tests.cast import inside
from tests.record import kinds, told
from tests.shop import PASSWORD, Shop

ELLA = {"name": "Ella Brandt", "roles": ["approver"], "groups": ["finance", "hr"]}


def office(shop: Shop) -> str:
    """Give the stream of a tenant's administration."""
    return f"tenant:{shop.tenant.pk}"


def admit(shop: Shop, by: str = "dora", address: str = "ella@shop.example", **more: Any) -> tuple[dict[str, Any], str]:
    """Have somebody add a person."""
    return people.admit(shop.actor(by), address, **{**ELLA, "key": f"key-{uuid4()}", **more})


def change(shop: Shop, name: str, by: str = "dora", **terms: Any) -> dict[str, Any]:
    """Have somebody change a member."""
    given = {"roles": ["approver"], "groups": ["hr"], "key": f"key-{uuid4()}", **terms}
    return people.change(shop.actor(by), shop.members[name].pk, **given)


def stop(shop: Shop, name: str, by: str = "dora") -> dict[str, Any]:
    """Have somebody stop a member."""
    return people.stop(shop.actor(by), shop.members[name].pk, key=f"key-{uuid4()}")


def stored(shop: Shop, name: str) -> Member:
    """Read a member anew."""
    with inside():
        return Member.objects.get(pk=shop.members[name].pk)


def test_a_person_without_an_account_gets_one_and_a_first_password(shop: Shop) -> None:
    receipt, password = admit(shop)
    with inside():
        member = Member.objects.select_related("user").get(pk=receipt["member"])
    assert (member.roles, member.groups, member.active) == (["approver"], ["finance", "hr"], True)
    assert member.user.check_password(password)
    kind, says = told(office(shop))[-1]
    assert (kind, says["id"]) == ("member.added", receipt["member"])
    assert password not in str(says)
    assert "ella" not in str(says).lower()  # the record knows people by id


def test_a_person_with_an_account_keeps_it(shop: Shop, rival: Shop) -> None:
    receipt, password = admit(rival, address="ANN@shop.example", name="Somebody else")
    assert (receipt["new_account"], password) == (False, "")
    with inside():
        ann = Member.objects.select_related("user").get(pk=receipt["member"]).user
    assert (ann.pk, ann.name) == (shop.members["ann"].user_id, "Ann Okafor")
    assert ann.check_password(PASSWORD)


def test_a_first_password_that_was_never_changed_opens_no_other_tenant(shop: Shop, rival: Shop) -> None:
    """Whoever added the person was shown it, and could come in as them."""
    receipt, password = admit(shop)
    with pytest.raises(people.NotTheirOwn):
        admit(rival, address="Ella@Shop.example")
    with inside():
        assert not Member.objects.filter(user__email="ella@shop.example", tenant=rival.tenant).exists()
    ella = Client()
    ella.post("/accounts/login/", {"login": "ella@shop.example", "password": password})
    own = "a longer one, by her"
    ella.post("/accounts/password/", {"oldpassword": password, "password1": own, "password2": own})
    became, nothing = admit(rival, address="ella@shop.example")
    assert (became["new_account"], nothing) == (False, "")
    with inside():
        users = {Member.objects.get(pk=pk).user_id for pk in (receipt["member"], became["member"])}
    assert len(users) == 1


def test_a_form_that_is_sent_twice_adds_one_person_and_shows_no_password_again(shop: Shop) -> None:
    first, password = admit(shop, key="the-form")
    again, nothing = admit(shop, key="the-form")
    assert (again["member"], again["replayed"], nothing) == (first["member"], True, "")
    assert password
    assert kinds(office(shop)).count("member.added") == len(shop.members) + 1
    with pytest.raises(KeyReused):
        admit(shop, key="the-form", name="Another Ella")


def test_nobody_is_a_member_twice(shop: Shop) -> None:
    with pytest.raises(people.AlreadyMember):
        admit(shop, address="Amir@Shop.example")


@pytest.mark.parametrize("name", ["ann", "oscar", "ben"])
def test_only_an_administrator_administers(shop: Shop, name: str) -> None:
    before = kinds(office(shop))
    for act in (
        lambda: admit(shop, by=name),
        lambda: change(shop, "amir", by=name),
        lambda: change(shop, name, by=name, roles=["admin"]),
        lambda: stop(shop, "amir", by=name),
        lambda: people.start(shop.actor(name), shop.members["amir"].pk, key="k"),
    ):
        with pytest.raises(NotAdministrator):
            act()
    assert kinds(office(shop)) == before
    with inside():
        assert not User.objects.filter(email="ella@shop.example").exists()
        assert KeptRefusal.objects.filter(type="not_administrator", tenant_id=shop.tenant.pk).count() == 5


def test_who_administers_is_looked_up_when_it_matters(shop: Shop) -> None:
    dora = shop.actor("dora")  # the page she opened while she still could
    change(shop, "ann", roles=["admin"])
    people.stop(shop.actor("ann"), shop.members["dora"].pk, key="k")
    with pytest.raises(NotAdministrator):
        people.change(dora, shop.members["ann"].pk, roles=[], groups=[], key="k")


def test_the_last_administrator_stays(shop: Shop) -> None:
    with pytest.raises(people.LastAdministrator):
        stop(shop, "dora")
    with pytest.raises(people.LastAdministrator):
        change(shop, "dora", roles=["auditor"])
    change(shop, "ann", roles=["approver", "admin"], groups=["finance"])
    assert stop(shop, "dora")["receipt"] == "changed"
    with pytest.raises(people.LastAdministrator):
        stop(shop, "ann", by="ann")


def test_of_two_administrators_who_stop_each_other_at_once_one_stays(shop: Shop) -> None:
    change(shop, "ann", roles=["admin"], groups=[])
    gate = Barrier(2)

    def through(by: str, whom: str) -> str:
        gate.wait()
        try:
            return str(stop(shop, whom, by=by)["receipt"])
        except Refusal as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        became = [threads.submit(through, *pair) for pair in (("ann", "dora"), ("dora", "ann"))]
        answers = sorted(each.result() for each in became)
    assert answers == ["changed", "not_administrator"]
    assert sorted([stored(shop, "ann").active, stored(shop, "dora").active]) == [False, True]


def test_roles_and_groups_are_said_anew(shop: Shop) -> None:
    assert change(shop, "ann", roles=["admin", "approver", "approver"], groups=["hr", "hr"])["receipt"] == "changed"
    ann = stored(shop, "ann")
    assert (ann.roles, ann.groups) == (["approver", "admin"], ["hr"])
    assert told(office(shop))[-1][1]["roles"] == ["approver", "admin"]


def test_what_is_so_already_leaves_no_entry(shop: Shop) -> None:
    before = kinds(office(shop))
    assert change(shop, "ann", roles=["approver"], groups=["finance"])["receipt"] == "unchanged"
    assert people.start(shop.actor("dora"), shop.members["ann"].pk, key="k")["receipt"] == "unchanged"
    assert kinds(office(shop)) == before


def test_a_member_who_was_stopped_comes_back_with_roles_and_groups(shop: Shop) -> None:
    stop(shop, "ann")
    assert not stored(shop, "ann").active
    people.start(shop.actor("dora"), shop.members["ann"].pk, key="k")
    ann = stored(shop, "ann")
    assert (ann.active, ann.roles, ann.groups) == (True, ["approver"], ["finance"])


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"roles": ["owner"]}, "unknown_role"),
        ({"groups": ["Finance"]}, "bad_group"),
        ({"groups": ["a b"]}, "bad_group"),
        ({"groups": [f"g{number}" for number in range(51)]}, "bad_group"),
        ({"name": " "}, "bad_person"),
        ({"name": "x" * 121}, "bad_person"),
        ({"name": "Ella\nBrandt"}, "bad_person"),
        ({"address": "ella"}, "bad_person"),
        ({"address": "ella@" + "x" * 250 + ".example"}, "bad_person"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(shop: Shop, terms: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        admit(shop, **terms)
    assert refused.value.code == code
    assert kinds(office(shop)).count("member.added") == len(shop.members)


def test_nobody_changes_another_tenants_people(shop: Shop, rival: Shop) -> None:
    ann = shop.members["ann"].pk
    for act in (
        lambda: people.change(rival.actor("dora"), ann, roles=[], groups=[], key="k1"),
        lambda: people.stop(rival.actor("dora"), ann, key="k2"),
        lambda: people.stop(rival.actor("dora"), uuid4(), key="k3"),
    ):
        with pytest.raises(NotFound):
            act()
    assert stored(shop, "ann").active
