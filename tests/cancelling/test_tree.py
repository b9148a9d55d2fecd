"""What a run started is cancelled with it: every child in a transaction of its own, none of them twice, and none forgotten (CAN-06)."""

import pytest

from console.crashpoint import CrashPointHit, arm
from runs.models import Cancellation
from tests.cancels import cancel, of_run, started, states
from tests.cast import inside
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claimed, settle, sweep


def test_can_06_children_and_grandchildren_are_cancelled_and_what_is_in_flight_keeps_its_run_open(shop: Shop) -> None:
    parent = shop.accept()
    busy = started(shop, parent, draft("a"))
    row = claimed()
    idle = started(shop, parent, draft("b", "250"))
    below = started(shop, idle, draft("c", "250"))
    assert cancel(shop, parent)["state"] == "closing"
    assert [shop.state(run) for run in (busy, idle, below)] == ["closing", "cancelled", "cancelled"]
    assert shop.request(below, "c").state == "withdrawn"
    assert (shop.state(parent), states(parent), states(busy)) == ("closing", ["resolving"], ["resolving"])
    settle(row, "unknown", http=None, delay=0, step="status")
    assert shop.state(busy) == "closing"
    settle(claimed(), "rejected")
    assert shop.state(busy) == "cancelled"
    sweep()
    assert (shop.state(parent), states(parent)) == ("cancelled", ["proven"])
    for run in (parent, busy, idle, below):
        assert kinds(f"run:{run}").count("cancellation.requested") == 1


def test_a_run_alone_leaves_what_it_started_to_go_on(shop: Shop) -> None:
    parent = shop.accept()
    child = started(shop, parent)
    assert cancel(shop, parent, scope="run")["state"] == "cancelled"
    assert shop.state(child) == "running"


def test_each_child_says_for_whose_sake_it_was_cancelled(shop: Shop) -> None:
    parent = shop.accept()
    child = started(shop, parent)
    cancel(shop, parent)
    found = of_run(child)[0]
    assert (found.of_id, found.asked_by, found.reason) == (
        of_run(parent)[0].pk, of_run(parent)[0].asked_by, "the run that started it was cancelled",
    )  # fmt: skip


def test_what_was_cut_off_between_parent_and_children_is_done_by_the_clock(shop: Shop) -> None:
    parent = shop.accept()
    child = started(shop, parent)
    below = started(shop, child)
    arm("cancel.after_request:1:raise")
    try:
        with pytest.raises(CrashPointHit):
            cancel(shop, parent)
    finally:
        arm("")
    assert (shop.state(parent), shop.state(child)) == ("closing", "running")
    for _ in range(4):
        sweep()
    assert [shop.state(run) for run in (parent, child, below)] == ["cancelled"] * 3
    with inside():
        assert not Cancellation.objects.filter(due_at__isnull=False).exists()


def test_a_child_that_ended_meanwhile_is_left_as_it_is(shop: Shop) -> None:
    parent = shop.accept()
    done, child = started(shop, parent, draft("a")), started(shop, parent)
    settle(claimed())
    shop.complete(done)
    cancel(shop, parent)
    assert [shop.state(run) for run in (done, child, parent)] == ["succeeded", "cancelled", "cancelled"]
    assert of_run(done) == []
