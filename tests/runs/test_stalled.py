"""A run that nothing will wake is shown and told of, once; one that goes on by itself is left alone (RES-06)."""

import pytest

from console.notices.models import Notice
from runs.models import Run
from runs.ownership.acquiring import acquire
from runs.ownership.releasing import release
from runs.ownership.renewing import renew
from runs.ownership.watching import NOTHING
from tests import clock, permits
from tests.cast import inside
from tests.record import kinds
from tests.resuming.again import again
from tests.shop import Shop, draft
from tests.work import claimed, settle, sweep

LEASE = 60
STANDS_STILL = {"runs watched": 1}


def told() -> list[str]:
    with inside():
        return list(Notice.objects.filter(kind="run.stalled").values_list("title", flat=True))


def test_a_run_that_nobody_drives_and_nothing_wakes_is_shown_and_told_of_once(shop: Shop) -> None:
    run = shop.accept(goal="Pay the house")
    with clock.at(LEASE + 1):
        assert sweep() == STANDS_STILL
        assert sweep() == {}
    with clock.at(clock.HOUR / 2):
        assert sweep() == {}
    found = shop.run(run)
    assert (found.attention, found.attention_reason, found.state) == ("stalled", NOTHING, "running")
    assert found.attention_since is not None
    assert told() == ["Stands still: Pay the house"]
    assert kinds(found.stream())[-1] == "run.stalled"


def test_the_others_go_on_beside_one_that_stands_still(shop: Shop) -> None:
    shop.accept()
    with clock.at(LEASE + 1):
        sweep()
        other = shop.accept(draft("a"), completes_itself=True)
        settle(claimed())
        assert shop.state(other) == "succeeded"


def test_a_run_with_a_driver_is_left_alone(shop: Shop) -> None:
    run = shop.accept()
    with clock.at(LEASE - 1):
        renew(shop.bot, run, epoch=1)
    with clock.at(LEASE + 1):
        assert sweep() == {}
    with clock.at(2 * LEASE):
        assert sweep() == STANDS_STILL


@pytest.mark.parametrize("amount", ["10", "250"])
def test_a_run_in_which_something_goes_on_by_itself_is_left_alone(shop: Shop, amount: str) -> None:
    run = shop.accept(draft("a", amount))
    with clock.at(LEASE + 1):
        assert sweep() == {}
    assert shop.run(run).attention == ""


def test_it_is_found_when_the_last_of_what_went_on_has_ended(shop: Shop) -> None:
    shop.accept(draft("a"))
    with clock.at(LEASE + 1):
        assert sweep() == {}
        settle(claimed())
    with clock.at(3 * LEASE):
        assert sweep() == STANDS_STILL


def test_a_run_that_completes_itself_needs_no_driver(shop: Shop) -> None:
    shop.accept(draft("a", "250"), completes_itself=True)
    with clock.at(10 * LEASE):
        assert "runs watched" not in sweep()


def test_what_the_agent_does_itself_is_not_done_without_it(shop: Shop) -> None:
    shop.apply(permits.LABEL.format(name="label", version=1, access="write", dependency="null", attempts=2))
    run = shop.accept(draft("a", operation="label"))
    with clock.at(LEASE + 1):
        assert sweep() == STANDS_STILL
    assert shop.states(run) == {"a": "ready"}


def test_a_run_that_changed_hands_and_lost_its_driver_before_it_resumed_stands_still(shop: Shop) -> None:
    run = shop.accept(draft("a"), completes_itself=True)
    release(shop.bot, run, epoch=1, key="let-go")
    acquire(shop.bot, run, holder="second", key="take")
    with clock.at(LEASE + 1):
        assert sweep() == STANDS_STILL


def test_whoever_takes_it_up_ends_the_alarm(shop: Shop) -> None:
    run = shop.accept()
    with clock.at(LEASE + 1):
        sweep()
        acquire(shop.bot, run, holder="second", key="take")
        assert shop.run(run).attention == ""
        assert sweep() == {}


def test_a_driver_that_was_only_slow_ends_the_alarm_by_a_sign_of_life_or_a_write(shop: Shop) -> None:
    alive, writes = shop.accept(), shop.accept()
    with clock.at(LEASE + 1):
        assert sweep() == {"runs watched": 2}
        renew(shop.bot, alive, epoch=1)
        assert shop.run(alive).attention == ""
        shop.propose(writes, draft("a", "250"))
        assert sweep() == STANDS_STILL
        assert shop.run(writes).attention == ""
        assert kinds(shop.run(writes).stream())[-1] == "run.goes_on"


def test_it_is_told_of_again_when_it_stands_still_again(shop: Shop) -> None:
    run = shop.accept(goal="Pay the house")
    with clock.at(LEASE + 1):
        sweep()
        renew(shop.bot, run, epoch=1)
    with clock.at(3 * LEASE):
        assert sweep() == STANDS_STILL
    assert len(told()) == 2


def test_what_needs_a_person_for_another_reason_keeps_that_reason(shop: Shop) -> None:
    run = shop.accept()
    shop.verified = False
    with inside():
        Run.objects.filter(pk=run).update(attention="decision")
    with clock.at(LEASE + 1):
        assert sweep() == {}
    assert shop.run(run).attention == "decision"


def test_a_run_that_changed_hands_does_not_complete_by_itself_before_a_resume_has_decided(shop: Shop) -> None:
    run = shop.accept(draft("a"), completes_itself=True)
    begun = claimed()
    with clock.at(LEASE + 1):
        acquire(shop.bot, run, holder="second", key="take")
        settle(begun)
        assert (shop.states(run), shop.state(run)) == ({"a": "succeeded"}, "running")
        assert again(shop, run, holder="second", epoch=shop.run(run).epoch)["decision"] in {"continue", "replan"}
    with clock.at(3 * LEASE):
        sweep()
    assert shop.state(run) == "succeeded"
