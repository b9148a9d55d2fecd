"""How soon what a killed process had in hand is in a known state, and how often an effect that can be asked about is called twice.

On a product of its own (tests/crash/stack.py) with the default lease of 30 s, and the example bank with its idempotency off: every
second call would be a second entry in its ledger."""

import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.ground import Ground
from tests.bench.results import Measure, middle
from tests.bench.rounds import Pace
from tests.crash.paying import contracts
from tests.crash.payments import BANK, Payments
from tests.crash.stack import Stack, stack
from tests.processes import until

LEASE_SECONDS = 30
TOGETHER, LATENCY_SECONDS = 64, 2.0
OPERATION = "pay-forgets-asked-patiently"
IN_HAND = (
    "select id::text, effect_id::text, lease_expires_at from runs_attempt where state = 'running' and kind = 'act'"
)
STILL = "select count(*) from runs_attempt where state = 'running' and id = any(%s::uuid[])"
NOW = "select cf_now()"


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Kill shifts in a row while many calls are in flight, then whole workers; then wait until everything has been found out."""
    kills = pace.size(10, 1)
    with tempfile.TemporaryDirectory(prefix="counterfoil-recovery-") as folder, _product(Path(folder)) as here:
        payments = Payments(here)
        children = [_killed(payments, whole_machine=False) for _ in range(kills)]
        machines = [_killed(payments, whole_machine=True) for _ in range(kills)]
        here.start_worker("last")
        ids = [effect for kill in [*children, *machines] for effect in kill["all"]]
        assert until(lambda: payments.states(ids) == {"succeeded"}, 300), payments.states(ids)
        calls = here.bank("/calls", BANK)["keys"]
        twice = sum(max(calls[f"cf-{effect}"]["count"] - 1, 0) for effect in ids)
    in_hand = sum(kill["in_hand"] for kill in [*children, *machines])
    how = f"SIGKILL while the bank ({LATENCY_SECONDS:g} s a call, idempotency off) had up to {TOGETHER} calls in hand; until no attempt "
    return [
        Measure("recovery", "killed shift: all it had in hand is known", middle([kill["seconds"] for kill in children], 2), "s",
                how + "of the dead shift counts as running any more. Its parent saw it die; the lease is 30 s.",
                [kill["seconds"] for kill in children], 0, {"in_hand": [kill["in_hand"] for kill in children]}),
        Measure("recovery", "vanished machine: known after its lease", middle([kill["after_lease"] for kill in machines], 2), "s",
                how + "of it counts as running any more, from the end of the last lease. Parent and shift were killed at once.",
                [kill["after_lease"] for kill in machines], 0,
                {"in_hand": [kill["in_hand"] for kill in machines], "since_the_kill": [kill["seconds"] for kill in machines]}),
        Measure("recovery", "effects called twice, of those in hand", twice, "calls",
                f"After {2 * kills} kills in a row, counted by the bank: calls beyond the first of each effect, whose contract can ask. "
                "A durable-execution library killed once in such a load makes 19 to 98 calls twice.", [], 0,
                {"in_hand": in_hand, "effects": len(ids), "kills": 2 * kills}),
    ]  # fmt: skip


@contextmanager
def _product(folder: Path) -> Iterator[Stack]:
    with stack(folder, "bank-keeps", BANK, LEASE_SECONDS=str(LEASE_SECONDS)) as here:
        here.apply(contracts())
        here.start_bank("--no-idempotency", "--latency-ms", str(int(LATENCY_SECONDS * 1000)), name=BANK)
        here.start_web()
        here.start_clock()
        yield here


def _killed(here: Payments, *, whole_machine: bool) -> dict[str, Any]:
    """Have many calls in flight, kill, and give how long it takes until all that was in hand is known."""
    if "worker" not in here.stack.processes:
        here.stack.start_worker()
    effects = here.pay_many(TOGETHER, OPERATION)
    assert until(lambda: len(here.stack.rows(IN_HAND)) >= TOGETHER, 60), "they were not begun together"
    time.sleep(LATENCY_SECONDS / 4)  # the bank has them
    shift = here.stack.shift_of()
    assert shift is not None
    held = here.stack.rows(IN_HAND)
    ids = [row[0] for row in held]
    began = time.monotonic()
    if whole_machine:
        here.stack.kill("worker")
        held = here.stack.rows(IN_HAND)
        ids = [row[0] for row in held]
    else:
        os.kill(shift.pid, signal.SIGKILL)
    assert until(lambda: here.stack.rows(STILL, [ids]) == [(0,)], LEASE_SECONDS + 30)
    seconds = round(time.monotonic() - began, 3)
    leases = max(row[2] for row in held)
    late = (here.stack.rows(NOW)[0][0] - leases).total_seconds()
    return {"seconds": seconds, "after_lease": round(late, 3), "in_hand": len(ids), "all": effects}
