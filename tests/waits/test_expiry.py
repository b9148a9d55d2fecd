"""What is waited for and never comes: the run wakes, a person is called, or it ends, as the wait or the contract says (R-I1)."""

from typing import Any

import pytest

from console.notices.models import Notice
from runs.models import Run
from runs.sweep import CLOCK
from runs.waits import due, telling, withdrawing
from runs.waits.drafts import WaitDraft
from tests import clock
from tests.cast import inside
from tests.pending import key, open_wait, signal, timer, wait, waits
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claimed, settle, sweep

PATIENT = """
apiVersion: counterfoil/v1
kind: RunType
name: patient
version: 1
description: Waits as its contract says.
consequential: false
operations: "*"
waiting: {expires_seconds: 60, on_expiry: wake, named: {answer: {expires_seconds: 120, on_expiry: cancel}}}
"""


def posted(kind: str) -> list[str]:
    """Give the titles of the notices of a kind."""
    with inside():
        return list(Notice.objects.filter(kind=kind).order_by("posted_at").values_list("title", flat=True))


def has_go_on(shop: Shop, run: Any, by: str = "oscar", reason: str = "It was paid in cash.") -> dict[str, Any]:
    """Have a member send a run on."""
    return withdrawing.wake(shop.actor(by), run, reason=reason, key=key())


@pytest.mark.parametrize(("follows", "state"), [("wake", "running"), ("fail", "failed"), ("cancel", "cancelled")])
def test_it_takes_the_path_that_the_wait_names(shop: Shop, follows: str, state: str) -> None:
    run = shop.accept(draft("dear", "250"))
    open_wait(shop, run, signal(name="answer", expires_seconds=60, on_expiry=follows))
    with clock.at(30):
        assert sweep() == {}
    with clock.at(61):
        assert sweep()["waits expired"] == 1
        assert sweep() == {}
    assert (shop.state(run), waits(run), shop.run(run).open_waits) == (state, {"answer": "expired"}, 0)
    assert shop.run(run).attention == ""


def test_a_run_that_waits_in_vain_is_shown_to_people_until_one_has_it_go_on(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, signal(name="answer", expires_seconds=60, on_expiry="escalate"))
    with clock.at(61):
        sweep()
    found = shop.run(run)
    assert (found.attention, found.attention_reason) == (
        "overdue_wait",
        "what it waits for (answer) did not come in its time",
    )
    assert posted("run.overdue_wait") == ["Waits in vain: Pay bob"]
    for who, reason, code in (("ann", "Why not?", "only_operators"), ("oscar", " ", "reason_missing")):
        with pytest.raises(Exception, match=r"\w") as refused:
            has_go_on(shop, run, who, reason)
        assert getattr(refused.value, "code", "") == code
    assert has_go_on(shop, run)["state"] == "running"
    found = shop.run(run)
    assert (found.state, found.attention, found.attention_since) == ("running", "", None)
    assert kinds(f"run:{run}")[-2:] == ["run.woken", "wait.withdrawn"]
    with pytest.raises(withdrawing.NotWaiting):
        has_go_on(shop, run)


def test_a_person_may_have_it_go_on_before_its_time_and_what_it_waited_for_is_over(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, signal(name="answer"), timer(60, name="later"))
    has_go_on(shop, run)
    assert (shop.state(run), waits(run), shop.run(run).open_waits) == (
        "running",
        {"answer": "withdrawn", "later": "withdrawn"},
        0,
    )


def test_the_contract_says_how_long_and_what_follows_by_name_or_for_all(shop: Shop) -> None:
    assert [applied for applied in shop.apply(PATIENT) if applied.faults] == []
    plain, named = (shop.accept(run_type="patient", deadline_seconds=3600) for _ in range(2))
    open_wait(shop, plain, signal(name="other"))
    open_wait(shop, named, signal(name="answer"))
    with clock.at(61):
        sweep()
        assert (shop.state(plain), shop.state(named)) == ("running", "waiting")
    with clock.at(121):
        sweep()
    assert shop.state(named) == "cancelled"


def test_a_time_expires_only_where_somebody_says_so(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="plain"), timer(60, name="hasty", expires_seconds=30, on_expiry="wake"))
    assert wait(run, "plain").expires_at is None
    with clock.at(31):
        sweep()
    assert waits(run) == {"plain": "withdrawn", "hasty": "expired"}


def test_a_time_that_has_come_does_not_expire_though_its_run_was_held_when_it_came(shop: Shop) -> None:
    run = shop.accept()
    open_wait(shop, run, timer(60, name="hour", expires_seconds=60, on_expiry="fail"))
    with clock.at(61):
        with inside():
            assert due.expire(CLOCK, 100) == 0
        assert sweep() == {"times come": 1}
    assert (shop.state(run), waits(run)) == ("running", {"hour": "met"})


def test_a_child_that_has_ended_is_told_of_and_not_given_up(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = shop.accept()
    child = shop.accept(parent=parent, parent_epoch=1)
    open_wait(shop, parent, WaitDraft("children", {}, name="below", expires_seconds=60, on_expiry="fail"))
    monkeypatch.setattr(telling, "_tell", lambda children: None)  # as if somebody had held the parent then
    shop.complete(child)
    with clock.at(61):
        with inside():
            assert due.expire(CLOCK, 100) == 0
        assert sweep() == {"parents told": 1}
    assert (shop.state(parent), waits(parent)) == ("running", {"below": "met"})


def test_an_effect_that_ends_after_its_wait_is_over_does_not_meet_it_though_no_clock_has_passed(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    wanted = {"effects": [str(shop.effect(run, "a").pk)]}
    open_wait(shop, run, WaitDraft("effects", wanted, name="done", expires_seconds=10, on_expiry="wake"))
    begun = claimed()
    with clock.at(11):
        settle(begun)
        assert (shop.effect(run, "a").state, shop.state(run), waits(run)) == ("succeeded", "waiting", {"done": "open"})
        sweep()
    assert (shop.state(run), waits(run)) == ("running", {"done": "expired"})


def test_nor_does_a_child(shop: Shop) -> None:
    parent, first = shop.accept(), shop.accept()
    shop.verified = False  # whose child it is was written past the moves
    with inside():
        Run.objects.filter(pk=first).update(parent=parent)
    open_wait(shop, parent, WaitDraft("children", {}, name="children", expires_seconds=10, on_expiry="wake"))
    with clock.at(11):
        shop.complete(first)
        assert (shop.state(parent), waits(parent)) == ("waiting", {"children": "open"})
        sweep()
    assert waits(parent) == {"children": "expired"}
