"""How soon what a killed process had in hand is in a known state, and how often an effect that can be asked about is called twice.

On a product of its own (tests/crash/stack.py) with the default lease of 30 s, and the example bank with its idempotency off: every
second call would be a second entry in its ledger."""

import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

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
IN_HAND = """select id::text, lease_expires_at from runs_attempt
    where state = 'running' and kind = 'act' and effect_id = any(%s::uuid[])"""
STILL = "select count(*) from runs_attempt where state = 'running' and id = any(%s::uuid[])"
KNOWN = "select max(ended_at) from runs_attempt where id = any(%s::uuid[])"
NOW = "select cf_now()"


@dataclass
class Kill:
    """One kill, and what was in hand then. Times are the database's."""

    effects: list[str]
    at: datetime
    in_hand: list[tuple[str, datetime]]
    known_at: datetime | None = None

    def seconds(self, since: datetime) -> float:
        """Give how long after that moment all that was in hand was known."""
        assert self.known_at is not None
        return round((self.known_at - since).total_seconds(), 3)

    @property
    def last_lease(self) -> datetime:
        """Give when the last of its leases was to end."""
        return max(ends for _, ends in self.in_hand)


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Kill shifts in a row while many calls are in flight, then whole workers; then wait until everything has been found out."""
    number = pace.size(10, 1)
    with tempfile.TemporaryDirectory(prefix="counterfoil-recovery-") as folder, _product(Path(folder)) as here:
        payments = Payments(here)
        here.start_worker()
        children = [_kill(payments, whole_machine=False) for _ in range(number)]
        machines = [_kill(payments, whole_machine=True) for _ in range(number)]
        for kill in [*children, *machines]:
            _wait(payments, kill)
        ids = [effect for kill in [*children, *machines] for effect in kill.effects]
        # What was claimed and never left stays unknown, since absence proves nothing by this contract; all that the bank did is found.
        assert until(lambda: _succeeded(payments, ids) == _called(payments, ids), 300), payments.states(ids)
        calls = here.bank("/calls", BANK)["keys"]
        twice = sum(max(calls.get(f"cf-{effect}", {"count": 0})["count"] - 1, 0) for effect in ids)
        left = len(ids) - _succeeded(payments, ids)
    known, late = [kill.seconds(kill.at) for kill in children], [kill.seconds(kill.last_lease) for kill in machines]
    how = f"SIGKILL while the bank ({LATENCY_SECONDS:g} s a call, idempotency off) had about {TOGETHER} calls in hand; until no attempt "
    return [
        Measure("recovery", "killed shift: all it had in hand is known", middle(known, 2), "s",
                how + "of the dead shift counts as running any more. Its parent saw it die; the lease is 30 s.", known, 0,
                {"in_hand": [len(kill.in_hand) for kill in children]}),
        Measure("recovery", "vanished machine: known after its last lease", middle(late, 2), "s",
                how + "of it counts as running any more, from the end of its last lease. Parent and shift were killed at once.", late, 0,
                {"in_hand": [len(kill.in_hand) for kill in machines], "since_the_kill": [kill.seconds(kill.at) for kill in machines]}),
        Measure("recovery", "effects called twice", twice, "calls",
                f"After {2 * number} kills, counted by the bank: calls beyond the first of each effect, whose contract can ask. "
                "A durable-execution library killed once in such a load makes 19 to 98 calls twice.", [], 0,
                {"in_hand": sum(len(kill.in_hand) for kill in [*children, *machines]), "effects": len(ids), "kills": 2 * number,
                 "never_left": left}),
    ]  # fmt: skip


@contextmanager
def _product(folder: Path) -> Iterator[Stack]:
    with stack(folder, "bank-keeps", BANK, LEASE_SECONDS=str(LEASE_SECONDS)) as here:
        here.apply(
            contracts().replace("concurrency: 64", "concurrency: 1024")
        )  # what died holds its places until its leases end
        here.start_bank("--no-idempotency", "--latency-ms", str(int(LATENCY_SECONDS * 1000)), name=BANK)
        here.start_web()
        here.start_clock()
        yield here


def _kill(here: Payments, *, whole_machine: bool) -> Kill:
    """Have many calls in flight, and kill whoever makes them; another worker is started in place of one that is gone."""
    effects = here.pay_many(TOGETHER, OPERATION)
    assert until(lambda: len(here.stack.rows(IN_HAND, [effects])) >= TOGETHER / 2, 60), "they were not begun together"
    shift = here.stack.shift_of()
    assert shift is not None
    parent = here.stack.processes["worker"]
    parent.send_signal(signal.SIGSTOP)  # it sees nothing of its shift's end while we write down what that had in hand
    at = here.stack.rows(NOW)[0][0]
    shift.kill()
    held = here.stack.rows(IN_HAND, [effects])
    if whole_machine:
        here.stack.kill("worker")
        here.stack.start_worker()
    else:
        parent.send_signal(signal.SIGCONT)
    return Kill(effects, at, [(attempt, ends) for attempt, ends in held])


def _succeeded(here: Payments, effects: list[str]) -> int:
    """Count those that are known to have happened."""
    found = here.stack.rows(
        "select count(*) from runs_effect where state = 'succeeded' and id = any(%s::uuid[])", [effects]
    )
    return int(found[0][0])


def _called(here: Payments, effects: list[str]) -> int:
    """Count those that the bank was ever called for."""
    calls = here.stack.bank("/calls", BANK)["keys"]  # those that were only asked about are there too
    return sum(calls.get(f"cf-{effect}", {"count": 0})["count"] > 0 for effect in effects)


def _wait(here: Payments, kill: Kill) -> None:
    """Wait until all that was in hand is known."""
    ids = [attempt for attempt, _ in kill.in_hand]
    assert until(lambda: here.stack.rows(STILL, [ids]) == [(0,)], LEASE_SECONDS + 60)
    ((kill.known_at,),) = here.stack.rows(KNOWN, [ids])
