"""Paces of a dependency: retries within a share of first acts, looks so many a second; what has to wait uses nothing up (R-D3)."""

from collections.abc import Sequence

from console.database import rows
from tests import clock
from tests.cast import inside
from tests.shop import Shop, dependency, draft
from tests.work import Row, claim, settle

MOST = 3


def narrow(shop: Shop, *, share: str = "0.5", per_second: str = "0", looks: str = "100") -> None:
    """Let the bank be retried three times at once, and then for a share of first acts only."""
    budget = (
        f"retry_budget: {{share: {share}, per_second: {per_second}, most: {MOST}}}\nreconcile_per_second: {looks}\n"
    )
    shop.apply(dependency("bank", version=2) + budget)


def fail(rows: Sequence[Row], *, delay: float = 0) -> None:
    """Let these acts be refused for now."""
    if rows:
        settle(list(rows), "overload", delay=delay)


def accepted(shop: Shop, number: int, prefix: str = "e") -> None:
    """Have so many effects to do."""
    shop.accept(*(draft(f"{prefix}{place}") for place in range(number)))


def retries(found: Sequence[Row]) -> int:
    return sum(row["acts"] > 0 for row in found)


def test_retries_take_from_the_budget_and_first_acts_do_not(shop: Shop) -> None:
    narrow(shop)
    accepted(shop, 8)
    fail(claim())
    found = claim()
    assert (len(found), retries(found)) == (MOST, MOST)
    assert claim() == []


def test_what_waits_for_the_budget_has_used_nothing_up_and_stands_in_nobodys_way(shop: Shop) -> None:
    narrow(shop)
    accepted(shop, 8)
    fail(claim())
    settle(claim(), "succeeded")
    accepted(shop, 1, "new")
    assert [row["key"] for row in claim()] == ["new0"]
    with inside():
        waiting = rows(
            "select attempts_count, state, next_attempt_at > cf_now() as later from runs_effect where state = 'ready'"
        )
    assert waiting == [{"attempts_count": 1, "state": "ready", "later": True}] * 5


def test_each_first_act_adds_its_share(shop: Shop) -> None:
    narrow(shop)
    accepted(shop, 8)
    fail(claim())
    settle(claim(), "succeeded")
    accepted(shop, 4, "new")
    settle(claim(), "succeeded")  # four first acts, of which each adds a half
    with clock.at(61):
        assert len(claim()) == 2


def test_time_adds_too_up_to_the_most(shop: Shop) -> None:
    narrow(shop, share="0", per_second="0.1")
    accepted(shop, 9)
    fail(claim())
    assert len(claim()) == MOST
    with clock.at(25):
        assert len(claim()) == 2
    with clock.at(1000):
        assert len(claim()) == MOST


def test_over_any_time_retries_stay_within_share_time_and_most(shop: Shop) -> None:
    narrow(shop, share="0.2", per_second="0.1")
    accepted(shop, 16)
    made = 0
    for second in range(0, 100, 5):
        with clock.at(second):
            found = claim()
            made += retries(found)
            fail(found)
    assert MOST < made <= MOST + 0.2 * 16 + 0.1 * 100


def test_a_repetition_takes_from_the_budget_like_any_retry(shop: Shop) -> None:
    narrow(shop)
    accepted(shop, 5)
    settle(claim(), "unknown", delay=0, step="resend")
    with inside():
        held = rows("select count(*) as n from runs_effect where next_step = 'resend'")[0]["n"]
    assert held == 5
    assert claim() == []  # the contract of the shop allows none, so each is refused before it would be paid for
    with inside():
        assert (
            rows("select count(*) as n from runs_pace where purpose = 'retries' and tokens < 'Infinity'")[0]["n"] == 0
        )


def test_looks_are_made_so_many_a_second(shop: Shop) -> None:
    narrow(shop, looks="4")
    accepted(shop, 12)
    settle(claim(), "unknown", delay=0, step="status")
    with clock.still():
        assert len(claim(64)) == 4
        assert claim(64) == []
    with clock.at(1.01):
        assert len(claim(64)) == 4


def test_looks_that_wait_hold_up_no_act(shop: Shop) -> None:
    narrow(shop, looks="1")
    accepted(shop, 12)
    settle(claim(), "unknown", delay=0, step="status")
    accepted(shop, 2, "new")
    assert sorted(row["kind"] for row in claim(64)) == ["act", "act", "status"]


def test_each_tenant_has_paces_of_its_own(shop: Shop, rival: Shop) -> None:
    narrow(shop)
    accepted(shop, 8)
    fail(claim())
    settle(claim(), "succeeded")
    rival.accept(draft("theirs"))
    fail(claim())
    assert [row["key"] for row in claim()] == ["theirs"]


def test_as_long_as_nothing_is_tried_again_no_bucket_is_kept(shop: Shop) -> None:
    accepted(shop, 16)
    settle(claim(), "succeeded")
    with inside():
        assert rows("select * from runs_pace") == []


def test_a_bucket_that_is_full_again_is_let_be(shop: Shop) -> None:
    narrow(shop, per_second="1")
    accepted(shop, 3)
    fail(claim())
    settle(claim(), "succeeded")
    with clock.at(60):
        accepted(shop, 1, "new")
        settle(claim(), "succeeded")
    with inside():
        assert rows("select tokens from runs_pace where purpose = 'retries'") == [{"tokens": float("inf")}]
