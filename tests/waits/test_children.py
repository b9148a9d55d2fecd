"""Children that are waited for: all or any, and what a child's failure, cancellation and unknown each do to the parent."""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from runs import driving
from runs.models import Run
from runs.waits.conditions import BadWait
from runs.waits.drafts import WaitDraft
from tests import databases
from tests.cast import inside
from tests.pending import open_wait, wait, waits
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claimed, settle, sweep


def child(shop: Shop, parent: UUID, *effects: Any, **more: Any) -> UUID:
    """Have a run begun by another."""
    run = shop.accept(*effects, **more)
    shop.verified = False  # whose child it is was written past the moves
    with inside():
        Run.objects.filter(pk=run).update(parent=parent)
    return run


def children(*, parks: bool = True, **condition: Any) -> WaitDraft:
    """Draft a wait for children."""
    return WaitDraft("children", condition, name="children", parks=parks)


@pytest.fixture
def parent(shop: Shop) -> UUID:
    return shop.accept(goal="The whole of it")


def test_all_of_them_are_waited_for_and_each_end_is_told_at_once(shop: Shop, parent: UUID) -> None:
    first, second = child(shop, parent), child(shop, parent)
    open_wait(shop, parent, children())
    shop.complete(first)
    assert (shop.state(parent), shop.run(first).told_at is not None) == ("waiting", True)
    shop.complete(second)
    assert (shop.state(parent), waits(parent)) == ("running", {"children": "met"})
    assert sweep() == {}


def test_any_of_them_is_enough_where_that_is_asked(shop: Shop, parent: UUID) -> None:
    first, second = child(shop, parent), child(shop, parent)
    open_wait(shop, parent, children(mode="any"))
    shop.complete(second)
    assert (shop.state(parent), shop.state(first)) == ("running", "running")


@pytest.mark.parametrize(
    ("says", "state", "met"), [("wake", "running", "met"), ("ignore", "waiting", "open"), ("fail", "failed", "met")]
)
def test_a_failure_does_what_the_wait_says(shop: Shop, parent: UUID, says: str, state: str, met: str) -> None:
    first, _ = child(shop, parent), child(shop, parent)
    open_wait(shop, parent, children(failed=says))
    shop.fail(first)
    assert (shop.state(parent), waits(parent)) == (state, {"children": met})


@pytest.mark.parametrize(("says", "state"), [("wake", "running"), ("ignore", "waiting"), ("fail", "failed")])
def test_so_does_a_cancellation(shop: Shop, parent: UUID, says: str, state: str) -> None:
    first, _ = child(shop, parent), child(shop, parent)
    open_wait(shop, parent, children(cancelled=says))
    with inside(shop.tenant.pk):
        run = Run.objects.select_for_update().get(pk=first)
        driving.close(shop.office, [run], toward="cancelled", reason="not wanted", now=run.created_at)
    assert shop.state(parent) == state


@pytest.mark.parametrize(("says", "state"), [("wake", "running"), ("ignore", "waiting"), ("fail", "failed")])
def test_and_an_end_with_something_unknown(shop: Shop, parent: UUID, says: str, state: str) -> None:
    first, _ = child(shop, parent, draft("a"), run_type="lenient"), child(shop, parent)
    settle(claimed(), "unknown", delay=3600)
    open_wait(shop, parent, children(unknown=says))
    shop.complete(first, accepting=[shop.effect(first, "a").pk])
    assert (shop.state(first), shop.state(parent)) == ("succeeded_with_unresolved", state)


def test_when_all_have_ended_there_is_nothing_more_to_wait_for(shop: Shop, parent: UUID) -> None:
    first, second = child(shop, parent), child(shop, parent)
    open_wait(shop, parent, children(mode="any", failed="ignore"))
    shop.fail(first)
    assert shop.state(parent) == "waiting"
    shop.fail(second)
    assert shop.state(parent) == "running"
    assert wait(parent, "children").result is not None


def test_a_child_that_ends_by_a_worker_is_told_by_the_clock(shop: Shop, parent: UUID) -> None:
    child(shop, parent, draft("a"), completes_itself=True)
    open_wait(shop, parent, children())
    settle(claimed())
    assert shop.state(parent) == "waiting"
    assert sweep() == {"parents told": 1}
    assert shop.state(parent) == "running"
    assert kinds(f"run:{parent}")[-1] == "wait.met"


def test_children_that_ended_before_meet_their_wait_at_once(shop: Shop, parent: UUID) -> None:
    shop.complete(child(shop, parent))
    assert open_wait(shop, parent, children())["run_state"] == "running"


def test_news_of_a_parent_that_somebody_holds_waits_for_the_next_pass(shop: Shop, parent: UUID) -> None:
    first = child(shop, parent)
    open_wait(shop, parent, children())
    with psycopg.connect(databases.variables()["DATABASE_WORKER_URL"]) as elsewhere:
        elsewhere.execute("select 1 from runs_run where id = %s for no key update", [parent])
        shop.complete(first)
        assert shop.run(first).told_at is None
    assert sweep() == {"parents told": 1}
    assert shop.state(parent) == "running"


def test_only_children_of_the_run_are_waited_for(shop: Shop, parent: UUID) -> None:
    stranger = shop.accept()
    wanted: list[dict[str, Any]] = [{}, {"runs": [str(stranger)]}, {"runs": [str(parent)]}, {"runs": []}]
    for condition in wanted:
        with pytest.raises(BadWait):
            open_wait(shop, parent, children(**condition))
    child(shop, parent)
    with pytest.raises(BadWait):
        open_wait(shop, parent, children(mode="most"))
