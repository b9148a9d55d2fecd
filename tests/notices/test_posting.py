"""A notice is made once, with a copy for whoever belongs to its audience now and a delivery for each way out."""

import threading
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, ProgrammingError

from console import clock
from console.database import rows, transaction
from console.http.refusals import NotFound
from console.notices import endpoints, posting, switching
from console.notices.audience import owners
from console.notices.models import Copy, Delivery, Notice
from tests.cast import inside
from tests.shop import Shop


@pytest.fixture(autouse=True)
def _with_mail(settings: Any) -> None:
    settings.EMAIL_IS_SENT = True


def post(shop: Shop, key: str = "k", **audience: Any) -> Notice | None:
    """Post a notice, to operators unless told otherwise."""
    said: dict[str, Any] = {
        "about": None,
        "title": "Unknown for too long",
        "text": "Find out what became of it.",
        "path": "/unknown",
    }
    with inside(shop.tenant.pk):
        return posting.post(
            shop.tenant.pk, "effect.overdue", key=key, **said, **(audience or {"to_roles": ["operator"]})
        )


def told(shop: Shop) -> list[str]:
    """Name whoever has a copy."""
    with inside():
        found = (
            Copy.objects.filter(tenant_id=shop.tenant.pk).select_related("member__user").order_by("member__user__name")
        )
        return [copy.member.user.name for copy in found]


def ways(shop: Shop) -> list[tuple[str, str]]:
    """Give the deliveries: channel and receiver."""
    with inside():
        found = Delivery.objects.filter(tenant_id=shop.tenant.pk).select_related("member__user", "endpoint")
        return sorted((each.channel, each.member.user.name if each.member else str(each.endpoint)) for each in found)


def endpoint(shop: Shop, url: str = "https://hooks.example/in", kinds: list[str] | None = None) -> UUID:
    """Add an endpoint and give its id."""
    receipt, _ = endpoints.add(shop.actor("dora"), url, kinds=kinds or [], key=f"add {url}")
    return UUID(receipt["endpoint"])


def test_it_reaches_the_roles_groups_and_members_that_are_active_now(shop: Shop) -> None:
    shop.change("amir", active=False)
    post(shop, to_roles=["admin"], to_groups=["finance"], to_members=[shop.members["oscar"].pk])
    assert told(shop) == ["Ann Okafor", "Ben Osei", "Dora Lindqvist", "Oscar Wren"]
    with inside():
        assert Notice.objects.get().audience == "Oscar Wren, admins, finance"


def test_an_owner_is_a_role_in_the_plural_or_a_group() -> None:
    assert owners("operators") == (("operator",), ("operators",))
    assert owners("finance") == ((), ("finance",))


def test_what_would_reach_nobody_reaches_the_administrators(shop: Shop) -> None:
    post(shop, to_groups=["treasury"])
    assert told(shop) == ["Dora Lindqvist"]
    with inside():
        assert Notice.objects.get().audience == "administrators, for nobody is in treasury"


def test_it_is_made_once_for_a_key(shop: Shop, rival: Shop) -> None:
    assert post(shop) is not None
    assert post(shop) is None
    assert post(rival) is not None
    assert (told(shop), told(rival)) == (["Oscar Wren"], ["Oscar Wren"])


def test_of_two_at_once_one_makes_it(shop: Shop) -> None:
    barrier, made = threading.Barrier(2), list[Any]()

    def go() -> None:
        barrier.wait()
        made.append(post(shop))

    threads = [threading.Thread(target=go) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each is None for each in made) == [False, True]
    assert told(shop) == ["Oscar Wren"]


def test_what_rolls_back_told_nobody_and_the_key_is_free(shop: Shop) -> None:
    with suppress(ZeroDivisionError), inside(shop.tenant.pk):
        posting.post(shop.tenant.pk, "test", about=None, title="", text="", path="", key="k", to_roles=["operator"])
        raise ZeroDivisionError
    assert told(shop) == []
    assert post(shop) is not None


def test_it_goes_by_mail_to_whoever_did_not_switch_that_off(shop: Shop, settings: Any) -> None:
    switching.switch_mail(shop.actor("ann"), on=False)
    post(shop, "one", to_groups=["finance"])
    assert ways(shop) == [("email", "Amir Saleh"), ("email", "Ben Osei")]
    switching.switch_mail(shop.actor("ann"), on=True)
    post(shop, "two", to_members=[shop.members["ann"].pk])
    assert ("email", "Ann Okafor") in ways(shop)
    settings.EMAIL_IS_SENT = False
    post(shop, "three", to_roles=["operator"])
    assert ("email", "Oscar Wren") not in ways(shop)
    assert "Oscar Wren" in told(shop)


def test_it_goes_to_the_endpoints_that_take_its_kind(shop: Shop, rival: Shop) -> None:
    endpoint(shop, "https://hooks.example/all")
    endpoint(shop, "https://hooks.example/overdue", ["effect.overdue"])
    endpoint(shop, "https://hooks.example/other", ["effect.escalated"])
    stopped = endpoint(shop, "https://hooks.example/stopped")
    endpoints.stop(shop.actor("dora"), stopped, key="stop")
    endpoint(rival, "https://hooks.example/rival")
    post(shop)
    assert [url for channel, url in ways(shop) if channel == "webhook"] == [
        "https://hooks.example/all",
        "https://hooks.example/overdue",
    ]


def test_a_member_reads_their_own_and_nobody_elses(shop: Shop) -> None:
    post(shop, "one", to_groups=["finance"])
    post(shop, "two", to_groups=["finance"])
    with inside():
        mine = list(Copy.objects.filter(member=shop.members["ann"]).order_by("posted_at"))
    with pytest.raises(NotFound):
        switching.read(shop.actor("oscar"), mine[0].pk)
    switching.read(shop.actor("ann"), mine[0].pk)
    with inside():
        first = Copy.objects.get(pk=mine[0].pk).read_at
        assert first is not None
    switching.read(shop.actor("ann"), mine[0].pk)
    assert switching.read_all(shop.actor("ann"), mine[1].pk) == 1
    with inside():
        assert Copy.objects.get(pk=mine[0].pk).read_at == first, "what was read is read once"
        assert Copy.objects.filter(read_at=None).count() == 4


def test_what_came_after_the_page_was_read_stays_unread(shop: Shop) -> None:
    post(shop, "one")
    with inside():
        seen = Copy.objects.get()
    post(shop, "two")
    assert switching.read_all(shop.actor("oscar"), seen.pk) == 1
    with inside():
        assert Copy.objects.filter(read_at=None).count() == 1


def test_the_database_refuses_what_no_delivery_is(shop: Shop) -> None:
    post(shop)
    for change in ("state = 'sent'", "state = 'dead'", "channel = 'pigeon'", "member_id = null", "due_at = null"):
        with pytest.raises(IntegrityError), inside():
            rows(f"update notices_delivery set {change}")
    with pytest.raises(ProgrammingError, match="permission denied"), inside():
        rows("delete from notices_notice")


def test_another_tenants_notices_are_behind_the_fence(shop: Shop, rival: Shop) -> None:
    post(shop)
    endpoint(shop)
    with transaction(rival.tenant.pk):
        clock.now()
        for model in (Notice, Copy, Delivery):
            assert not model.objects.exists(), model
