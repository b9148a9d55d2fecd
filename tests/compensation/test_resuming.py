"""R-H3, R-J2: whoever goes on is told what is being made good for, and what was and is not there any more, also when it is opened again."""

from typing import Any
from uuid import UUID

from runs.checkpoints.authoritative import authoritative
from runs.resuming import told
from tests import cancels
from tests.compensation.undoing import answer, done
from tests.compensation.working import held, plan
from tests.resuming.again import after_the_lease, again, brief, detail
from tests.shop import Shop, draft
from tests.work import claim, sweep


def made_good(shop: Shop) -> UUID:
    """Have a run that was cancelled, whose reservation was made good for."""
    run = done(shop, "reserve")
    cancels.cancel(shop, run)
    sweep()
    answer(claim())
    sweep()
    assert (shop.state(run), shop.run(run).compensation) == ("cancelled", "over")
    return run


def names(found: Any) -> list[str]:
    """Give the keys of the effects of a part of a brief."""
    return [each["key"] for each in found["first"]]


def test_what_is_being_made_good_for_comes_first_and_is_left_alone(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    plan(store, run, "reserve")
    with after_the_lease():
        assert again(store, run)["decision"] == "compensate"
        assert "is being made good for" in detail(run, "effects")
        found = brief(run)
    assert found["compensation"]["stands"] == "open"
    assert found["compensation"]["under_way"]["count"] == 1
    assert found["next"][0].startswith("Leave alone what is being made good for")
    assert "leave it alone (1)" in told.text(found)


def test_what_was_made_good_for_is_not_told_as_done(store: Shop) -> None:
    run = done(store, "reserve", "charge")
    plan(store, run, "reserve")
    answer(claim())
    sweep()
    with after_the_lease():
        assert again(store, run)["decision"] == "replan"
        found = brief(run)
    assert "not there any more: effect 1" in detail(run, "effects")
    assert names(found["compensation"]["made_good"]) == ["reserve"]
    assert "reserve" not in names(found["known"]["done"])
    assert "charge" in names(found["known"]["done"])


def test_a_run_with_nothing_to_make_good_for_is_told_that(store: Shop) -> None:
    run = done(store, "reserve")
    with after_the_lease():
        again(store, run)
    assert brief(run)["compensation"] == {
        "stands": None, "says": "Nothing of this run is made good for.",
        **{name: {"count": 0, "first": []} for name in ("under_way", "made_good", "remains")},
    }  # fmt: skip


def test_a_run_that_is_opened_again_is_told_what_is_not_there_any_more_and_what_remains(store: Shop) -> None:
    run = made_good(store)
    cancels.reopen(store, run)
    with after_the_lease():
        assert again(store, run)["decision"] == "replan"
        found = brief(run)
    assert (found["compensation"]["stands"], names(found["compensation"]["made_good"])) == ("over", ["reserve"])
    assert found["compensation"]["remains"]["first"] == ["The hotel keeps its fee for booking."]
    assert any("proposed anew, under a new key" in each for each in found["next"])


def test_what_a_run_did_since_it_was_opened_again_is_made_good_for_when_it_is_cancelled_again(store: Shop) -> None:
    run = made_good(store)
    cancels.reopen(store, run)
    with after_the_lease():
        again(store, run)
        epoch = store.run(run).epoch
        store.propose(run, draft("reserve anew", "20", "reserve"), epoch=epoch)
        answer(claim())
        cancels.cancel(store, run)
        sweep()
        acting = claim()
        assert len(acting) == 1
        answer(acting)
        sweep()
    assert store.state(run) == "cancelled"
    assert [state for key, state in store.states(run).items() if key.startswith("compensates:")] == [
        "succeeded",
        "succeeded",
    ]


def test_a_checkpoint_says_where_the_run_stands_with_it(store: Shop) -> None:
    run = made_good(store)
    with held(run) as locked:
        said: Any = authoritative(locked)["compensation"]
    acting = next(each for each in said["each"])
    assert (said["stands"], said["remains"], said["must_be_undone"]) == (
        "over",
        ["The hotel keeps its fee for booking."],
        [],
    )
    assert (acting["compensates"], acting["state"]) == (str(store.effect(run, "reserve").pk), "succeeded")
