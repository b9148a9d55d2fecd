"""Compensation: planning by the number of effects, the desk with very many work items, and very many runs that are called off at once."""

from typing import Any

from tests.bench.cases.approve import web
from tests.bench.cases.waits import Looker
from tests.bench.ground import FRESH, Ground
from tests.bench.machine import Watch
from tests.bench.peers.ours import PASSWORD
from tests.bench.program import Program, python
from tests.bench.results import FILE, Measure, middle
from tests.bench.rounds import MOST_OTHERS_CORES, Pace
from tests.bench.undoing import DESK
from tests.bench.visitor import Visitor

CASE, PLANS, EFFECTS = "compensation", "plans-compensation.txt", 3


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Measure all three, one after the other."""
    return [_planning(ground, pace), _desk(ground, pace), *_called_off(ground, pace)]


def _planning(ground: Ground, pace: Pace) -> Measure:
    undoing, times = python("-m", "tests.bench.undoing"), pace.size(51, 5)
    with (
        Program("undoing", undoing, ground.fresh(), ground.logs, ready=120) as program,
        Watch(ground.groups()) as watch,
    ):
        found = {n: program.ask("planned", effects=n, times=times)["milliseconds"] for n in (10, 100, 1_000)}
        half = program.ask("planned", effects=1_000, times=times, operations=2)["milliseconds"]
    how = "Pure, without the database: effects of ten operations, each to be made good for after the next one; median."
    beside: dict[str, Any] = {f"with_{n}": taken for n, taken in found.items()} | {"with_500_after_500": half}
    noisy = int(watch.others > MOST_OTHERS_CORES)
    return Measure(CASE, "planning for 1,000 effects", found[1_000], "ms", how, [], noisy, beside)


def _desk(ground: Ground, pace: Pace) -> Measure:
    few, many, times = 100, pace.size(10_000, 500), pace.size(25, 3)
    small, _ = _read(ground, few, times)
    large, others = _read(ground, many, times)
    plans = (ground.logs.parent if pace.quick else FILE.parent) / PLANS
    plans.write_text(f"\n==== GET {DESK}\n\n" + "\n\n".join(large["plans"]) + "\n", encoding="utf-8")
    return Measure(
        CASE, f"GET {DESK}", large["milliseconds"], "ms",
        f"{many:,} work items are open; in process, the product without the network, median of {times}. Plans in {PLANS}.", [],
        int(others > MOST_OTHERS_CORES),
        {
            "queries": large["queries"], f"queries_with_{few}": small["queries"], f"milliseconds_with_{few}": small["milliseconds"],
            "others_cores": others,
        },
    )  # fmt: skip


def _read(ground: Ground, items: int, times: int) -> tuple[dict[str, Any], float]:
    with Program("undoing", python("-m", "tests.bench.undoing"), ground.fresh(), ground.logs, ready=120) as program:
        opened = program.ask("open", items=items, within=300, seconds=900)["items"]
        if opened != items:
            raise RuntimeError(f"{opened} of {items} work items are open")
        ground.databases.settle(FRESH)
        with Watch(ground.groups()) as watch:
            return program.ask("page", times=times), watch.others


def _called_off(ground: Ground, pace: Pace) -> list[Measure]:
    runs = pace.size(1_000, 20)
    callers = python("-m", "tests.bench.callers_off")
    with (
        ground.product(workers=1) as product,
        Program("callers-off", callers, product.variables, ground.logs, ready=120) as agent,
        Program("clock", python("manage.py", "clock"), product.variables, ground.logs),
    ):
        agent.ask("taken", runs=runs, effects=EFFECTS, within=300, seconds=400)
        product.settle()
        ground.teller.reset()
        with web(product) as (_, port):
            visitor = Visitor(port)
            visitor.sign_in("omar@bench.example", PASSWORD)
            visitor.look(DESK)
            looker = Looker(visitor, DESK)
            looker.start()
            with Watch(product.groups()) as watch:
                told = agent.ask("called_off", within=600, seconds=700)
            pages = looker.stop()
        bank = ground.teller.counts()
    noisy = int(watch.others > MOST_OTHERS_CORES)
    how = (
        f"{runs:,} runs in each of which {EFFECTS} things were done are cancelled one after the other; from the first cancellation until "
        "the last run has ended, everything given back. `calls` and `duplicates` are the bank's. One worker."
    )
    return [
        Measure(CASE, f"until {runs:,} cancelled runs have given everything back", told["seconds"], "s", how, [], noisy,
                {**told, **{name: bank[name] for name in ("calls", "duplicates")}, "others_cores": watch.others}),
        Measure(CASE, "the desk meanwhile", middle(pages), "ms",
                "The desk, looked at again and again by a signed-in operator; median, the longest in the details.", pages, noisy,
                {"longest": max(pages)}),
    ]  # fmt: skip
