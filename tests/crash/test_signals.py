"""Signals on real processes: what a killed web process had only recorded wakes its run all the same, once (R-I1)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.stack import Stack, stack
from tests.processes import until

pytestmark = pytest.mark.crash


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Stack]:
    """The product."""
    with stack(tmp_path) as opened:
        opened.start_clock()
        yield opened


def waiting_run(here: Stack) -> str:
    """Have a run wait for a signal, and give its id."""
    made = here.post_surely("/api/v1/runs", {"run_type": "close-invoice", "goal": "Wait for the money"}, "run")
    wait = {"kind": "signal", "name": "money", "condition": {"name": "paid", "correlation": "R-77"}}
    here.post_surely(f"/api/v1/runs/{made['id']}/waits", wait, "wait", **{"Fencing-Token": str(made["epoch"])})
    return str(made["id"])


def state(here: Stack, run: str) -> str:
    [(found,)] = here.rows("select state from runs_run where id = %s", [run])
    return str(found)


@pytest.mark.parametrize(
    "place", ["signal.recorded_before_apply", "settle signal.before_commit", "settle signal.after_commit"]
)
def test_a_web_process_that_dies_with_a_signal_in_hand_loses_and_doubles_nothing(here: Stack, place: str) -> None:
    here.start_web()
    run = waiting_run(here)
    here.kill("web")
    here.start_web(CRASH_AT=f"{place}:1:kill")
    signal = {"name": "paid", "correlation": "R-77", "body": {"amount": "12.50"}}
    here.ask("POST", "/api/v1/signals", signal, **{"Idempotency-Key": "paid-once"})
    assert until(lambda: here.processes["web"].poll() is not None), "it was not killed"
    assert until(lambda: state(here, run) == "running"), state(here, run)
    here.start_web()
    assert here.post_surely("/api/v1/signals", signal, "paid-once")["state"] == "taken"
    assert here.rows("select state, count(*)::int from runs_signal group by 1") == [("taken", 1)]
    [(taken,)] = here.rows("select count(*)::int from ledger_entry where kind = 'signal.taken'")
    assert taken == 1
    here.check()
