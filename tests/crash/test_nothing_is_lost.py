"""The promise of A1 and A3 on real processes: what was accepted ends, waits visibly or is listed as unknown, and nothing happens twice."""

import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.crash.stack import Stack, stack
from tests.processes import until

pytestmark = pytest.mark.crash
RUNS = 40
AT_REST = """
select count(*) from runs_run r where r.state in ('running', 'closing') and not exists (
    select from runs_effect e where e.run_id = r.id and e.state in ('awaiting_approval', 'unknown'))
"""


def a_case(number: int) -> dict[str, object]:
    """A run of three refunds one after another; in every eighth the second is large, so that a person is asked."""
    amounts = ["10.00", "250.00" if number % 8 == 0 else "20.00", "30.00"]
    effects = [
        {"key": f"refund-{step}", "operation": "refund", "arguments": {"order": f"A-{number}-{step}", "amount": amount},
         "after": [f"refund-{step - 1}"] if step else []}
        for step, amount in enumerate(amounts)
    ]  # fmt: skip
    return {"run_type": "customer-case", "goal": f"Case {number}", "completes_itself": True, "effects": effects}


def post_cases(here: Stack, first: int, last: int) -> None:
    for number in range(first, last):
        here.post_surely("/api/v1/runs", a_case(number), f"case-{number}")


def test_accepted_runs_survive_a_killed_worker_a_flushed_valkey_and_a_crashed_postgresql(tmp_path: Path) -> None:
    with stack(tmp_path) as here:
        here.start_bank("--no-idempotency", "--latency-ms", "60")
        here.start_web()
        here.start_clock()
        here.start_worker()

        post_cases(here, 0, 15)
        here.kill_shift()  # in the middle of calls
        post_cases(here, 15, 20)
        here.flush_valkey()  # with work queued
        agent = threading.Thread(target=post_cases, args=(here, 20, RUNS))
        agent.start()
        time.sleep(0.5)
        here.restart_postgres()  # while work is accepted, claimed and settled
        agent.join(240)

        assert until(lambda: here.rows(AT_REST) == [(0,)]), here.rows(
            "select state, count(*) from runs_effect group by 1"
        )
        assert here.rows("select count(*) from runs_run") == [(RUNS,)]

        entries = here.bank("/ledger")["entries"]
        times = Counter(entry["key"] for entry in entries)
        assert max(times.values()) == 1, "an effect happened twice"
        recorded = {f"cf-{effect}" for (effect,) in here.rows("select id from runs_effect")}
        assert set(times) <= recorded, "something happened that nobody accepted"
        succeeded = {f"cf-{effect}" for (effect,) in here.rows("select id from runs_effect where state = 'succeeded'")}
        assert succeeded <= set(times), "something is said to have happened, and did not"
        may_have = {
            f"cf-{effect}"
            for (effect,) in here.rows("select id from runs_effect where state in ('succeeded', 'unknown')")
        }
        assert set(times) <= may_have, "something happened, and the record says that it did not"
        here.check()
