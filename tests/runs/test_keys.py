"""Keys (R-E1 to R-E5): one key, one intent, one effect; equal intent gives it again, other content is refused, an old key is gone."""

import dataclasses
from typing import Any
from uuid import uuid4

import pytest

from console.database import crossing_tenants
from console.http.refusals import KeyExpired, KeyReused
from console.identity import administration
from runs import intake
from runs.effect_keys import effect_key
from runs.models import Effect, Run
from tests import clock
from tests.cast import inside
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle

LONG = 31 * clock.DAY


def count(model: Any) -> int:
    """Count rows."""
    with inside():
        return int(model.objects.count())


# A run's key: unique within tenant and agent


def test_the_same_run_posted_again_is_the_run_that_stands(shop: Shop) -> None:
    posted = shop.draft(draft("a"), draft("b", "250"), key="monday")
    first = intake.accept(shop.bot, [posted])[0]
    again = intake.accept(shop.bot, [posted])[0]
    assert (again.run_id, first.created, again.created) == (first.run_id, True, False)
    assert kinds(f"run:{first.run_id}") == ["run.accepted", "effect.proposed", "effect.proposed"]


def test_it_is_found_again_whatever_has_become_of_it(shop: Shop) -> None:
    posted = shop.draft(draft("a"), key="monday", completes_itself=True)
    first = intake.accept(shop.bot, [posted])[0]
    settle(claimed())
    assert shop.state(first.run_id) == "succeeded"
    assert intake.accept(shop.bot, [posted])[0].run_id == first.run_id


