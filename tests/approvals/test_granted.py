"""A standing approval in force: what it covers is not asked about, takes its units before it is begun, and never more than it has."""

from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from approvals.models import GrantUse
from runs.models import Effect
from tests import clock
from tests.cast import inside
from tests.grants import grant, let_stand_in, revoked, standing, taken, uses
from tests.halting import EMERGENCY, pause
from tests.record import told
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle, sweep


@pytest.fixture(autouse=True)
def grants(shop: Shop) -> None:
    """Let standing approvals stand in for what the policy asks."""
    let_stand_in(shop)


def by(run: UUID, key: str) -> UUID | None:
    """Give the grant by which an effect goes."""
    with inside():
        return Effect.objects.get(run_id=run, key=key).grant_id


def test_what_it_covers_is_ready_and_nobody_is_asked(shop: Shop) -> None:
    found = standing(shop)
    run = shop.accept(draft("rent", "250"))
    effect = shop.effect(run, "rent")
    assert (effect.state, effect.verdict, effect.request_id, effect.grant_id) == ("ready", "ask", None, found.pk)
    assert told(f"run:{run}")[-1][1]["grant"] == str(found.pk)


def test_a_unit_is_reserved_before_it_is_begun_and_spent_when_it_happened(shop: Shop) -> None:
    found = standing(shop)
    shop.accept(draft("rent", "250"))
    row = claimed()
    assert (taken(found), uses(found)) == ((1, Decimal(250)), ["reserved"])
    settle(row)
    sweep()
    assert (taken(found), uses(found)) == ((1, Decimal(250)), ["spent"])
    assert grant(found.pk).last_used_at is not None


@pytest.mark.parametrize(
    ("outcome", "units"),
    [("rejected", "returned"), ("partial", "spent"), ("unknown", "reserved"), ("accepted", "reserved")],
)
def test_a_unit_is_given_back_only_when_it_is_proven_not_to_have_happened(shop: Shop, outcome: str, units: str) -> None:
    found = standing(shop)
    shop.accept(draft("rent", "250"))
    settle(claimed(), outcome, delay=3600 if outcome in {"unknown", "accepted"} else None)
    sweep()
    assert uses(found) == [units]
    assert taken(found) == ((0, Decimal(0)) if units == "returned" else (1, Decimal(250)))


def test_a_later_attempt_is_covered_by_the_unit_of_the_first(shop: Shop) -> None:
    found = standing(shop, uses_most=1)
    shop.accept(draft("rent", "250"))
    settle(claimed(), "overload", http=503, delay=0)
    settle(claimed())
    sweep()
    assert uses(found) == ["spent"]


def test_a_later_attempt_is_not_covered_once_it_is_revoked(shop: Shop) -> None:
    found = standing(shop)
    run = shop.accept(draft("rent", "250"))
    settle(claimed(), "overload", http=503, delay=0)
    revoked(shop, found)
    assert claim() == []
    assert shop.states(run) == {"rent": "proposed"}
    sweep()
    assert shop.states(run) == {"rent": "awaiting_approval"}
    assert uses(found) == ["reserved"]  # it may still be done, by what people say
    shop.deny(shop.request(run, "rent"))
    sweep()
    assert (uses(found), taken(found)) == (["returned"], (0, Decimal(0)))


def test_what_it_covers_is_asked_about_once_it_is_revoked(shop: Shop) -> None:
    found = standing(shop)
    run = shop.accept(draft("rent", "250"))
    revoked(shop, found)
    assert claim() == []
    sweep()
    effect = shop.effect(run, "rent")
    assert (effect.state, effect.grant_id, taken(found)[0]) == ("awaiting_approval", None, 0)
    assert ("effect.sent_back", {"effect": str(effect.pk), "reason": "grant_revoked"}) in told(f"run:{run}")


def test_many_at_once_take_their_units_one_after_the_other(shop: Shop) -> None:
    """What does not fit is asked about; a smaller one behind it still fits."""
    found = standing(shop, uses_most=9, amount_most=Decimal(1000))
    runs = [shop.accept(draft("rent", amount)) for amount in ("500", "390", "300", "110", "101")]
    began = {row["run_id"] for row in claim()}
    assert [run in began for run in runs] == [True, True, False, True, False]
    assert taken(found) == (3, Decimal(1000))
    sweep()
    assert [shop.states(run)["rent"] for run in runs][2] == "awaiting_approval"


def test_of_many_at_once_no_more_begin_than_there_are_uses(shop: Shop) -> None:
    """Each looked covered when it was judged, because nothing was taken yet."""
    found = standing(shop, uses_most=2)
    runs = [shop.accept(draft("rent", "250")) for _ in range(3)]
    assert [by(run, "rent") for run in runs] == [found.pk] * 3
    assert len(claim()) == 2
    assert taken(found)[0] == 2
    sweep()
    assert sorted(shop.states(run)["rent"] for run in runs) == ["awaiting_approval", "dispatched", "dispatched"]


def test_it_is_looked_ahead_when_many_are_judged(shop: Shop) -> None:
    found = standing(shop, uses_most=2)
    run = shop.accept(*[draft(f"e{n}", "250") for n in range(4)])
    assert [by(run, f"e{n}") for n in range(4)] == [found.pk, found.pk, None, None]
    assert sorted(shop.states(run).values()) == ["awaiting_approval"] * 2 + ["ready"] * 2


