"""What came while nobody drove: corrections, waits, pauses, cancellation; each is told, and does what it is to do (R-H1, R-I1, R-I4)."""

from runs.resuming import told
from tests import cancels, clock, corrections, halting
from tests.limits import extend, limited, use
from tests.pending import open_wait, timer
from tests.record import findings, kinds
from tests.resuming.again import after_the_lease, again, brief, detail
from tests.shop import Shop, draft
from tests.unsure import find
from tests.work import claim, claimed, follow, settle, sweep


def test_a_correction_is_told_and_counts_as_seen_by_the_resume(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    corrections.correct(shop, run, "Pay carl instead of bob.")
    with after_the_lease():
        assert again(shop, run)["decision"] == "replan"
        assert brief(run)["changed"]["corrections"]["first"][0]["text"] == "Pay carl instead of bob."
        assert (shop.run(run).corrections_count, shop.run(run).corrections_seen) == (1, 1)
        shop.propose(run, draft("b"), epoch=2)
        assert again(shop, run, epoch=2)["decision"] == "continue"
    assert findings() == []


def test_a_run_that_completes_by_itself_does_so_when_its_correction_was_seen_by_a_resume(shop: Shop) -> None:
    run = shop.accept(draft("a"), completes_itself=True)
    row = claimed()
    corrections.correct(shop, run, "Thank you.")
    settle(row)
    assert shop.state(run) == "running"
    with after_the_lease():
        sweep()
        assert again(shop, run)["decision"] == "replan"
        sweep()
        assert shop.state(run) == "running"  # whoever resumed it may have more to do
    with clock.at(200):
        sweep()
    assert shop.state(run) == "succeeded"
    assert findings() == []


def test_a_run_that_was_to_wait_for_what_is_unknown_is_told_of_when_nobody_comes_back(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", "250"), completes_itself=True)
    settle(claimed(), "unknown", http=None)
    assert again(shop, run, epoch=1)["decision"] == "wait"
    find(shop, shop.effect(run, "a"), result={"receipt": "r-9"})
    shop.approve(shop.request(run, "b"))
    follow()
    with clock.at(200):
        sweep()
        assert claim() == []  # it is held until a resume goes on
    assert shop.run(run).attention == "stalled"


def test_what_a_correction_withdrew_is_told(shop: Shop) -> None:
    run = shop.accept(draft("a", "250"))
    corrections.correct(shop, run, "Do not pay.", operation="pay")
    with after_the_lease():
        assert again(shop, run)["decision"] == "replan"
    assert "Withdrawn since it was last driven: effect 1" in detail(run, "news")


def test_a_run_that_waits_is_left_waiting_and_goes_on_when_it_was_woken(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    open_wait(shop, run, timer(600, name="tomorrow"))
    before = shop.run(run)
    assert again(shop, run)["decision"] == "wait"
    after = shop.run(run)
    assert (after.state, after.epoch, after.resume_due) == ("waiting", before.epoch, before.resume_due)
    assert "tomorrow" in detail(run, "news")
    with clock.at(601):
        sweep()
        assert again(shop, run)["decision"] == "continue"
        assert "Waits that ended: tomorrow met" in detail(run, "news")
        assert shop.run(run).state == "running"
    assert findings() == []


def test_a_pause_is_told_and_a_resume_does_not_lift_it(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    halting.pause(shop, halting.of_run(run), "oscar")
    with after_the_lease():
        assert again(shop, run)["decision"] == "continue"
        assert "Paused: this run" in detail(run, "news")
        assert claim() == []


def test_a_resume_after_a_cancellation_is_recorded_and_changes_nothing(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    cancels.cancel(shop, run, mode="immediate")
    assert shop.state(run) == "cancelled"
    with after_the_lease():
        assert again(shop, run)["decision"] == "terminate"
        assert claim() == []
    assert shop.state(run) == "cancelled"
    assert kinds(shop.run(run).stream())[-1] == "run.resumed_late"
    assert findings() == []


def test_a_reopened_run_goes_on_only_once_it_was_resumed(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    cancels.cancel(shop, run, mode="immediate")
    cancels.reopen(shop, run)
    with after_the_lease():
        assert again(shop, run)["decision"] == "replan"
    assert shop.state(run) == "running"
    assert findings() == []


def test_what_is_left_of_the_budgets_is_told_and_what_ran_out_needs_a_person(shop: Shop) -> None:
    run = shop.accept(draft("a"), run_type=limited(shop, limits="{tokens: 1000}"))
    use(shop, run, tokens=400)
    assert again(shop, run, epoch=1)["decision"] == "continue"
    assert brief(run)["limits"]["budgets"] == [{"budget": "tokens", "allowed": "1000", "used": "400", "left": "600"}]
    assert "Budget of tokens: 600 left of 1000." in told.text(brief(run))
    use(shop, run, tokens=700)
    assert shop.state(run) == "exhausted"
    assert again(shop, run)["decision"] == "escalate"
    assert (shop.state(run), shop.run(run).attention) == ("exhausted", "exhausted")
    extend(shop, run, tokens=1000)
    with after_the_lease():
        assert again(shop, run)["decision"] == "continue"
    assert findings() == []
