"""A shift: works what is due, hears the bell, outlasts a database that is away, goes home when idle, and drains when told to."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from psycopg import sql
from uuid_utils.compat import uuid7

from console import clock, doorbell
from console.exact import decode
from runs.lines import Line, Row
from runs.settling import settle
from runs.shift import CLAIM, Shift
from runs.target_reading import TargetRead
from tests import databases
from tests.processes import until
from tests.record import kinds
from tests.runs.banking import Bank, bank
from tests.runs.shifting import Bench, Working, connections, terms
from tests.shop import Shop, draft
from tests.work import sweep

__all__ = ["bank"]


def payee(row: Row) -> str:
    """Give whom a claimed effect pays."""
    found: Any = decode(row["arguments"].encode())
    return str(found["to"])


def listening() -> set[str]:
    """Give the connections that hear a bell by this process's number alone: other tests have their own on the same Valkey."""
    line = doorbell.line()
    number = str(line.get_connection_kwargs()["db"])
    return {each["id"] for each in line.client_list() if each["db"] == number and each["sub"] != "0"}


# Working


def test_it_works_a_whole_graph_and_goes_home(shop: Shop, bank: Bank) -> None:
    run = shop.accept(
        draft("a"),
        draft("b", after=["a"]),
        draft("c", after=["a"]),
        draft("d", after=["b", "c"]),
        completes_itself=True,
    )
    assert Working().ends() == 4
    assert (shop.state(run), len(bank.entries())) == ("succeeded", 4)


def test_it_follows_decisions_without_any_clock(shop: Shop, bank: Bank) -> None:
    run = shop.accept(draft("dear", "250"), completes_itself=True)
    working = Working(idle_seconds=600)
    shop.approve(shop.request(run, "dear"))
    assert until(lambda: shop.state(run) == "succeeded")
    working.drain()
    assert working.ends() == 1


def test_it_hears_the_bell_long_before_it_would_look_by_itself(shop: Shop) -> None:
    before = listening()
    working = Working(Bench(), poll_seconds=600, idle_seconds=1200)
    assert until(lambda: listening() - before)
    time.sleep(0.2)  # its first look is over
    run = shop.accept(draft("a"), completes_itself=True)
    assert until(lambda: shop.state(run) == "succeeded"), "it would have looked in ten minutes"
    working.drain()
    working.ends()


def test_a_slow_call_delays_no_fast_one(shop: Shop) -> None:
    bench = Bench()
    slow = shop.accept(draft("slow", to="slow"))
    working = Working(bench, idle_seconds=600)
    assert bench.begun.wait(30)
    fast = shop.accept(draft("fast"), completes_itself=True)
    assert until(lambda: shop.state(fast) == "succeeded")
    assert shop.states(slow) == {"slow": "dispatched"}
    working.loop.call_soon_threadsafe(bench.let_go.set)
    working.drain()
    assert working.ends() == 2
    assert shop.states(slow) == {"slow": "succeeded"}


def test_no_more_calls_are_in_flight_than_it_has_slots(shop: Shop) -> None:
    bench = Bench()
    shop.accept(*(draft(f"slow {number}", to="slow") for number in range(5)))
    working = Working(bench, slots=2, drain_seconds=0)
    assert until(lambda: len(bench.rows) == 2)
    time.sleep(0.3)
    assert len(bench.rows) == 2
    working.drain()
    working.ends()


def test_it_goes_home_when_its_time_is_up_although_there_is_more_to_do(shop: Shop) -> None:
    def again(row: Row) -> str:
        shop_run.append(row["run_id"])
        time.sleep(0.02)
        return "succeeded"

    shop_run: list[Any] = []
    shop.accept(*(draft(f"many {number}") for number in range(200)))
    assert Working(Bench(again), slots=2, batch=2, lasts_seconds=0.1, lasts_at_most_seconds=0.3).ends() < 200


