"""What a cancelled run left for a person is told of once each time: to operators, and to whoever answers for its agent (R-I4)."""

from uuid import UUID

from console.notices.models import Copy, Notice
from runs.cancelling import reopening
from tests.cancels import cancel, key, stopped
from tests.cast import inside
from tests.shop import Shop, draft
from tests.work import WORKER, claimed, end_leases, settle, sweep


def told(run: UUID) -> list[tuple[str, str]]:
    """Give title and text of the notices of what a run left."""
    with inside():
        return list(
            Notice.objects.filter(kind="run.late", about=run).order_by("posted_at").values_list("title", "text")
        )


def test_that_something_was_committed_after_cancel_is_told_once(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    cancel(shop, run)
    assert told(run) == []
    settle(row, "succeeded")
    assert sweep() == {"left by cancellations told": 1}
    assert sweep() == {}
    [(title, text)] = told(run)
    assert title == "Done although it was to stop: Pay bob"
    assert text.startswith("Committed after cancel: effect 1. ")
    with inside():
        who = set(Copy.objects.filter(notice__kind="run.late").values_list("member_id", flat=True))
    assert who == {shop.members["oscar"].pk, shop.agent.owner_id}


def test_so_is_an_answer_that_comes_when_the_run_had_ended(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    lost = claimed()
    cancel(shop, run)
    end_leases(WORKER)
    settle(claimed(), "rejected")
    assert (shop.state(run), told(run)) == ("cancelled", [])
    settle(lost, "succeeded")
    sweep()
    assert [title for title, _ in told(run)] == ["Done although it was to stop: Pay bob"]


def test_clean_up_that_was_not_done_is_told(yard: Shop) -> None:
    run = yard.accept(run_type="tidy")
    cancel(yard, run)
    yard.propose(run, draft("back", cleanup=True))
    stopped(yard, run)
    settle(claimed(), "rejected", http=422)
    assert sweep() == {"left by cancellations told": 1}
    assert told(run)[0][0] == "Clean-up was not done: Pay bob"


def test_what_somebody_has_seen_to_before_the_clock_came_is_not_told(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    cancel(shop, run)
    settle(row, "succeeded")
    reopening.see_to(shop.actor("oscar"), run, reason="Booked back by hand.", key=key())
    sweep()
    assert (told(run), sweep()) == ([], {})


def test_a_cancellation_that_left_nothing_is_not_told(shop: Shop) -> None:
    run = shop.accept(draft("a", "250"))
    cancel(shop, run)
    assert (shop.state(run), sweep(), told(run)) == ("cancelled", {}, [])
