"""Times that are waited for: they come once, by the database's clock, and wake the run that waits (R-I1)."""

from typing import Any

import pytest

from runs.waits.conditions import BadWait
from runs.waits.drafts import WaitDraft
from tests import clock
from tests.pending import open_wait, take_back, timer, wait, waits
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, sweep


def test_a_run_that_waits_for_a_time_goes_on_when_it_has_come(shop: Shop) -> None:
    run = shop.accept()
    receipt = open_wait(shop, run, timer(60, name="pause"))
    assert (receipt["run_state"], receipt["state"], shop.state(run)) == ("waiting", "open", "waiting")
    with clock.at(45):
        assert sweep() == {}
    with clock.at(61):
        assert sweep() == {"times come": 1}
    assert (shop.state(run), waits(run)) == ("running", {"pause": "met"})
    assert kinds(f"run:{run}") == ["run.accepted", "wait.opened", "wait.met"]


def test_nobody_has_a_run_that_waits_and_its_token_is_good_when_it_goes_on(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60))
    waiting = shop.run(run)
    assert (waiting.lease_expires_at, waiting.lease_holder, waiting.watch_at) == (None, "", None)
    with clock.at(61):
        sweep()
        assert shop.run(run).watch_at is not None, "it is looked at whether somebody takes it up"
        shop.propose(run, draft("a"))
    assert shop.states(run) == {"a": "ready"}


def test_what_is_ready_goes_on_being_done_while_the_run_waits(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    open_wait(shop, run, timer(60))
    assert [row["key"] for row in claim()] == ["a"]


def test_a_time_that_has_passed_is_met_at_once(shop: Shop) -> None:
    run = shop.accept()
    receipt = open_wait(shop, run, WaitDraft("timer", {"at": "2020-01-01T00:00:00Z"}, name="gone"))
    assert (receipt["run_state"], receipt["state"], shop.state(run)) == ("running", "met", "running")


def test_a_timer_comes_once_however_often_it_is_looked_for(shop: Shop) -> None:
    """TIM-01: nothing about it lives outside the record, so fifty passes before and after bring it once."""
    run = shop.accept(deadline_seconds=86400)
    open_wait(shop, run, timer(6 * clock.HOUR, name="later"))
    for seconds in (1, clock.HOUR, 5 * clock.HOUR):
        with clock.at(seconds):
            for _ in range(10):
                assert sweep() == {}
    with clock.at(6 * clock.HOUR + 1):
        found = [sweep().get("times come", 0) for _ in range(20)]
    assert sum(found) == found[0] == 1
    assert kinds(f"run:{run}").count("wait.met") == 1


def test_an_old_timer_does_not_wake_a_run_that_went_on_by_something_else(shop: Shop) -> None:
    """TIM-02: the answer came first, so the timer that was to end the waiting is over with it."""
    run = shop.accept()
    open_wait(shop, run, timer(5, name="answer"), timer(10, name="too-late"))
    with clock.at(6):
        sweep()
        assert (shop.state(run), waits(run)) == ("running", {"answer": "met", "too-late": "withdrawn"})
        open_wait(shop, run, timer(100, name="next"))
    with clock.at(11):
        assert sweep() == {}
    assert (shop.state(run), shop.run(run).open_waits) == ("waiting", 1)


def test_a_clock_that_is_fast_elsewhere_brings_no_time(shop: Shop) -> None:
    """TIM-10: the database's clock decides, and it is behind here."""
    run = shop.accept()
    open_wait(shop, run, timer(60))
    with clock.at(-600):
        assert sweep() == {}
    assert shop.state(run) == "waiting"


def test_the_clock_jumps_ahead_and_back_and_every_time_comes_once(shop: Shop) -> None:
    runs = [shop.accept() for _ in range(3)]
    for number, run in enumerate(runs):
        open_wait(shop, run, timer(60 + number))
    with clock.at(3600):
        assert sweep() == {"times come": 3}
    with clock.at(-clock.DAY):
        assert sweep() == {}
    assert [kinds(f"run:{run}").count("wait.met") for run in runs] == [1, 1, 1]


def test_how_late_a_time_was_told_is_in_the_record(shop: Shop) -> None:
    """TIM-09: seconds stay seconds; what the row says shows it."""
    run = shop.accept()
    open_wait(shop, run, timer(5, name="soon"))
    with clock.at(6):
        sweep()
    met = wait(run, "soon")
    assert met.ended_at is not None
    assert met.due_at is not None
    assert 0 <= (met.ended_at - met.due_at).total_seconds() < 60


def test_a_driver_that_takes_its_last_wait_back_goes_on(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="one"), timer(90, name="two"))
    assert take_back(shop, run, "one", "Not any more.")["run_state"] == "waiting"
    assert take_back(shop, run, "two")["run_state"] == "running"
    assert (shop.run(run).open_waits, waits(run)) == (0, {"one": "withdrawn", "two": "withdrawn"})


def test_a_run_that_ends_waits_for_nothing_any_more(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="one"))
    shop.fail(run)
    assert (shop.state(run), waits(run), shop.run(run).open_waits) == ("failed", {"one": "withdrawn"}, 0)
    with clock.at(61):
        assert sweep() == {}


def test_a_run_that_is_completed_drops_what_it_does_not_wait_for_as_a_whole(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="aside", parks=False))
    shop.complete(run)
    assert (shop.state(run), waits(run)) == ("succeeded", {"aside": "withdrawn"})


def test_a_run_whose_time_is_up_expires_while_it_waits(shop: Shop) -> None:
    run = shop.accept(deadline_seconds=30)
    open_wait(shop, run, timer(60, name="too-long"))
    with clock.at(31):
        assert sweep() == {"runs expired": 1}
    assert (shop.state(run), waits(run)) == ("expired", {"too-long": "withdrawn"})


@pytest.mark.parametrize(
    ("condition", "path"),
    [
        ({}, "/condition/at"), ({"at": "2027-01-01T00:00:00Z", "after_seconds": 1}, "/condition/at"), ({"at": "soon"}, "/condition/at"),
        ({"at": "2027-01-01T00:00:00"}, "/condition/at"), ({"after_seconds": -1}, "/condition/after_seconds"),
        ({"after_seconds": True}, "/condition/after_seconds"), ({"after_seconds": 10**12}, "/condition/after_seconds"),
        ({"at": "2199-01-01T00:00:00Z"}, "/condition/at"), ({"after_seconds": 1, "else": 1}, "/condition/else"),
    ],
)  # fmt: skip
def test_a_timer_that_says_no_time_is_refused_at_its_place(shop: Shop, condition: Any, path: str) -> None:
    run = shop.accept()
    with pytest.raises(BadWait) as refused:
        open_wait(shop, run, WaitDraft("timer", condition))
    assert refused.value.facts["path"] == path
    assert shop.state(run) == "running"
