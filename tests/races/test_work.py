"""Workers, the clock and drivers at once: nothing is begun twice, and what comes second changes nothing."""

from functools import partial
from typing import Any
from uuid import UUID

from tests import clock
from tests.races.at_once import answers, at_once, refusals
from tests.record import findings, kinds
from tests.shop import Shop, draft, money
from tests.work import LEASE, claim, claimed, end_leases, follow, settle, sweep


def test_several_claims_at_once_never_take_one_effect(shop: Shop) -> None:
    for _ in range(6):
        runs = [shop.accept(draft("a"), draft("b"), draft("dear", "250")) for _ in range(4)]
        taken: list[Any] = []
        for _ in range(3):  # a run that another claim holds is left to the next
            for rows in answers(at_once(*[partial(claim, worker=f"worker:{number}") for number in range(4)])):
                taken += rows
        assert len(taken) == len({row["effect_id"] for row in taken}) == 8
        settle(taken)
        for run in runs:
            assert [len(shop.attempts(run, key)) for key in ("a", "b", "dear")] == [1, 1, 0]
            shop.fail(run)


def test_several_claims_at_once_keep_within_what_a_dependency_bears(shop: Shop) -> None:
    for _ in range(5):
        runs = [shop.accept(draft("grain", operation="grind")) for _ in range(6)]
        rows = [row for found in answers(at_once(*[claim] * 3)) for row in found]
        assert len(rows) <= 2
        settle(rows + claim())
        for run in runs:
            if shop.state(run) == "running":
                shop.fail(run)
        settle(claim())


def test_a_claim_and_giving_the_run_up_at_once(shop: Shop) -> None:
    for _ in range(12):
        run = shop.accept(draft("a"))
        rows, receipt = answers(at_once(claim, partial(shop.fail, run)))
        if rows:
            assert (receipt["state"], shop.states(run)) == ("closing", {"a": "dispatched"})
            settle(rows)
        else:
            assert (receipt["state"], shop.states(run)) == ("failed", {"a": "withdrawn"})
        assert shop.state(run) == "failed"


def test_a_claim_and_withdrawing_the_effect_at_once(shop: Shop) -> None:
    for _ in range(12):
        run = shop.accept(draft("a"))
        became = at_once(claim, partial(shop.withdraw, run, "a"))
        rows = became[0]
        assert refusals(became) == (["already_begun"] if rows else [])
        assert shop.states(run) == {"a": "dispatched" if rows else "withdrawn"}


def test_a_claim_and_a_new_policy_at_once(shop: Shop) -> None:
    """A policy in force when the claim judged may be superseded a moment later; a claim that came later never uses it."""
    for version in range(2, 9):
        run = shop.accept(draft("a"))
        rows, _ = answers(at_once(claim, partial(shop.apply, money(version=version))))
        assert claim() == []
        sweep()
        assert shop.states(run) == {"a": "dispatched" if rows else "ready"}
        settle([*rows, *claim()])


def test_the_same_answer_twice_at_once(shop: Shop) -> None:
    for _ in range(12):
        run = shop.accept(draft("a"), completes_itself=True)
        row = claimed()
        late = [each for found in answers(at_once(partial(settle, row), partial(settle, row))) for each in found]
        assert late == [row["attempt_id"]]
        assert (shop.state(run), shop.attempts(run, "a")[0].late_outcome) == ("succeeded", "")
        assert kinds(f"run:{run}").count("attempt.settled") == kinds(f"run:{run}").count("run.ended") == 1


def test_two_answers_to_one_attempt_at_once(shop: Shop) -> None:
    for _ in range(12):
        run = shop.accept(draft("a"))
        row = claimed()
        answers(at_once(partial(settle, row, "succeeded"), partial(settle, row, "rejected")))
        attempt = shop.attempts(run, "a")[0]
        assert {attempt.outcome, attempt.late_outcome} == {"succeeded", "rejected"}
        assert shop.states(run) == {"a": attempt.outcome}


def test_an_answer_and_the_end_of_its_lease_at_once(shop: Shop) -> None:
    for _ in range(12):
        run = shop.accept(draft("a"))
        row = claimed()
        with clock.at(LEASE + 1):
            late, _ = answers(at_once(partial(settle, row), end_leases))
            end_leases()
            settle(claim())
        attempt = shop.attempts(run, "a")[0]
        if late:
            assert (attempt.state, attempt.late_outcome, len(shop.attempts(run, "a"))) == ("lost", "succeeded", 2)
        else:
            assert (attempt.state, attempt.late_outcome, len(shop.attempts(run, "a"))) == ("ended", "", 1)
        assert shop.states(run) == {"a": "succeeded"}


def test_answers_of_runs_in_opposite_orders_at_once(shop: Shop) -> None:
    for _ in range(5):
        runs = [shop.accept(draft("a"), draft("b"), completes_itself=True) for _ in range(5)]
        rows = claim(32)
        halves = [row for row in rows if row["key"] == "a"], [row for row in rows if row["key"] == "b"][::-1]
        answers(at_once(partial(settle, halves[0]), partial(settle, halves[1])))
        assert {shop.state(run) for run in runs} == {"succeeded"}


def test_several_clocks_at_once_do_each_thing_once(shop: Shop) -> None:
    runs = [shop.accept(draft("dear", "250"), draft("a"), deadline_seconds=600) for _ in range(6)]
    claim()
    with clock.at(1801):
        found = answers(at_once(*[sweep] * 4))
        total = {
            step: sum(each.get(step, 0) for each in found)
            for step in ("leases ended", "requests expired", "runs expired")
        }
        sweep()
    assert total["leases ended"] <= 6
    for run in runs:
        told = kinds(f"run:{run}")
        assert (told.count("attempt.lost"), told.count("run.closing")) == (1, 1)


def test_news_is_taken_once_by_several_workers(shop: Shop) -> None:
    for _ in range(5):
        run = shop.accept(*(draft(str(number), "250") for number in range(4)))
        for number in range(4):
            shop.approve(shop.request(run, str(number)))
        answers(at_once(follow, follow, follow))
        follow()
        assert kinds(f"run:{run}").count("effect.released") == 4
        shop.fail(run)


def test_a_hundred_moves_at_once_in_one_tenant_leave_one_chain(shop: Shop) -> None:
    """DB-07: an honest record does not read as tampered with."""
    runs = [shop.accept(draft("a")) for _ in range(10)]

    def moves(number: int) -> list[UUID]:
        made: list[UUID] = []
        for turn in range(5):
            made += shop.propose(runs[(number + turn) % 10], draft(f"{number}-{turn}", "250" if turn % 2 else "5"))
            shop.change("oscar", groups=[f"g{number}"])
        return made

    made = answers(at_once(*(partial(moves, number) for number in range(10))))
    assert sum(map(len, made)) == 50
    assert findings() == []
