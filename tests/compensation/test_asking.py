"""Somebody asks that what was done is made good for: who may, of what, and once however many ask at once."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from compensation.plans import asking
from compensation.plans.capacity import MayNotCompensate
from compensation.plans.refusing import AlreadyCompensated, CompensationOfCompensation, EffectsNotNamed, NotCompensable
from console.http.reasons import ReasonMissing
from console.http.refusals import NotFound, StaleToken, StaleVersion
from console.ledger.actors import Actor
from runs.driving import CompensationOpen
from tests.compensation.undoing import WHY, answer, begun, compensation_of, done, item_of, items_of, key, plans_of
from tests.record import kinds
from tests.shop import Shop
from tests.work import claim, settle, sweep


def ask(shop: Shop, run: UUID, *keys: str, by: Actor | str = "oscar", **asked: Any) -> dict[str, Any]:
    """Ask that these effects of a run, or all of it, are made good for."""
    actor = shop.actor(by) if isinstance(by, str) else by
    if actor.kind == "agent":
        asked.setdefault("epoch", shop.run(run).epoch)
    named = [shop.effect(run, each).pk for each in keys] or None
    return asking.ask(actor, run, **{"effects": named, "reason": WHY, "key": key()} | asked)


@pytest.mark.parametrize("by", ["oscar", "dora", "bot"])
def test_the_driver_an_operator_and_an_administrator_ask(store: Shop, by: str) -> None:
    run = done(store, "reserve", "charge")
    receipt = ask(store, run, "reserve", by=store.bot if by == "bot" else by)
    assert (receipt["plan_state"], receipt["compensation"], len(receipt["items"])) == ("in_force", "open", 1)
    (plan,) = plans_of(run)
    assert (str(plan.pk), plan.cause, plan.reason) == (receipt["plan"], "asked", WHY)
    assert item_of(run, "reserve").operation == "release"


def test_without_effects_all_that_happened_in_the_run_is_meant(store: Shop) -> None:
    run = done(store, "reserve", "charge", "notify", "lend")
    receipt = ask(store, run)
    assert [each.effect and each.effect.key for each in items_of(run)] == ["reserve", "charge", "notify", "lend"]
    assert receipt["plan_state"] == "proposed", "one contract of it has the plan approved first"


def test_it_is_asked_for_in_a_run_that_has_ended_too_also_by_its_driver_without_a_token(store: Shop) -> None:
    run = done(store, "reserve")
    store.complete(run)
    receipt = ask(store, run, by=store.bot, epoch=None)
    assert (receipt["state"], receipt["compensation"]) == ("succeeded", "open")


def test_whoever_asks_may_want_the_plan_approved_first(store: Shop) -> None:
    run = done(store, "reserve")
    assert ask(store, run, plan_first=True)["plan_state"] == "proposed"


@pytest.mark.parametrize("by", ["ann", "ben"])
def test_others_may_not(store: Shop, by: str) -> None:
    run = done(store, "reserve")
    with pytest.raises(MayNotCompensate):
        ask(store, run, by=by)
    assert plans_of(run) == []


def test_whom_the_contract_does_not_name_may_not(store: Shop) -> None:
    run = done(store, "reserve", "lend")
    with pytest.raises(MayNotCompensate) as refused:
        ask(store, run, by=store.bot)
    assert refused.value.facts == {
        "effect": str(store.effect(run, "lend").pk),
        "number": 2,
        "who": ["admin", "operator"],
    }
    assert ask(store, run, "reserve", by=store.bot)["items"]


def test_a_driver_needs_its_token_while_the_run_goes_on(store: Shop) -> None:
    run = done(store, "reserve")
    with pytest.raises(StaleToken):
        ask(store, run, by=store.bot, epoch=99)
    with pytest.raises(StaleVersion):
        ask(store, run, version=1)


def test_somebody_elses_run_is_not_there(store: Shop, rival: Shop) -> None:
    run = done(store, "reserve")
    for by in (rival.actor("oscar"), rival.bot):
        with pytest.raises(NotFound):
            asking.ask(by, run, effects=None, reason=WHY, key=key())


def test_a_reason_is_needed_and_effects_are_named_once(store: Shop) -> None:
    run, other = done(store, "reserve"), done(store, "reserve")
    mine, theirs = store.effect(run, "reserve").pk, store.effect(other, "reserve").pk
    with pytest.raises(ReasonMissing):
        ask(store, run, reason=" ")
    for effects in ([], [mine, mine], [theirs], [mine, uuid4()]):
        with pytest.raises(EffectsNotNamed):
            ask(store, run, effects=effects)


def test_two_people_and_an_agent_at_once_make_one(store: Shop) -> None:
    """CMP-03: the others hear which work item it is, and which effect acts."""
    run = done(store, "reserve")
    receipt = ask(store, run, "reserve")
    for by in ("dora", store.bot):
        with pytest.raises(AlreadyCompensated) as refused:
            ask(store, run, "reserve", by=by)
        assert refused.value.facts["item"] == receipt["items"][0]["item"]
        assert refused.value.facts["state"] == item_of(run, "reserve").state
    assert len(items_of(run)) == 1


def test_the_same_key_gives_the_same_receipt(store: Shop) -> None:
    run = done(store, "reserve")
    first = ask(store, run, "reserve", key="once")
    assert ask(store, run, "reserve", key="once") == {**first, "replayed": True}
    assert len(plans_of(run)) == 1


def test_what_did_not_happen_is_not_made_good_for(store: Shop) -> None:
    run = begun(store, "reserve", "charge")
    first, second = claim()
    settle(first, "rejected")
    settle(second)
    with pytest.raises(NotCompensable) as refused:
        ask(store, run, "reserve", "charge")
    assert refused.value.facts["effects"] == [
        {"effect": str(store.effect(run, "reserve").pk), "why": "it did not happen"}
    ]
    assert [each["operation"] for each in ask(store, run)["items"]] == ["refund"]


def test_of_a_run_in_which_all_is_covered_the_first_is_named(store: Shop) -> None:
    run = done(store, "reserve")
    ask(store, run)
    with pytest.raises(AlreadyCompensated):
        ask(store, run)


def test_what_makes_good_for_something_is_made_good_for_only_where_its_contract_says_so(store: Shop) -> None:
    run = done(store, "reserve", "grant")
    ask(store, run)
    answer(claim())
    sweep()
    release, revoke = (compensation_of(store.effect(run, each)) for each in ("reserve", "grant"))
    assert release is not None
    assert revoke is not None
    with pytest.raises(CompensationOfCompensation):
        ask(store, run, release.key)
    receipt = ask(store, run, revoke.key)
    assert [(each["operation"], each["effect"]) for each in receipt["items"]] == [("grant", str(revoke.pk))]


def test_a_preview_shows_the_plan_and_writes_nothing(store: Shop) -> None:
    run = done(store, "reserve", "charge", "look")
    before = kinds(f"run:{run}")
    shown = ask(store, run, preview=True)
    assert [(each["number"], each["operation"], each["arguments"]) for each in shown["items"]] == [
        (1, "release", {"receipt": "r-reserve"}), (2, "refund", {"amount": "20", "receipt": "r-charge", "why": WHY}),
    ]  # fmt: skip
    assert [each["why"] for each in shown["left"]] == ["only_reads"]
    assert shown["items"][1]["after"] == [str(store.effect(run, "reserve").pk)]
    assert (plans_of(run), items_of(run), kinds(f"run:{run}")) == ([], [], before)
    assert ask(store, run, by=store.bot, epoch=None, preview=True)["approve_first"] is False
    with pytest.raises(MayNotCompensate):
        ask(store, run, by="ann", preview=True)


def test_a_run_is_not_completed_while_what_it_makes_good_for_is_not_over(store: Shop) -> None:
    run = done(store, "reserve", "notify")
    ask(store, run, "notify")
    assert store.run(run).compensation == "over", "nobody waits for what is only allowed"
    ask(store, run, "reserve")
    with pytest.raises(CompensationOpen) as refused:
        store.complete(run)
    assert (refused.value.facts["compensation"], store.state(run)) == ("open", "running")
