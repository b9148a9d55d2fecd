"""Runs that wait: how late a time comes among many that wait, many that come at the same second, and from a signal to the next call."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Any

from tests.bench import waiters
from tests.bench.cases.approve import web
from tests.bench.ground import FRESH, Ground, Product
from tests.bench.machine import Watch
from tests.bench.peers.ours import PASSWORD
from tests.bench.program import Program, python
from tests.bench.results import Measure, middle
from tests.bench.rounds import MOST_OTHERS_CORES, Pace
from tests.bench.visitor import Visitor

AHEAD = timedelta(days=200)


def fill(ground: Ground, run: str, first: int, last: int, due: datetime, apart: float) -> None:
    """Copy a run that waits, and its wait, so often; their times begin at `due`, so many seconds apart."""
    with ground.databases.as_superuser(FRESH) as inside:
        inside.execute("set session_replication_role = replica")
        facts = {"run": run, "from": first, "to": last, "due": due, "apart": apart}
        for sql in (waiters.RUNS, waiters.WAITS):
            inside.execute(sql.encode(), facts)
        inside.execute("reset session_replication_role")


@contextmanager
def waiting(ground: Ground, product: Product) -> Iterator[tuple[Program, str]]:
    """Have an agent whose runs wait, the clock, and one run that is the pattern of others."""
    with (
        Program("waiters", python("-m", "tests.bench.waiters"), product.variables, ground.logs, ready=120) as agent,
        Program("clock", python("manage.py", "clock"), product.variables, ground.logs),
    ):
        yield agent, str(agent.ask("pattern")["run"])


class Looker(Thread):
    """Somebody who looks at a page again and again, and notes how long each answer took (milliseconds)."""

    def __init__(self, visitor: Visitor, path: str) -> None:
        super().__init__(daemon=True)
        self.visitor, self.path, self.over, self.taken = visitor, path, Event(), list[float]()

    def run(self) -> None:
        while not self.over.wait(0.1):
            began = time.monotonic()
            self.visitor.look(self.path)
            self.taken.append(round((time.monotonic() - began) * 1000, 1))

    def stop(self) -> list[float]:
        """Give what was noted."""
        self.over.set()
        self.join(30)
        return sorted(self.taken)


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Measure all three on one product, one after the other."""
    pending, at_once = pace.size(100_000, 2_000), pace.size(10_000, 200)
    with ground.product(workers=1) as product, waiting(ground, product) as (agent, pattern):
        now = datetime.fromisoformat(agent.ask("now")["now"])
        fill(ground, pattern, 1, pending, now + AHEAD, 0.1)
        product.settle()
        with Watch(product.groups()) as watch:
            late = agent.ask("soon", runs=pace.size(100, 10), within=20)["late"]
        timers = _timers(late, pending, watch.others)
        with web(product) as (_, port):
            visitor = Visitor(port)
            visitor.sign_in("ann@bench.example", PASSWORD)
            visitor.look("/runs")
            together = _together(ground, product, agent, visitor, pattern, pending + 1, pending + at_once)
        signals = _signals(product, agent, pace)
    return [timers, *together, signals]


def _timers(late: list[float], pending: int, others: float) -> Measure:
    return Measure(
        "waits", "how late a time comes, among many that wait", middle(late, 3), "s",
        f"Times that runs wait for, one after the other over 20 s, with {pending:,} more pending: from the time to the commit that woke "
        "the run, by the database's clock; the clock passes once a second. Median; the longest is in the details.",
        late, int(others > MOST_OTHERS_CORES), {"longest": max(late), "others_cores": others},
    )  # fmt: skip


def _together(
    ground: Ground, product: Product, agent: Program, visitor: Visitor, pattern: str, first: int, last: int
) -> list[Measure]:
    due = datetime.fromisoformat(agent.ask("now")["now"]) + timedelta(seconds=20)
    fill(ground, pattern, first, last, due, 0)
    product.settle()
    looker = Looker(visitor, "/runs")
    looker.start()
    with Watch(product.groups()) as watch:
        told = agent.ask("woken", first=first, last=last, due=due.isoformat(), within=240)
    pages = looker.stop()
    many, noisy = last - first + 1, int(watch.others > MOST_OTHERS_CORES)
    facts: dict[str, Any] = {
        "runs": many, "told": told["entries"], "runs_told": told["runs"], "still_waiting": told["still"], "others_cores": watch.others,
    }  # fmt: skip
    seconds = round((datetime.fromisoformat(told["last"]) - due).total_seconds(), 2)
    return [
        Measure("waits", "until the last of many runs went on that wake at the same second", seconds, "s",
                f"{many:,} runs wait for one and the same time; from it to the commit that woke the last. `told` counts the entries that "
                "say so, `runs_told` the runs: each once.", [], noisy, facts),
        Measure("waits", "a page meanwhile", middle(pages), "ms",
                "The list of runs, looked at again and again by a signed-in member while they wake; median, the longest in the details.",
                pages, noisy, {"longest": max(pages)}),
    ]  # fmt: skip


def _signals(product: Product, agent: Program, pace: Pace) -> Measure:
    taken, sending = [], []
    with Watch(product.groups()) as watch:
        for number in range(pace.size(40, 5)):
            name = f"signal-{number}"
            told = agent.ask("signal", name=name)
            came = product.ground.teller.arrival(name)
            if came is None:
                raise RuntimeError("The bank saw no call within 30 s of the signal.")
            taken.append(round((came - told["sent"]) / 1e6, 1))
            sending.append(told["sending_ms"])
    return Measure(
        "waits", "signal to the bank's call", middle(taken), "ms",
        "From sending a signal, through the function that the API calls, to the bank's reading of the call of the effect that stood back "
        "for it: signal recorded, wait met, effect claimed, called. One worker.",
        taken, int(watch.others > MOST_OTHERS_CORES), {"sending": middle(sending), "others_cores": watch.others},
    )  # fmt: skip
