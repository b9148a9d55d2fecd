"""A pass of the clock when much waits and nothing is due: buffers and time, with little waiting and with a hundred times more."""

from typing import Any
from uuid import UUID

from tests.bench.ground import FRESH, Ground
from tests.bench.machine import Watch
from tests.bench.program import Program, python
from tests.bench.results import Measure
from tests.bench.rounds import MOST_OTHERS_CORES, Pace
from tests.waiting import fill


def passes(ground: Ground, sizes: list[int], times: int) -> tuple[list[dict[str, Any]], float]:
    """Pass with each of these numbers of effects waiting; gives what each took, and the cores that others used."""
    variables, found, before = ground.fresh(), [], 0
    with Program("sweep", python("-m", "tests.bench.sweeps"), variables, ground.logs, ready=120) as program:
        run = UUID(str(program.ask("opened")["run"]))
        with Watch(ground.groups()) as watch:
            for size in sizes:
                with ground.databases.as_superuser(FRESH) as inside:
                    fill(inside, run, before + 1, size)
                before = size
                found.append(program.ask("passed", times=times))
    return found, watch.others


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Pass with a thousand effects waiting, and with a hundred thousand."""
    few, many = pace.size(1_000, 100), pace.size(100_000, 2_000)
    (small, large), others = passes(ground, [few, many], pace.size(51, 5))
    noisy = int(others > MOST_OTHERS_CORES)
    how = (
        f"One pass (every due query, and whether a worker is needed) over {many:,} effects that wait in six states, nothing due; "
        f"EXPLAIN (ANALYZE, BUFFERS) of each statement, summed. With {few:,} beside it."
    )
    return [
        Measure("sweep", "buffers of a pass over much that waits", large["buffers"], "buffers", how, [], noisy,
                {f"with_{few}": small["buffers"], "ratio": round(large["buffers"] / max(small["buffers"], 1), 2),
                 "statements": large["statements"], "most": large["most"]}),
        Measure("sweep", "time of a pass over much that waits", large["milliseconds"], "ms",
                f"The same pass from the process that makes it, median of {pace.size(51, 5)}.", [], noisy,
                {f"with_{few}": small["milliseconds"], "in_the_database": large["database_milliseconds"]}),
    ]  # fmt: skip
