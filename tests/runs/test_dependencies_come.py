"""Waits for a dependency, and for its rate window (R-I1): what answers wakes them, as fast as its contract lets a backlog be taken up."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from console.clock import instant, now
from runs.waits.drafts import WaitDraft
from tests import clock
from tests.cast import inside
from tests.pending import open_wait
from tests.shop import Shop, dependency, draft
from tests.signalling import said, waits
from tests.work import claimed, settle, sweep

RECOVERY = "recovery: {order: 1, warm_up_seconds: 0, drain_per_second: 2}\n"


@pytest.fixture
def slow(shop: Shop) -> Shop:
    """The shop, whose bank takes up two runs a second."""
    shop.apply(dependency("bank", version=2) + RECOVERY)
    return shop


def waiting(shop: Shop, number: int, kind: str = "dependency", **condition: Any) -> list[UUID]:
    """Have so many runs wait, one after the other."""
    runs = [shop.accept(goal=f"Wait {place}") for place in range(number)]
    for run in runs:
        open_wait(shop, run, WaitDraft(kind, condition or {"name": "bank"}))
    return runs


def window(seconds: float) -> str:
    """Write an instant so many seconds from now."""
    with inside():
        return str(instant(now() + timedelta(seconds=seconds)))


def states(shop: Shop, runs: list[UUID]) -> list[str]:
    return [shop.state(run) for run in runs]


def answered(shop: Shop, outcome: str = "succeeded", **how: Any) -> None:
    """Have one call to the bank that is answered."""
    shop.accept(draft("call"))
    settle(claimed(), outcome, **how)


def test_a_dependency_that_answers_wakes_who_waits_for_it(shop: Shop) -> None:
    (run,) = waiting(shop, 1)
    assert "dependencies come" not in sweep()
    answered(shop)
    assert sweep()["dependencies come"] == 1
    assert shop.state(run) == "running"
    (wait,) = waits(run)
    assert (wait.state, said(wait)["dependency"]) == ("met", "bank")


@pytest.mark.parametrize(
    ("outcome", "how"),
    [
        ("overload", {"http": 503, "delay": 60}),
        ("unknown", {"http": None, "delay": 60}),
        ("not_sent", {"http": None, "delay": 60}),
    ],
)
def test_an_answer_that_it_can_do_nothing_now_wakes_nobody(shop: Shop, outcome: str, how: dict[str, Any]) -> None:
    (run,) = waiting(shop, 1)
    answered(shop, outcome, **how)
    assert ("dependencies come" in sweep(), shop.state(run)) == (False, "waiting")


def test_a_refusal_is_an_answer_too(shop: Shop) -> None:
    (run,) = waiting(shop, 1)
    answered(shop, "rejected", http=422)
    sweep()
    assert shop.state(run) == "running"


def test_what_it_answered_before_says_nothing_of_now(shop: Shop) -> None:
    answered(shop)
    (run,) = waiting(shop, 1)
    assert ("dependencies come" in sweep(), shop.state(run)) == (False, "waiting")


def test_another_dependencys_answer_wakes_nobody(shop: Shop) -> None:
    (run,) = waiting(shop, 1, name="mill")
    answered(shop)
    assert ("dependencies come" in sweep(), shop.state(run)) == (False, "waiting")


def test_a_backlog_is_taken_up_as_fast_as_the_contract_says_the_oldest_first(slow: Shop) -> None:
    runs = waiting(slow, 5)
    answered(slow)
    assert sweep()["dependencies come"] == 2
    assert states(slow, runs) == ["running"] * 2 + ["waiting"] * 3
    with clock.at(1):
        assert sweep()["dependencies come"] == 2
    with clock.at(2):
        assert sweep()["dependencies come"] == 1
    assert states(slow, runs) == ["running"] * 5


def test_a_rate_window_wakes_nobody_before_it_begins_and_then_no_more_than_it_bears(slow: Shop) -> None:
    runs = waiting(slow, 3, "rate_window", dependency="bank", resets_at=window(60))
    assert "dependencies come" not in sweep()
    with clock.at(61):
        assert sweep()["dependencies come"] == 2
        assert states(slow, runs) == ["running", "running", "waiting"]
    with clock.at(63):
        assert sweep()["dependencies come"] == 1
    assert states(slow, runs) == ["running"] * 3
    assert all("resets_at" in said(wait) for run in runs for wait in waits(run))


def test_both_kinds_of_one_dependency_share_what_it_bears(slow: Shop) -> None:
    runs = waiting(slow, 2)
    runs += waiting(slow, 2, "rate_window", dependency="bank", resets_at=window(0))
    answered(slow)
    assert sweep()["dependencies come"] == 2
    assert sorted(states(slow, runs)) == ["running"] * 2 + ["waiting"] * 2


def test_of_many_dependencies_each_has_its_own_pace(slow: Shop) -> None:
    banks = waiting(slow, 3, "rate_window", dependency="bank", resets_at=window(0))
    mills = waiting(slow, 3, "rate_window", dependency="mill", resets_at=window(0))
    assert sweep()["dependencies come"] == 5
    assert (states(slow, banks).count("running"), states(slow, mills).count("running")) == (2, 3)


def test_another_tenants_answer_wakes_nobody(shop: Shop, rival: Shop) -> None:
    (run,) = waiting(shop, 1)
    answered(rival)
    assert ("dependencies come" in sweep(), shop.state(run)) == (False, "waiting")
