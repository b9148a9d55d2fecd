"""The inbox, a decision and the use of an approval with 5,000 pending, beside ten: milliseconds, statements and plans."""

from typing import Any

from tests.bench.ground import FRESH, Ground
from tests.bench.machine import Watch
from tests.bench.program import Program, python
from tests.bench.results import FILE, Measure
from tests.bench.rounds import MOST_OTHERS_CORES, Pace

PLANS = "plans-approvals.txt"
ACTS = {
    "page": "GET /approvals",
    "decision": "POST /approvals/ID/decide",
    "use": "the use of an approval that stands alone",
}


def read(ground: Ground, pending: int, times: int) -> tuple[dict[str, dict[str, Any]], float]:
    """Do each with so many pending; give what each took, and the cores that others used."""
    inbox = python("-m", "tests.bench.inbox")
    with Program("inbox", inbox, ground.fresh(), ground.logs, ready=120) as program:
        program.ask("open", pending=pending, seconds=600)
        ground.databases.settle(FRESH)
        with Watch(ground.groups()) as watch:
            found = {act: program.ask(act, times=times, seconds=300) for act in ACTS}
    return found, watch.others


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Do each with few pending and with many."""
    few, many, times = 30, pace.size(5_000, 200), pace.size(25, 3)
    small, _ = read(ground, few, times if few > times + 4 else few - 4)
    large, others = read(ground, many, times)
    plans = (ground.logs.parent if pace.quick else FILE.parent) / PLANS
    plans.write_text("".join(_told(ACTS[act], found["plans"]) for act, found in large.items()), encoding="utf-8")
    how = f"{many:,} requests wait for one approval; in process, the product without the network, median of {times}. Plans in {PLANS}."
    return [
        Measure(
            "approvals", ACTS[act], found["milliseconds"], "ms", how, [], int(others > MOST_OTHERS_CORES),
            {
                "queries": found["queries"], f"queries_with_{few}": small[act]["queries"],
                f"milliseconds_with_{few}": small[act]["milliseconds"], "others_cores": others,
            },
        )
        for act, found in large.items()
    ]  # fmt: skip


def _told(name: str, plans: list[str]) -> str:
    return f"\n==== {name}\n\n" + "\n\n".join(plans) + "\n"
