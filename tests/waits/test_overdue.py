"""What calls a person because it did not come in its time is waited for still: what comes late counts, and holds back until then (R-I1)."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from console.notices.models import Notice
from runs.signals import receiving
from runs.signals.drafts import SignalDraft
from runs.waits.drafts import WaitDraft
from tests import clock
from tests.cast import inside
from tests.pending import key, open_wait, signal, take_back, timer, wait, waits
from tests.record import findings, kinds
from tests.shop import Shop, draft
from tests.work import claim, settle, sweep

OVERDUE = ("overdue_wait", "what it waits for (answer) did not come in its time")


def overdue(shop: Shop, *others: WaitDraft, parks: bool = True) -> UUID:
    """Have a run that waits for an answer whose time is over, and give its id."""
    run = shop.accept()
    answer = signal("reply", "order-1", name="answer", expires_seconds=60, on_expiry="escalate", parks=parks)
    open_wait(shop, run, answer, *others)
    with clock.at(61):
        sweep()
    return run


def reply(shop: Shop) -> None:
    """Send the answer after all."""
    receiving.send(shop.bot, SignalDraft("reply", "order-1", {"text": "Yes."}), key=key())


def test_the_run_waits_on_and_people_are_told_once(shop: Shop) -> None:
    run = overdue(shop)
    with clock.at(70):
        assert sweep() == {}
    found, answer = shop.run(run), wait(run, "answer")
    assert (found.state, found.attention, found.attention_reason, found.open_waits) == ("waiting", *OVERDUE, 1)
    assert (answer.state, answer.ended_at) == ("open", None)
    assert answer.overdue_at is not None
    assert answer.overdue_at - answer.opened_at >= timedelta(seconds=60)
    assert kinds(f"run:{run}")[-1] == "wait.overdue"
    with inside():
        assert Notice.objects.filter(kind="run.overdue_wait", about=run).count() == 1


def test_a_signal_that_comes_late_wakes_the_run_and_ends_the_alarm(shop: Shop) -> None:
    run = overdue(shop)
    with clock.at(90):
        reply(shop)
    found = shop.run(run)
    assert (found.state, found.attention, found.attention_since, waits(run)) == ("running", "", None, {"answer": "met"})
    assert findings() == []


def test_a_signal_after_its_time_counts_also_before_a_clock_has_passed(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, signal("reply", "order-1", name="answer", expires_seconds=60, on_expiry="escalate"))
    with clock.at(61):
        reply(shop)
        assert sweep() == {}
    assert (shop.state(run), waits(run)) == ("running", {"answer": "met"})


def test_so_do_an_effect_and_a_child(shop: Shop) -> None:
    run, parent = shop.accept(draft("a")), shop.accept()
    child = shop.accept(parent=parent, parent_epoch=1)
    late: dict[str, Any] = {"expires_seconds": 60, "on_expiry": "escalate", "name": "it"}
    open_wait(shop, run, WaitDraft("effects", {"effects": [str(shop.effect(run, "a").pk)]}, **late))
    open_wait(shop, parent, WaitDraft("children", {}, **late))
    [begun] = claim(lease=600)
    with clock.at(61):
        sweep()
        assert [shop.run(each).attention for each in (run, parent)] == ["overdue_wait"] * 2
        settle(begun)
        shop.complete(child)
        sweep()
    assert [shop.state(each) for each in (run, parent)] == ["running"] * 2
    assert [waits(each) for each in (run, parent)] == [{"it": "met"}] * 2


def test_what_came_for_another_of_its_waits_wakes_it_and_ends_the_one_that_is_overdue(shop: Shop) -> None:
    run = overdue(shop, timer(120, name="later"))
    with clock.at(121):
        sweep()
    assert (shop.state(run), shop.run(run).attention, waits(run)) == (
        "running", "", {"answer": "withdrawn", "later": "met"},
    )  # fmt: skip


def test_effects_that_stand_back_for_it_stand_back_until_it_comes(shop: Shop) -> None:
    run = overdue(shop, parks=False)
    held = draft("held", after_waits=["answer"])
    shop.propose(run, held)
    assert (shop.state(run), shop.run(run).attention) == ("running", "overdue_wait")
    assert shop.effect(run, "held").state == "blocked"
    with clock.at(90):
        reply(shop)
    assert (shop.effect(run, "held").state, shop.run(run).attention) == ("ready", "")


@pytest.mark.parametrize("parks", [True, False])
def test_its_driver_takes_it_back_and_the_alarm_is_over(shop: Shop, *, parks: bool) -> None:
    run = overdue(shop, parks=parks)
    take_back(shop, run, "answer", "The customer called.")
    assert (shop.state(run), shop.run(run).attention, waits(run)) == ("running", "", {"answer": "withdrawn"})


def test_the_alarm_stays_while_another_is_overdue(shop: Shop) -> None:
    run = overdue(
        shop, signal("paid", "order-1", name="paid", expires_seconds=30, on_expiry="escalate", parks=False), parks=False
    )
    assert shop.run(run).attention == "overdue_wait"
    take_back(shop, run, "answer")
    assert shop.run(run).attention == "overdue_wait"
    take_back(shop, run, "paid")
    assert shop.run(run).attention == ""