def test_a_pace_is_kept(shop: Shop) -> None:
    found = standing(shop, rate_most=1, rate_seconds=3600)
    run = shop.accept(draft("one", "250"))
    settle(claimed())
    second = shop.accept(draft("two", "250"))
    assert (by(run, "one"), by(second, "two")) == (found.pk, None)
    with clock.at(7200):
        third = shop.accept(draft("three", "250"))
        assert by(third, "three") == found.pk


@pytest.mark.parametrize(
    ("amount", "covered"),
    [("250.000001", True), ("250.0000001", False), ("250.0000000", True), ("1000", True), ("1000.01", False)],
)
def test_the_amount_is_exact(shop: Shop, amount: str, covered: bool) -> None:
    found = standing(shop)
    run = shop.accept(draft("rent", amount))
    assert (by(run, "rent") == found.pk) is covered
    assert len(claim()) == covered
    assert taken(found)[1] == (Decimal(amount) if covered else 0)


def test_it_serves_only_the_agent_the_targets_and_the_time_that_it_names(shop: Shop) -> None:
    found = standing(shop, target_pattern="payee:bo*", starts_at=None)
    assert by(shop.accept(draft("rent", "250")), "rent") == found.pk
    assert by(shop.accept(draft("rent", "250", to="carl")), "rent") is None
    with clock.at(2 * 86400):
        assert by(shop.accept(draft("rent", "250")), "rent") is None


def test_its_time_is_judged_again_when_it_is_begun(shop: Shop) -> None:
    found = standing(shop, lasts=timedelta(minutes=10))
    run = shop.accept(draft("rent", "250"))
    with clock.at(660):
        assert claim() == []
        sweep()
        assert shop.states(run) == {"rent": "awaiting_approval"}
        assert (grant(found.pk).state, grant(found.pk).ended_reason) == ("ended", "out of time")


def test_the_narrowest_is_chosen(shop: Shop) -> None:
    wide = standing(shop, agent_id=shop.agent.pk, constraint=None, amount_most=Decimal(5000), run_type="")
    begins = standing(shop, target_pattern="payee:b*")
    one = standing(shop, target_pattern="payee:bob")
    assert by(shop.accept(draft("rent", "250")), "rent") == one.pk
    assert by(shop.accept(draft("rent", "250", to="bill")), "rent") == begins.pk
    assert by(shop.accept(draft("rent", "250", to="carl")), "rent") == wide.pk


def test_it_stands_in_only_where_the_rule_lets_it_and_for_no_more_than_two_people(shop: Shop) -> None:
    standing(shop)
    let_stand_in(shop, 3, large=", grants: {uses: 10, within_seconds: 604800}")
    both = standing(shop, constraint={"path": "arguments.amount", "op": "lte", "value": "5000"}, uses_most=9)
    assert by(shop.accept(draft("car", "2000")), "car") == both.pk
    let_stand_in(shop, 4)
    assert by(shop.accept(draft("car", "2000")), "car") is None


def test_a_grant_that_is_wider_than_the_policy_in_force_allows_stands_in_for_nothing(shop: Shop) -> None:
    found = standing(shop, uses_most=50)
    run = shop.accept(draft("rent", "250"))
    let_stand_in(shop, 3, bounds="{uses: 10, within_seconds: 604800}")
    assert claim() == []
    sweep()
    assert (by(run, "rent"), shop.states(run)) == (None, {"rent": "awaiting_approval"})
    assert taken(found)[0] == 0


def test_a_word_of_somebody_who_lost_the_group_counts_no_more(shop: Shop) -> None:
    standing(shop)
    run = shop.accept(draft("rent", "250"))
    shop.change("amir", groups=["support"])
    assert claim() == []
    sweep()
    assert shop.states(run) == {"rent": "awaiting_approval"}


def test_whoever_answers_for_the_agent_now_does_not_vouch_for_it(shop: Shop) -> None:
    """Separation of duties is judged for each use: the agent may have come to another owner since."""
    found = standing(shop)
    run = shop.accept(draft("rent", "250"))
    with inside():
        type(shop.agent).objects.filter(pk=shop.agent.pk).update(owner=shop.members["ann"])
    shop.verified = False
    assert claim() == []
    sweep()
    assert (shop.states(run), taken(found)[0]) == ({"rent": "awaiting_approval"}, 0)


def test_what_waits_for_its_turn_is_covered_when_it_comes(shop: Shop) -> None:
    found = standing(shop)
    run = shop.accept(draft("gas"), draft("rent", "250", after=["gas"]))
    assert by(run, "rent") is None
    settle(claimed())
    sweep()
    assert (by(run, "rent"), shop.states(run)["rent"]) == (found.pk, "ready")


def test_an_emergency_stop_denies_what_it_would_cover(shop: Shop) -> None:
    standing(shop)
    pause(shop, EMERGENCY)
    assert shop.states(shop.accept(draft("rent", "250"))) == {"rent": "denied"}


def test_it_ends_when_every_use_is_spent_and_stays_to_be_seen(shop: Shop) -> None:
    found = standing(shop, uses_most=1)
    shop.accept(draft("rent", "250"))
    settle(claimed())
    sweep()
    sweep()
    assert (grant(found.pk).state, grant(found.pk).ended_reason) == ("ended", "used up")


def test_effects_without_a_grant_hold_no_unit(shop: Shop) -> None:
    standing(shop)
    shop.accept(draft("gas"))
    settle(claimed())
    sweep()
    with inside():
        assert not GrantUse.objects.exists()
        assert not Effect.objects.filter(holds_unit=True).exists()