CHANGES: dict[str, dict[str, Any]] = {
    "goal": {"goal": "Pay eve"}, "type": {"run_type": "lenient"}, "deadline": {"deadline_seconds": 60},
    "how it completes": {"completes_itself": True}, "effects": {"effects": [draft("a", "11")]},
    "order of effects": {"effects": [draft("b"), draft("a")]},
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_runs_key_with_other_content_is_refused(shop: Shop, change: str) -> None:
    posted = shop.draft(draft("a"), draft("b"), key="monday")
    first = intake.accept(shop.bot, [posted])[0]
    with pytest.raises(KeyReused) as refused:
        intake.accept(shop.bot, [dataclasses.replace(posted, **CHANGES[change])])
    assert refused.value.facts == {"key": "monday", "existing": str(first.run_id), "state": "running"}
    assert (count(Run), count(Effect)) == (1, 2)


def test_among_several_runs_one_reused_key_refuses_them_all(shop: Shop) -> None:
    shop.accept(key="monday")
    with pytest.raises(KeyReused):
        intake.accept(shop.bot, [shop.draft(), shop.draft(draft("a"), key="monday")])
    assert count(Run) == 1


def test_another_agent_and_another_tenant_have_keys_of_their_own(shop: Shop, rival: Shop) -> None:
    with crossing_tenants():
        second = administration.add_agent(shop.office, "second-bot", shop.members["ben"])
    posted = shop.draft(draft("a"), key="monday")
    runs = {
        intake.accept(by, [posted])[0].run_id
        for by in (shop.bot, dataclasses.replace(shop.bot, id=second.pk), rival.bot)
    }
    assert len(runs) == 3


def test_a_run_that_has_ended_is_kept_under_its_key_for_thirty_days_and_then_the_key_is_gone(shop: Shop) -> None:
    posted = shop.draft(draft("a"), key="monday", completes_itself=True)
    first = intake.accept(shop.bot, [posted])[0]
    settle(claimed())
    with clock.at(29 * clock.DAY):
        assert intake.accept(shop.bot, [posted])[0].run_id == first.run_id
    with clock.at(LONG):
        with pytest.raises(KeyExpired):
            intake.accept(shop.bot, [posted])
        with pytest.raises(KeyExpired):
            shop.accept(key="monday")
    assert count(Run) == 1


def test_the_key_of_a_run_that_is_still_open_is_never_too_old(shop: Shop) -> None:
    posted = shop.draft(draft("a"), key="monday")
    first = intake.accept(shop.bot, [posted])[0]
    with clock.at(LONG):
        assert intake.accept(shop.bot, [posted])[0].run_id == first.run_id


# An effect's key: unique within its run


def test_the_same_effect_proposed_again_is_the_effect_that_stands(shop: Shop) -> None:
    run = shop.accept()
    first = intake.propose(shop.bot, run, [draft("a", "250")], epoch=1)[0]
    again = intake.propose(shop.bot, run, [draft("a", "250")], epoch=1)[0]
    assert (again.effect_id, first.created, again.created) == (first.effect_id, True, False)
    assert kinds(f"run:{run}") == ["run.accepted", "effect.proposed"]


def test_an_effect_that_came_with_the_run_is_found_again_when_it_is_proposed(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    assert shop.propose(run, draft("a")) == [shop.effect(run, "a").pk]


def test_old_and_new_are_proposed_together(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    made = intake.propose(shop.bot, run, [draft("b", after=["a"]), draft("a")], epoch=1)
    assert [each.created for each in made] == [True, False]
    assert made[1].effect_id == shop.effect(run, "a").pk


def test_it_is_found_again_after_its_run_has_ended(shop: Shop) -> None:
    run = shop.accept(draft("a"), completes_itself=True)
    settle(claimed())
    assert shop.propose(run, draft("a")) == [shop.effect(run, "a").pk]


OTHERS: dict[str, Any] = {
    "amount": draft("a", "200"), "payee": draft("a", "100", to="eve"), "operation": draft("a", "100", operation="wire"),
    "order": draft("a", "100", after=["first"]), "whether it is required": draft("a", "100", required=False),
    "deadline": draft("a", "100", deadline_seconds=60),
}  # fmt: skip


@pytest.mark.parametrize("other", OTHERS)
def test_an_effects_key_with_other_content_is_refused(shop: Shop, other: str) -> None:
    run = shop.accept(draft("first"), draft("a", "100"))
    effect = shop.effect(run, "a")
    with pytest.raises(KeyReused) as refused:
        shop.propose(run, OTHERS[other])
    assert refused.value.facts == {"key": "a", "existing": str(effect.pk), "state": "ready"}
    assert shop.effect(run, "a").intent_digest == effect.intent_digest
    assert count(Effect) == 2


def test_another_reason_is_no_other_intent(shop: Shop) -> None:
    run = shop.accept(draft("a", reason="Rent."))
    assert shop.propose(run, draft("a", reason="The rent, please.")) == [shop.effect(run, "a").pk]


def test_each_run_has_effect_keys_of_its_own(shop: Shop) -> None:
    one, two = shop.accept(draft("a")), shop.accept(draft("a", "99"))
    assert shop.effect(one, "a").pk != shop.effect(two, "a").pk


def test_an_effect_that_has_ended_is_kept_under_its_key_for_the_contracts_time(shop: Shop) -> None:
    run = shop.accept(draft("a"), deadline_seconds=40 * 86400)
    settle(claimed())
    with clock.at(29 * clock.DAY):
        assert shop.propose(run, draft("a")) == [shop.effect(run, "a").pk]
    with clock.at(LONG), pytest.raises(KeyExpired):
        shop.propose(run, draft("a"))
    assert count(Effect) == 1


def test_the_key_of_an_unknown_effect_is_never_too_old(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "unknown")
    with clock.at(LONG):
        assert shop.propose(run, draft("a")) == [shop.effect(run, "a").pk]


# An effect's key, where the contract says so: unique within the tenant


def test_a_key_of_the_whole_tenant_gives_the_same_effect_from_any_run(shop: Shop) -> None:
    news = draft("launch", operation="announce")
    one, two = shop.accept(news), shop.accept()
    made = intake.propose(shop.bot, two, [news], epoch=1)[0]
    assert (made.effect_id, made.created) == (shop.effect(one, "launch").pk, False)
    assert shop.states(two) == {}


def test_a_key_of_the_whole_tenant_with_other_content_is_refused_in_any_run(shop: Shop) -> None:
    one = shop.accept(draft("launch", operation="announce"))
    before = count(Run)
    in_the_run = {"path": "/effects/0/key"}
    for refused, where in (
        (lambda: shop.propose(shop.accept(key="two"), draft("launch", "99", operation="announce")), {}),
        (lambda: shop.accept(draft("launch", "99", operation="announce")), in_the_run),
        (
            lambda: shop.accept(draft("launch", operation="announce")),
            in_the_run,
        ),  # it would consist of another's effect
    ):
        with pytest.raises(KeyReused) as told:
            refused()
        standing = {"key": "launch", "existing": str(shop.effect(one, "launch").pk), "state": "ready"}
        assert told.value.facts == standing | where
    assert (count(Run), count(Effect)) == (before + 1, 1)


def test_a_key_of_the_whole_tenant_is_no_other_tenants(shop: Shop, rival: Shop) -> None:
    news = draft("launch", operation="announce")
    assert shop.effect(shop.accept(news), "launch").pk != rival.effect(rival.accept(news), "launch").pk


def test_a_key_of_one_run_has_nothing_to_do_with_a_key_of_the_whole_tenant(shop: Shop) -> None:
    shop.accept(draft("launch", operation="announce"))
    run = shop.accept()
    shop.propose(run, draft("launch"))
    assert shop.effect(run, "launch").operation_name == "pay"


# What goes downstream


def test_the_key_sent_downstream_is_ours_and_the_same_for_every_attempt(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    first = claimed()
    settle(first, "overload", delay=0)
    second = claimed()
    assert first["attempt_id"] != second["attempt_id"]
    assert effect_key(first["effect_id"]) == effect_key(second["effect_id"]) == f"cf-{shop.effect(run, 'a').pk}"
    assert effect_key(uuid4()) != effect_key(first["effect_id"])


def test_attempts_are_numbered_and_each_carries_a_higher_fence(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    for _ in range(2):
        settle(claim(), "overload", delay=0)
    settle(claim())
    attempts = shop.attempts(run, "a")
    assert [attempt.number for attempt in attempts] == [1, 2, 3]
    assert [attempt.fence for attempt in attempts] == [1, 2, 3]
