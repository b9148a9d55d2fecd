"""What makes good for something, at a bank that refuses, loses, half does, pretends or is late, or where somebody changed it (R-J1)."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from compensation.models import WorkItem
from compensation.plans.refusing import CompensationOfCompensation
from console.exact import decode
from runs.models import Effect
from tests import clock
from tests.cancels import cancel
from tests.compensation import sales
from tests.compensation.test_asking import ask
from tests.processes import until
from tests.runs.banking import Bank, bank
from tests.runs.shifting import Working
from tests.shop import Shop
from tests.work import sweep

__all__ = ["bank"]


@pytest.fixture
def seller(shop: Shop, bank: Bank) -> Iterator[Shop]:
    """The shop, with a worker that is there until the end."""
    sales.with_sales(shop)
    working = Working(idle_seconds=600, lasts_seconds=600)
    yield shop
    working.drain()
    working.ends()


def charged(seller: Shop) -> tuple[UUID, Effect, str]:
    """Have something charged; gives the run, the effect and the account."""
    of = sales.account()
    run = sales.sale(seller, ["charge"], of)
    assert until(lambda: sales.effects(run)[0].state == "succeeded")
    return run, sales.effects(run)[0], of


def comes_to(run: UUID, *states: str, waits_for: str = "") -> bool:
    """Let the clock pass until the one work item of a run stands like this."""

    def stands() -> bool:
        sweep()
        return [each.state for each in sales.items(run)] == [*states] and item(run).waits_for == waits_for

    return until(stands)


def item(run: UUID) -> WorkItem:
    (found,) = sales.items(run)
    return found


def acting(run: UUID) -> Effect:
    found = item(run).acting
    assert found is not None
    return found


def made(seller: Shop, run: UUID) -> list[str]:
    """Give the kinds of the attempts that were made to make good, in order."""
    return [attempt.kind for attempt in seller.attempts(run, acting(run).key)]


def test_cmp_01_a_refund_that_is_refused_is_somebodys_work_and_the_run_does_not_end(seller: Shop, bank: Bank) -> None:
    run, charge, of = charged(seller)
    bank.about(sales.undone_at(charge), {"do": "reject", "reason": "The account is closed."})
    cancel(seller, run)
    assert comes_to(run, "escalated"), item(run).state
    found = item(run)
    assert found.owner_group == "operators"
    assert "The account is closed." in found.state_reason
    assert (acting(run).state, made(seller, run)) == ("rejected", ["check", "act"])
    assert (seller.state(run), seller.run(run).compensation) == ("closing", "open")
    assert seller.effect(run, charge.key).state == "succeeded", "what happened has happened"
    assert bank.account(of)["paid"] == "61.00"


def test_one_that_is_busy_is_tried_again_within_its_own_attempts(seller: Shop, bank: Bank) -> None:
    run, charge, of = charged(seller)
    bank.about(sales.undone_at(charge), "unavailable", "unavailable", then="pass")
    cancel(seller, run)
    assert comes_to(run, "done")
    assert made(seller, run) == ["check", "act", "check", "act", "check", "act", "verify"]
    assert bank.account(of)["paid"] == "1.50"


def test_one_that_is_done_and_never_answered_is_found_out_and_not_sent_again(seller: Shop, bank: Bank) -> None:
    run, charge, of = charged(seller)
    bank.about(sales.undone_at(charge), "commit_and_drop", then="pass")
    cancel(seller, run)
    assert comes_to(run, "done")
    assert bank.account(of)["paid"] == "1.50"


def test_a_200_for_what_was_not_done_is_not_done(seller: Shop, bank: Bank) -> None:
    run, charge, of = charged(seller)
    bank.about(sales.undone_at(charge), "pretend")
    cancel(seller, run)
    assert until(
        lambda: sweep() is not None and [each.state for each in sales.effects(run)] == ["succeeded", "unknown"]
    )
    assert comes_to(run, "running")
    assert (seller.state(run), bank.account(of)["paid"]) == ("closing", "61.00")


def test_of_what_was_paid_back_in_part_the_part_is_kept_and_the_rest_is_somebodys_work(
    seller: Shop, bank: Bank
) -> None:
    run, charge, of = charged(seller)
    bank.about(sales.undone_at(charge), "partial")
    cancel(seller, run)
    assert comes_to(run, "escalated")
    assert (acting(run).state, "in part" in item(run).state_reason) == ("partial", True)
    assert item(run).left
    assert bank.account(of)["given_back"] == "39.16"


def test_what_somebody_paid_back_meanwhile_is_not_paid_back_again_and_the_difference_is_shown(
    seller: Shop, bank: Bank
) -> None:
    run, charge, of = charged(seller)
    bank.somebody_else(sales.undone_at(charge))
    cancel(seller, run)
    assert comes_to(run, "waiting", waits_for="person")
    shown = decode(item(run).difference.encode())
    assert {"path": "body.status", "expected": "charged", "found": "paid_back"} in shown  # type: ignore[operator]
    assert (acting(run).state, acting(run).outcome) == ("withdrawn", "conflict")
    assert bank.account(of)["paid"] == "1.50"
    assert seller.state(run) == "closing"


def test_what_comes_late_is_taken_for_what_it_is(seller: Shop, bank: Bank) -> None:
    """The bank takes it on and does it later; until then the item is at work and the run does not end."""
    run, charge, of = charged(seller)
    bank.about(sales.undone_at(charge), {"do": "accept_202", "seconds": 5}, then="pass")
    cancel(seller, run)
    assert comes_to(run, "running")
    assert seller.state(run) == "closing"
    assert comes_to(run, "done")
    assert (seller.state(run), bank.account(of)["paid"]) == ("cancelled", "1.50")


def test_a_run_whose_time_is_over_expires_once_it_is_made_good_for(seller: Shop, bank: Bank) -> None:
    """What makes good has a time of its own, which begins when it is planned."""
    run, _, of = charged(seller)
    with clock.at(4 * clock.DAY):
        assert comes_to(run, "done")
        assert (seller.state(run), bank.account(of)["paid"]) == ("expired", "1.50")


def test_what_makes_good_is_not_made_good_for_in_turn(seller: Shop, bank: Bank) -> None:
    run, _, of = charged(seller)
    cancel(seller, run)
    assert comes_to(run, "done")
    with pytest.raises(CompensationOfCompensation):
        ask(seller, run, acting(run).key)
    assert len(sales.effects(run)) == 2
    assert bank.account(of)["paid"] == "1.50"


def test_a_run_that_is_cancelled_while_it_compensates_goes_on_to_its_end(seller: Shop, bank: Bank) -> None:
    """CMP-05"""
    run, charge, of = charged(seller)
    bank.about(sales.undone_at(charge), {"do": "slow", "seconds": 6}, then="pass")
    first = cancel(seller, run)
    assert comes_to(run, "running")
    assert cancel(seller, run)["cancellation"] == first["cancellation"]
    assert comes_to(run, "done")
    assert (seller.state(run), bank.account(of)["paid"]) == ("cancelled", "1.50")
