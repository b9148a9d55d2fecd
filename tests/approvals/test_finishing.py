"""Finish by: the time counts from the first use, no attempt begins after it, and what still runs is followed as the policy says, once."""

from uuid import UUID

import pytest

from approvals.models import Request
from runs.models import Cancellation
from runs.resuming.loading import _to_undo
from tests import clock
from tests.approvals.lending import ONE, approve, lending, loan, now
from tests.cast import inside
from tests.record import kinds
from tests.shop import Shop
from tests.work import Row, claim, follow, settle, sweep


def begun(shop: Shop, then: str) -> tuple[UUID, Request, Row]:
    """Have a loan approved that is to be over a minute after it began, and begin it."""
    lending(shop, ONE, f", finish: {{within_seconds: 60, then: {then}}}")
    run, request = loan(shop)
    approve(shop, request)
    follow()
    return run, request, claim(lease=300)[0]


def test_its_time_counts_from_the_first_use(shop: Shop) -> None:
    _, request, _ = begun(shop, "let_finish")
    used = now(request)
    assert used.finish_by is not None
    assert used.consumed_at is not None
    assert (used.finish_by - used.consumed_at).total_seconds() == 60


def test_no_attempt_begins_after_it(shop: Shop) -> None:
    run, request, row = begun(shop, "let_finish")
    settle(row, "not_sent", sent=False, http=None, delay=1)
    with clock.at(61):
        assert claim() == []
    assert (shop.effect(run, "loan").state, shop.effect(run, "loan").state_reason) == ("lapsed", "finish_by")
    assert now(request).state == "consumed"


@pytest.mark.parametrize("then", ["let_finish", "ask_to_cancel", "compensate"])
def test_what_runs_past_it_is_followed_once(shop: Shop, then: str) -> None:
    run, request, row = begun(shop, then)
    settle(row, "accepted", http=202, reference="op-1", delay=300)
    with clock.at(61):
        assert sweep()["late work followed"] == 1
        assert "late work followed" not in sweep()
    assert kinds(request.stream()).count("request.overran") == 1
    assert now(request).overran_at is not None
    with inside():
        asked = Cancellation.objects.filter(run_id=run).count()
    assert asked == (1 if then == "ask_to_cancel" else 0)


def test_what_is_to_be_undone_is_said_once_it_was_done(shop: Shop) -> None:
    run, _, row = begun(shop, "compensate")
    with clock.at(61):
        sweep()
        settle(row)
    found = shop.run(run)
    with inside():
        assert [effect.key for effect in _to_undo(found, found.created_at)] == ["loan"]


def test_what_was_over_in_time_is_left_alone(shop: Shop) -> None:
    _, request, row = begun(shop, "compensate")
    settle(row)
    with clock.at(61):
        sweep()
    assert now(request).overran_at is None
    assert "request.overran" not in kinds(request.stream())


def test_what_was_asked_anew_goes_by_the_time_of_what_was_approved_then(shop: Shop) -> None:
    """The first approval was for a minute, and ended when the policy changed; the second is for ten, and is being used."""
    run, first, row = begun(shop, "ask_to_cancel")
    settle(row, "not_sent", sent=False, http=None, delay=1)
    lending(shop, ONE, ", finish: {within_seconds: 600, then: ask_to_cancel}", version=2)
    sweep()
    approve(shop, shop.request(run, "loan"))
    follow()
    assert len(claim(lease=300)) == 1
    with clock.at(61):
        assert sweep()["late work followed"] == 1
    assert (now(first).state, now(first).overran_at) == ("rerouted", None)
    assert shop.states(run) == {"loan": "dispatched"}
    with inside():
        assert not Cancellation.objects.filter(run_id=run).exists()