def test_it_does_not_go_home_while_it_still_writes_down_what_the_next_step_waits_for(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slowly(*given: Any) -> list[Any]:
        await asyncio.sleep(2)
        return await settle(*given)

    monkeypatch.setattr("runs.shift.settle", slowly)
    run = shop.accept(draft("a"), draft("b", after=["a"]), completes_itself=True)
    assert Working(Bench(), idle_seconds=1.0).ends() == 2
    assert shop.state(run) == "succeeded"


# Drain


def test_told_to_drain_it_claims_nothing_more_and_lets_what_is_in_flight_end(shop: Shop) -> None:
    bench = Bench()
    run = shop.accept(draft("slow", to="slow"))
    working = Working(bench, idle_seconds=600, drain_seconds=120, poll_seconds=600)
    assert bench.begun.wait(30)
    working.drain()
    assert until(lambda: working.shift is not None and working.shift.drained.is_set())
    later = shop.accept(draft("later"))
    working.loop.call_soon_threadsafe(bench.let_go.set)
    assert working.ends() == 1
    assert (shop.states(run), shop.states(later)) == ({"slow": "succeeded"}, {"later": "ready"})


def test_what_outlasts_the_drain_is_left_to_its_lease(shop: Shop) -> None:
    bench = Bench()
    run = shop.accept(draft("slow", to="slow"), draft("fast"))
    working = Working(bench, drain_seconds=0.2, lease_seconds=1.5, idle_seconds=600)
    assert until(lambda: shop.states(run)["fast"] == "succeeded")
    working.drain()
    working.ends()
    assert shop.states(run)["slow"] == "dispatched"
    assert until(lambda: sweep() is not None and shop.states(run)["slow"] == "unknown")


# Leases


def test_a_call_that_outlasts_its_lease_is_not_given_up_while_the_shift_has_it_in_hand(shop: Shop) -> None:
    bench = Bench()
    run = shop.accept(draft("slow", to="slow"), completes_itself=True)
    working = Working(bench, lease_seconds=6.0, renew_seconds=1.0)
    assert bench.begun.wait(30)
    first = shop.attempts(run, "slow")[0].lease_expires_at
    assert first is not None
    while clock.now() <= first:
        assert "leases ended" not in sweep()
        time.sleep(0.25)
    assert "leases ended" not in sweep()
    working.loop.call_soon_threadsafe(bench.let_go.set)
    working.ends()
    assert shop.state(run) == "succeeded"


def test_an_attempt_that_broke_in_an_unforeseen_way_is_given_up_while_the_shift_goes_on(shop: Shop) -> None:
    def break_one(row: Row) -> str:
        if payee(row) == "eve":
            raise RuntimeError("nobody foresaw this")
        return "succeeded"

    broken, fine = (
        shop.accept(draft("broken", to="eve")),
        shop.accept(draft("fine"), draft("slow", to="slow", after=["fine"])),
    )
    bench = Bench(break_one)
    working = Working(bench, lease_seconds=5.0, renew_seconds=1.0, idle_seconds=600)
    assert until(lambda: shop.states(fine)["slow"] == "dispatched")
    assert until(lambda: sweep() is not None and shop.states(broken)["broken"] == "unknown")
    assert shop.states(fine)["slow"] == "dispatched"
    working.loop.call_soon_threadsafe(bench.let_go.set)
    working.drain()
    working.ends()


# A database that is away


@pytest.fixture
def superuser() -> Any:
    """Somebody who can end other people's connections."""
    with databases.as_superuser(databases.name()) as hand:
        yield hand


def test_connections_that_are_cut_again_and_again_lose_nothing_and_do_nothing_twice(shop: Shop, superuser: Any) -> None:
    done: list[Any] = []

    def note(row: Row) -> str:
        if row["kind"] == "act":
            done.append(row["effect_id"])
        return "succeeded"

    steps = [draft(str(number), after=[str(number - 1)] if number else []) for number in range(6)]
    runs = [shop.accept(*steps, completes_itself=True) for _ in range(8)]
    working = Working(Bench(note), idle_seconds=600, lease_seconds=2)
    for _ in range(6):
        time.sleep(0.12)
        cut(superuser)
    # A claim whose answer was lost is given up with its lease; nothing was done then, but nobody can know.
    assert until(lambda: sweep() is not None and all(over(shop, run) for run in runs))
    working.drain()
    working.ends()
    assert len(done) == len(set(done))


def over(shop: Shop, run: Any) -> bool:
    """Tell whether a run has succeeded, or waits for a person because something is unknown."""
    return shop.state(run) == "succeeded" or "unknown" in shop.states(run).values()


def cut(superuser: Any) -> None:
    """End the shift's connections."""
    for name in ("claims", "settles"):
        for pid in connections(superuser, name):
            superuser.execute("select pg_terminate_backend(%s)", [pid])


def test_an_answer_waits_for_the_database_and_is_written_down_once(shop: Shop, superuser: Any) -> None:
    bench = Bench()
    run = shop.accept(draft("slow", to="slow"), completes_itself=True)
    working = Working(bench, idle_seconds=600)
    assert bench.begun.wait(30)
    here = sql.Identifier(databases.name())
    superuser.execute(sql.SQL("alter database {} connection limit 0").format(here))
    try:
        cut(superuser)
        working.loop.call_soon_threadsafe(bench.let_go.set)
        time.sleep(0.6)
    finally:
        superuser.execute(sql.SQL("alter database {} connection limit -1").format(here))
    assert until(lambda: shop.state(run) == "succeeded")
    working.drain()
    working.ends()
    assert kinds(f"run:{run}").count("attempt.settled") == 1


def test_what_was_claimed_is_made_ready_as_soon_as_the_database_is_back(shop: Shop) -> None:
    bench = Bench()
    bench.broken_preparations = [psycopg.OperationalError("away"), psycopg.OperationalError("still away")]
    run = shop.accept(draft("a"), completes_itself=True)
    assert Working(bench).ends() == 1
    assert shop.state(run) == "succeeded"


def test_a_claim_whose_answer_was_lost_is_given_back_and_not_left_to_become_unknown(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Line.ask
    lost: list[Row] = []

    async def losing(self: Line, statement: str, parameters: list[Any]) -> list[Row]:
        answer = await asked(self, statement, parameters)
        if statement == CLAIM and answer and not lost:
            lost.extend(answer)  # committed, and the connection broke before it was told
            raise psycopg.OperationalError("the connection was lost")
        return answer

    monkeypatch.setattr(Line, "ask", losing)
    bench = Bench()
    runs = [shop.accept(draft("a")) for _ in range(3)]
    assert Working(bench).ends() == 3
    assert len(lost) == 3
    for run in runs:
        first, second = shop.attempts(run, "a")
        assert (first.outcome, first.sent, second.outcome) == ("not_sent", False, "succeeded")
    assert len(bench.rows) == 3, "what was never begun was begun"


def test_a_claim_that_the_database_refuses_costs_nothing_that_is_in_flight(shop: Shop, superuser: Any) -> None:
    bench = Bench()
    run = shop.accept(draft("slow", to="slow"), completes_itself=True)
    working = Working(bench, idle_seconds=600)
    assert bench.begun.wait(30)
    superuser.execute("alter function runs_follow(text, int) rename to runs_follow_away")
    time.sleep(0.3)
    superuser.execute("alter function runs_follow_away(text, int) rename to runs_follow")
    working.loop.call_soon_threadsafe(bench.let_go.set)
    assert until(lambda: shop.state(run) == "succeeded")
    working.drain()
    assert working.ends() == 1


def test_an_answer_that_cannot_be_recorded_takes_no_other_with_it(shop: Shop) -> None:
    def nonsense(row: Row) -> str:
        return "no such state" if payee(row) == "eve" else "succeeded"

    spoilt, fine = shop.accept(draft("a", to="eve")), shop.accept(draft("b"), draft("c"))
    working = Working(Bench(nonsense))
    assert working.ends() == 3
    assert (shop.states(spoilt), shop.states(fine)) == ({"a": "dispatched"}, {"b": "succeeded", "c": "succeeded"})


def test_what_was_read_while_another_reading_is_written_down_is_written_down_too_before_it_goes_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = (TargetRead(uuid7(), datetime.now(UTC), version=version) for version in ("1", "2"))
    shift, kept = Shift(terms(), Bench()), list[TargetRead]()

    async def keep(_: Line, readings: list[TargetRead], __: str) -> list[Row]:
        kept.extend(readings)
        if second not in kept:
            shift.readings.append(second)
            shift.closing = True  # meanwhile nothing is in hand any more
            shift.answered.set()
        return []

    async def settled() -> None:
        shift.readings.append(first)
        shift.answered.set()
        await asyncio.wait_for(shift._settle(Line("", "nobody")), 30)

    monkeypatch.setattr("runs.shift.keep", keep)
    asyncio.run(settled())
    assert kept == [first, second]


def test_what_is_still_being_read_while_another_reading_is_taken_to_be_written_down_is_not_lost() -> None:
    let_go = asyncio.Event()
    known = TargetRead(uuid7(), datetime.now(UTC), version="1")

    class Slow(Bench):
        async def read_target(self, row: Row) -> TargetRead:
            await let_go.wait()
            return known

    async def read() -> list[TargetRead]:
        shift = Shift(terms(), Slow())
        reading = asyncio.create_task(shift._read({"request_id": known.request_id}))
        await asyncio.sleep(0)
        shift.readings = []  # what had been read by then was taken
        let_go.set()
        await reading
        return shift.readings

    assert asyncio.run(read()) == [known]
