"""Somebody decides in somebody's place: for a time, for some operations and groups, and no further than that one person (point 3)."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from approvals import inbox, queries
from approvals.delegating import delegation_for, givers_for, giving
from approvals.delegating.giving import (
    BadDelegation,
    DelegationReasonMissing,
    NotATaker,
    NotYoursToGive,
    TooManyDelegations,
)
from approvals.models import Delegation, Request
from console import clock as database
from console.database import transaction
from console.http.refusals import NotFound, ReasonTooLong
from console.identity.office import NotAdministrator
from tests import clock
from tests.cast import inside
from tests.delegating.handing import give, now, stored, take_back, terms
from tests.record import findings, told
from tests.shop import Shop, draft

WEEK = 7 * 24 * 3600


@pytest.fixture
def zoe(shop: Shop) -> Shop:
    """Amir approves for legal alone, so that whatever ann decides of it she decides in his place."""
    shop.change("amir", groups=["legal"])
    return shop


def found(shop: Shop, operation: str = "pay", groups: tuple[str, ...] = ("legal",), taker: str = "ann") -> Any:
    """Look for what lets ann decide for amir."""
    with transaction(shop.tenant.pk):
        return delegation_for(shop.members[taker].pk, shop.members["amir"].pk, operation, groups, database.now())


def test_it_holds_between_its_times_and_ends_without_anybody_coming_by(zoe: Shop) -> None:
    assert found(zoe) is None
    delegation = give(zoe, starts_at=now() + timedelta(hours=1))
    assert found(zoe) is None
    with clock.at(3700):
        assert found(zoe) == delegation
        assert [each.giver.user.name for each in _given(zoe, "ann")] == ["Amir Saleh"]
    with clock.at(WEEK + 1):
        assert found(zoe) is None
        assert _given(zoe, "ann") == []


def _given(shop: Shop, name: str) -> list[Delegation]:
    with inside(shop.tenant.pk):
        return givers_for(shop.members[name], database.now())


def test_it_is_for_its_operations_and_groups_and_no_other(zoe: Shop) -> None:
    zoe.change("amir", groups=["legal", "board"])
    give(zoe, operations=("pay",), groups=("legal",))
    assert found(zoe) is not None
    assert found(zoe, operation="wire") is None
    assert found(zoe, groups=("board",)) is None
    assert found(zoe, groups=("finance",)) is None


@pytest.mark.parametrize("change", [{"groups": ["board"]}, {"roles": ["operator"]}, {"active": False}])
def test_whoever_lost_it_hands_it_over_no_more(zoe: Shop, change: dict[str, Any]) -> None:
    give(zoe)
    assert found(zoe) is not None
    zoe.change("amir", **change)
    assert found(zoe) is None


@pytest.mark.parametrize("change", [{"roles": ["operator"]}, {"active": False}])
def test_whoever_lost_the_role_decides_for_nobody(zoe: Shop, change: dict[str, Any]) -> None:
    give(zoe)
    zoe.change("ann", **change)
    assert found(zoe) is None
    assert _given(zoe, "ann") == []


def test_what_was_handed_over_goes_no_further(zoe: Shop) -> None:
    """No chains: ann may decide for legal in amir's place, and hands on her own finance alone."""
    give(zoe)
    with pytest.raises(NotYoursToGive):
        give(zoe, "ann", "ben", groups=("legal",))
    give(zoe, "ann", "ben")
    assert found(zoe, taker="ben") is None
    with transaction(zoe.tenant.pk):
        people = zoe.members
        assert delegation_for(people["ben"].pk, people["ann"].pk, "pay", ["legal"], database.now()) is None
        assert delegation_for(people["ben"].pk, people["ann"].pk, "pay", ["finance"], database.now()) is not None


@pytest.mark.parametrize("taker", ["amir", "dora", "oscar"])
def test_nobody_lets_themselves_or_one_who_is_no_approver_decide(shop: Shop, taker: str) -> None:
    with pytest.raises(NotATaker):
        give(shop, "amir", taker)


def test_nobody_lets_one_decide_who_was_stopped_or_is_of_another_tenant(shop: Shop, rival: Shop) -> None:
    shop.change("ann", active=False)
    with pytest.raises(NotATaker):
        give(shop)
    with pytest.raises(NotATaker):
        giving.give(shop.actor("amir"), rival.members["ann"].pk, terms(), key="k")


