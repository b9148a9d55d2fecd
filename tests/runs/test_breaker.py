"""The breaker of a dependency: after so many failures in a row calls are held back, then one at a time tries; it uses nothing up (R-K1)."""

from collections.abc import Sequence
from uuid import UUID

import pytest

from console.database import rows
from runs import reach
from tests import clock
from tests.cast import inside
from tests.races.at_once import at_once
from tests.record import findings
from tests.shop import Shop, dependency, draft, operation
from tests.work import WORKER, Row, claim, claimed, end_leases, settle

FAILURES, WINDOW, OPEN = 3, 30, 60


@pytest.fixture
def guarded(shop: Shop) -> Shop:
    """A shop whose bank is held back for a minute after three failures in a row within half a minute."""
    breaker = f"breaker: {{failures: {FAILURES}, window_seconds: {WINDOW}, open_seconds: {OPEN}}}\n"
    budget = "retry_budget: {share: 1, per_second: 1000, most: 100}\nreconcile_per_second: 1000\n"
    shop.apply(dependency("bank", version=2) + breaker + budget)
    return shop


def accepted(shop: Shop, number: int, prefix: str = "e") -> UUID:
    """Have so many effects to do."""
    return shop.accept(*(draft(f"{prefix}{place}") for place in range(number)))


def fail(found: Sequence[Row], outcome: str = "transient", **more: object) -> None:
    """Let these calls fail, to be tried again at once."""
    settle(list(found), outcome, http=None, delay=0, **more)  # type: ignore[arg-type]


def fell(shop: Shop, number: int = FAILURES) -> None:
    """Have so many calls fail, with others waiting behind them."""
    accepted(shop, number + 4)
    fail(claim(number))


def held(shop: Shop) -> tuple[bool, bool]:
    """Tell whether the bank is held back, and whether one call at a time tries."""
    with inside():
        (bank,) = [each for each in reach.dependencies(shop.tenant.pk, 10) if each.name == "bank"]
    return bank.held_until is not None, bank.tries


def is_due() -> bool:
    """Tell whether the clock would call a worker."""
    with inside():
        return bool(rows("select runs_work_is_due(cf_now()) as due")[0]["due"])


def used() -> int:
    """Count the attempts that were begun."""
    with inside():
        return int(rows("select count(*) as n from runs_attempt")[0]["n"])


def test_after_so_many_failures_in_a_row_nothing_is_begun_and_nothing_is_used_up(guarded: Shop) -> None:
    fell(guarded)
    assert claim() == []
    assert not is_due(), "no worker is called for what is held back"
    assert held(guarded) == (True, False)
    with clock.at(OPEN - 2):
        assert claim() == []
    assert used() == FAILURES
    with inside():
        found = rows("select count(*) as n from runs_effect where state = 'ready' and next_attempt_at <= cf_now()")
    assert found[0]["n"] == FAILURES + 4, "they stay due"


@pytest.mark.parametrize("outcome", ["transient", "overload", "not_sent"])
def test_what_says_that_it_can_do_nothing_now_is_a_failure(guarded: Shop, outcome: str) -> None:
    accepted(guarded, FAILURES + 1)
    fail(claim(FAILURES), outcome)
    assert held(guarded) == (True, False)


def test_lost_answers_are_failures_and_looks_are_held_back_too(guarded: Shop) -> None:
    accepted(guarded, FAILURES)
    settle(claim(), "unknown", http=None, delay=0, step="status")
    assert claim() == []
    with clock.at(OPEN + 1):
        assert [row["kind"] for row in claim()] == ["status"]


@pytest.mark.parametrize("outcome", ["succeeded", "rejected", "invalid"])
def test_any_other_answer_between_them_shows_that_it_works(guarded: Shop, outcome: str) -> None:
    accepted(guarded, FAILURES + 3)
    fail(claim(FAILURES - 1))
    settle(claim(1), outcome)
    with clock.at(1):
        fail(claim(1))
        assert held(guarded) == (False, False)
        assert claim() != []


def test_fewer_failures_hold_nothing_back(guarded: Shop) -> None:
    fell(guarded, FAILURES - 1)
    assert len(claim()) == FAILURES - 1 + 4


def test_failures_further_apart_than_the_window_hold_nothing_back(guarded: Shop) -> None:
    accepted(guarded, FAILURES)
    for number in range(FAILURES):
        with clock.at(number * (WINDOW / 2 + 1)):
            fail(claim(1))
    with clock.at(FAILURES * WINDOW):
        assert held(guarded) == (False, False)
        assert len(claim()) == FAILURES


def test_then_one_call_at_a_time_tries_and_an_answer_lets_all_go_on(guarded: Shop) -> None:
    fell(guarded)
    with clock.at(OPEN + 1):
        assert is_due()
        assert held(guarded) == (False, True)
        tried = claim()
        assert len(tried) == 1
        assert claim() == [], "one at a time"
        settle(tried, "succeeded")
        assert held(guarded) == (False, False)
        assert len(claim()) == FAILURES + 3
    assert findings() == []


def test_a_try_that_fails_begins_the_wait_anew_however_long_the_outage_is(guarded: Shop) -> None:
    fell(guarded)
    for tries in range(1, 6):
        with clock.at(tries * (OPEN + 5)):
            tried = claim()
            assert len(tried) == 1
            fail(tried)
            assert claim() == []
            assert held(guarded) == (True, False)
        with clock.at(tries * (OPEN + 5) + OPEN - 2):
            assert claim() == []
    assert used() == FAILURES + 5


def test_after_an_answer_a_single_failure_is_a_single_failure(guarded: Shop) -> None:
    fell(guarded)
    with clock.at(OPEN + 1):
        settle(claim(), "succeeded")
        fail(claim(1))
        assert held(guarded) == (False, False)
        assert len(claim()) == FAILURES + 3


def test_it_opens_again_after_it_was_closed(guarded: Shop) -> None:
    fell(guarded)
    with clock.at(OPEN + 1):
        settle(claim(), "succeeded")
        fail(claim(FAILURES))
        assert held(guarded) == (True, False)
        assert claim() == []
    with clock.at(2 * OPEN + 5):
        assert len(claim()) == 1


def test_a_try_that_is_lost_with_its_worker_leaves_the_next_one_free_to_go(guarded: Shop) -> None:
    fell(guarded)
    with clock.at(OPEN + 1):
        claimed()
        end_leases(WORKER)
        assert held(guarded) == (False, True)
        assert len(claim()) == 1


def test_another_dependency_goes_on(guarded: Shop) -> None:
    guarded.apply(dependency("mill") + "---" + operation("grind", dependency="mill"))
    fell(guarded)
    guarded.accept(draft("g", operation="grind"))
    assert [row["key"] for row in claim()] == ["g"]


def test_without_a_breaker_nothing_is_held_back(shop: Shop) -> None:
    accepted(shop, 6)
    fail(claim(6))
    assert held(shop) == (False, False)
    with clock.at(61):
        assert claim() != []
    with inside():
        assert rows("select count(*) as n from runs_pace where purpose = 'breaker'")[0]["n"] == 0


def test_two_workers_at_once_make_one_try(guarded: Shop) -> None:
    fell(guarded)
    with clock.at(OPEN + 1):
        assert sorted(map(len, at_once(*[claim] * 4))) == [0, 0, 0, 1]
