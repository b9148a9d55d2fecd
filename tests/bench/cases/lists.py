"""The lists with 100,000 runs in the database: how many statements each takes, how they are carried out, how long it takes."""

from pathlib import Path

from tests.bench.ground import FRESH, Ground
from tests.bench.machine import Watch
from tests.bench.program import Program, python
from tests.bench.results import FILE, Measure
from tests.bench.rounds import MOST_OTHERS_CORES, Pace

FILLING = Path(__file__).parent.parent / "filling.sql"
PLANS = "plans.txt"


def fill(ground: Ground, runs: int) -> dict[str, str]:
    """Give the environment of a fresh database with so many runs, analysed."""
    variables = ground.fresh()
    with ground.databases.as_superuser(FRESH) as inside:
        inside.execute((FILLING.read_text(encoding="utf-8") % {"runs": runs}).encode())
    ground.databases.settle(FRESH)
    return variables


def read(ground: Ground, runs: int, pace: Pace) -> tuple[dict[str, dict[str, object]], float]:
    """Read every list at that size; give what each took, and the cores that others used."""
    variables = fill(ground, runs)
    reader = python("-m", "tests.bench.lists")
    with Program("lists", reader, variables, ground.logs, ready=120) as program, Watch(ground.groups()) as watch:
        addresses = program.ask("addresses")["addresses"]
        found = {path: program.ask("read", path=path, times=pace.size(21, 3)) for path in addresses}
    return found, watch.others


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Read every list with few runs and with many."""
    few, many = pace.size(1_000, 200), pace.size(100_000, 2_000)
    small, _ = read(ground, few, pace)
    large, others = read(ground, many, pace)
    plans = (ground.logs.parent if pace.quick else FILE.parent) / PLANS
    plans.write_text("".join(told(path, found["plans"]) for path, found in large.items()), encoding="utf-8")
    counts = dict(zip(map(shape, small), (found["queries"] for found in small.values()), strict=True))
    return [
        Measure(
            "lists", f"GET {shape(path)}", float(str(found["milliseconds"])), "ms",
            f"{many:,} runs with two effects each, one run in twenty with an unknown and as many waiting for a person; read in process, "
            f"the whole product without the network, median of {pace.size(21, 3)}. What PostgreSQL did is in {PLANS}.",
            [], int(others > MOST_OTHERS_CORES),
            {"queries": found["queries"], f"queries_with_{few}_runs": counts.get(shape(path)), "others_cores": others},
        )
        for path, found in large.items()
    ]  # fmt: skip


def shape(path: str) -> str:
    """Give an address without the ids and cursors in it."""
    before, _, words = path.partition("?")
    parts = ["ID" if len(part) == 36 else part for part in before.split("/")]
    kept = [
        f"{word.partition('=')[0]}=…" if word.startswith(("after=", "cursor=")) else word
        for word in words.split("&")
        if word
    ]
    return "/".join(parts) + ("?" + "&".join(kept) if kept else "")


def told(path: str, plans: object) -> str:
    """Write the plans of one address."""
    lines = plans if isinstance(plans, list) else []
    return f"\n==== GET {shape(path)}\n\n" + "\n\n".join(lines) + "\n"
