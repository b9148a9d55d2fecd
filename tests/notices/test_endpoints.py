"""Endpoints: added by administrators, on the record; the secret is shown once and kept sealed."""

from uuid import UUID, uuid4

import pytest

from console.http.refusals import NotFound
from console.identity.office import NotAdministrator
from console.notices import endpoints, sealing
from console.notices.endpoints import BadEndpoint, EndpointStopped, NotDead, TooManyEndpoints, UnknownKind
from console.notices.models import Delivery, Endpoint, Notice
from tests.cast import inside
from tests.record import told
from tests.shop import Shop


def add(shop: Shop, url: str = "https://hooks.example/in", key: str = "add", by: str = "dora") -> tuple[UUID, str]:
    """Add an endpoint; gives its id and its secret."""
    receipt, secret = endpoints.add(shop.actor(by), url, kinds=[], key=key)
    return UUID(receipt["endpoint"]), secret


def stored(endpoint_id: UUID) -> Endpoint:
    """Read it anew."""
    with inside():
        return Endpoint.objects.get(pk=endpoint_id)


def test_the_secret_is_given_once_and_kept_sealed(shop: Shop) -> None:
    made, secret = add(shop)
    assert secret.startswith("whsec_")
    assert add(shop) == (made, ""), "sent a second time, the receipt comes without it"
    sealed = stored(made).sealed_secret
    assert secret not in sealed
    assert sealing.opened(made, sealed) == secret
    with pytest.raises(sealing.Unreadable):
        sealing.opened(uuid4(), sealed)  # another endpoint's


def test_under_another_key_of_the_installation_it_cannot_be_opened(shop: Shop, settings) -> None:
    made, _ = add(shop)
    settings.SECRET_KEY = "another" * 8
    with pytest.raises(sealing.Unreadable):
        sealing.opened(made, stored(made).sealed_secret)


def test_each_change_is_on_the_tenants_record(shop: Shop) -> None:
    made, _ = add(shop)
    dora = shop.actor("dora")
    assert endpoints.change(dora, made, kinds=["effect.overdue"], key="k1")["receipt"] == "changed"
    assert endpoints.stop(dora, made, key="k2")["receipt"] == "stopped"
    assert endpoints.stop(dora, made, key="k3")["receipt"] == "unchanged"
    assert endpoints.start(dora, made, key="k4")["receipt"] == "started"
    receipt, secret = endpoints.renew(dora, made, key="k5")
    assert (receipt["receipt"], sealing.opened(made, stored(made).sealed_secret)) == ("renewed", secret)
    said = [(kind, says) for kind, says in told(f"tenant:{shop.tenant.pk}") if kind.startswith("endpoint.")]
    assert [kind for kind, _ in said] == ["endpoint.added", *["endpoint.changed"] * 3, "endpoint.secret_renewed"]
    assert said[0][1]["url"] == "https://hooks.example/in"
    assert said[1][1]["kinds"] == ["effect.overdue"]
    assert secret not in str(said)


@pytest.mark.parametrize(
    "url",
    [
        "", "hooks.example", "ftp://hooks.example/", "https://", "https://user:pw@hooks.example/", "https://user@hooks.example/",
        "https://hooks.example/#part", "https://hooks.example/ü", "https://hooks.example/a b", "https://hooks.example:99999/",
        "https://[::1", f"https://hooks.example/{'a' * 1000}",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(shop: Shop, url: str) -> None:
    with pytest.raises(BadEndpoint):
        add(shop, url)


def test_only_an_administrator_says_where_notices_go(shop: Shop, rival: Shop) -> None:
    made, _ = add(shop)
    for name in ("ann", "oscar"):
        by = shop.actor(name)
        for act in (
            lambda name=name: add(shop, by=name, key="x1"),
            lambda by=by: endpoints.change(by, made, kinds=[], key="x2"),
            lambda by=by: endpoints.stop(by, made, key="x3"),
            lambda by=by: endpoints.start(by, made, key="x4"),
            lambda by=by: endpoints.renew(by, made, key="x5"),
            lambda by=by: endpoints.try_out(by, made, key="x6"),
            lambda by=by: endpoints.send_again(by, uuid4(), key="x7"),
        ):
            with pytest.raises(NotAdministrator):
                act()
    with pytest.raises(NotFound):
        endpoints.stop(rival.actor("dora"), made, key="theirs")


def test_there_are_at_most_twenty(shop: Shop) -> None:
    for number in range(endpoints.MOST):
        add(shop, f"https://hooks.example/{number}", key=f"k{number}")
    with pytest.raises(TooManyEndpoints):
        add(shop, key="one more")


def test_a_kind_that_is_none_is_refused(shop: Shop) -> None:
    with pytest.raises(UnknownKind):
        endpoints.add(shop.actor("dora"), "https://hooks.example/", kinds=["effect.nothing"], key="k")


def test_a_trial_goes_to_this_endpoint_alone(shop: Shop) -> None:
    made, _ = add(shop)
    add(shop, "https://hooks.example/other", key="other")
    endpoints.try_out(shop.actor("dora"), made, key="try")
    endpoints.try_out(shop.actor("dora"), made, key="try")
    with inside():
        assert [(each.endpoint_id, each.state) for each in Delivery.objects.all()] == [(made, "waiting")]
        assert Notice.objects.get().kind == "test"
    endpoints.stop(shop.actor("dora"), made, key="stop")
    with pytest.raises(EndpointStopped):
        endpoints.try_out(shop.actor("dora"), made, key="try again")


def test_only_what_was_given_up_is_sent_again(shop: Shop) -> None:
    made, _ = add(shop)
    endpoints.try_out(shop.actor("dora"), made, key="try")
    with inside():
        waiting = Delivery.objects.get()
    with pytest.raises(NotDead):
        endpoints.send_again(shop.actor("dora"), waiting.pk, key="again")
    with pytest.raises(NotFound):
        endpoints.send_again(shop.actor("dora"), uuid4(), key="nothing")