def test_only_approvers_give_and_only_their_own_groups(shop: Shop) -> None:
    for giver in ("dora", "oscar"):
        with pytest.raises(NotYoursToGive):
            give(shop, giver)
    with pytest.raises(NotYoursToGive):
        give(shop, groups=("support",))
    with pytest.raises(NotYoursToGive):
        giving.give(shop.bot, shop.members["ann"].pk, terms(), key="k")


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"days": 91}, BadDelegation), ({"days": 0}, BadDelegation), ({"days": -1}, BadDelegation),
        ({"operations": ("PAY",)}, BadDelegation),
        ({"operations": tuple(f"o{n}" for n in range(51))}, BadDelegation), ({"reason": " "}, DelegationReasonMissing),
        ({"reason": "x" * 2001}, ReasonTooLong),
    ],
)  # fmt: skip
def test_it_has_an_end_within_ninety_days_and_a_reason(
    shop: Shop, given: dict[str, Any], refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        give(shop, **given)


def test_it_does_not_end_before_it_begins(shop: Shop) -> None:
    with pytest.raises(BadDelegation):
        give(shop, starts_at=now() + timedelta(days=8))


def test_one_person_gives_twenty_at_most(shop: Shop) -> None:
    for _ in range(giving.MOST):
        give(shop)
    with pytest.raises(TooManyDelegations):
        give(shop)
    with clock.at(WEEK + 60):
        give(shop)


def test_it_is_taken_back_by_its_giver_or_an_administrator_and_by_nobody_else(zoe: Shop, rival: Shop) -> None:
    for by in ("amir", "dora"):
        delegation = give(zoe)
        for stranger in ("ann", "ben", "oscar"):
            with pytest.raises(NotAdministrator):
                take_back(zoe, delegation, stranger)
        with pytest.raises(NotFound):
            giving.revoke(rival.actor("dora"), delegation.pk, key=f"k-{uuid4()}")
        assert found(zoe) is not None
        assert take_back(zoe, delegation, by)["receipt"] == "revoked"
        assert found(zoe) is None
        assert take_back(zoe, delegation, by)["receipt"] == "unchanged"


def test_the_same_form_twice_gives_it_once(shop: Shop) -> None:
    said = terms()
    first, second = (giving.give(shop.actor("amir"), shop.members["ann"].pk, said, key="form") for _ in range(2))
    assert (second["delegation"], second["replayed"]) == (first["delegation"], True)
    assert stored(UUID(first["delegation"])).reason == "At sea."


def test_the_record_tells_of_it(shop: Shop) -> None:
    delegation = give(shop, operations=("wire", "pay"))
    take_back(shop, delegation, "dora")
    (given, said), (revoked, ended) = told(f"tenant:{shop.tenant.pk}")[-2:]
    assert (given, revoked) == ("delegation.given", "delegation.revoked")
    assert (said["operations"], said["taker_id"], ended["id"]) == (
        ["pay", "wire"],
        str(shop.members["ann"].pk),
        str(delegation.pk),
    )
    assert findings() == []


def waiting(shop: Shop, name: str) -> list[Request]:
    """Read what waits for somebody's word."""
    with inside(shop.tenant.pk):
        return list(inbox.to_decide(shop.members[name]))


def why_not(shop: Shop, name: str, request: Request) -> str:
    """Ask why somebody may not decide it."""
    with inside(shop.tenant.pk):
        whole = queries.one(shop.tenant.pk, request.pk)
        assert whole is not None
        return queries.why_not(shop.members[name], whole, database.now())


def test_what_the_giver_is_asked_waits_in_the_takers_inbox(shop: Shop) -> None:
    shop.change("ann", groups=["legal"])
    request = shop.request(shop.accept(draft("dear", "250")), "dear")
    assert waiting(shop, "ann") == []
    assert "The policy asks approvers of finance" in why_not(shop, "ann", request)
    delegation = give(shop)
    assert waiting(shop, "ann") == [request]
    assert why_not(shop, "ann", request) == ""
    take_back(shop, delegation)
    assert waiting(shop, "ann") == []
    give(shop, operations=("wire",))
    assert waiting(shop, "ann") == []


def test_an_approver_without_groups_decides_for_a_giver_alone(shop: Shop) -> None:
    shop.change("ann", groups=[])
    request = shop.request(shop.accept(draft("dear", "250")), "dear")
    give(shop)
    assert waiting(shop, "ann") == [request]


def test_the_agents_owner_is_neither_end_of_it(shop: Shop) -> None:
    """Ben answers for the agent: he decides in nobody's place, and nobody in his."""
    shop.change("ann", groups=["legal"])
    request = shop.request(shop.accept(draft("dear", "250")), "dear")
    give(shop, "ben", "ann")
    give(shop, "amir", "ben")
    assert waiting(shop, "ann") == waiting(shop, "ben") == []
    assert why_not(shop, "ann", request)
    assert why_not(shop, "ben", request)


def test_one_person_speaks_once_for_whomever(shop: Shop) -> None:
    request = shop.request(shop.accept(draft("dear", "2000")), "dear")
    give(shop)
    shop.approve(request, "ann")
    assert waiting(shop, "ann") == []
    assert "already counted" in why_not(shop, "ann", request)
    assert waiting(shop, "amir") == [request]
