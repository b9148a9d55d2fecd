"""A resume of a run with a thousand events behind it, beside one with thirty: milliseconds and statements."""

from typing import Any

from tests.bench.ground import Ground
from tests.bench.machine import Watch
from tests.bench.program import Program, python
from tests.bench.results import Measure
from tests.bench.rounds import MOST_OTHERS_CORES, Pace


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Resume both, so many times each."""
    times, found = pace.size(51, 5), []
    with Program("resume", python("-m", "tests.bench.resumes"), ground.fresh(), ground.logs, ready=120) as program:
        runs = [program.ask("opened", effects=effects) for effects in (9, pace.size(332, 40))]
        with Watch(ground.groups()) as watch:
            found = [program.ask("resumed", run=each["run"], agent=each["agent"], times=times) for each in runs]
    noisy = int(watch.others > MOST_OTHERS_CORES)
    (few, many), (short, long) = (each["events"] for each in runs), found
    how = f"Nine steps, the decision, the brief and what is written, in one transaction; median of {times}. With {few} events beside."
    return [
        Measure("resume", f"a resume at {many:,} events", long["milliseconds"], "ms", how, [], noisy, _beside(few, short, long)),
        Measure("resume", f"a preview at {many:,} events", long["looking"], "ms", "The same without acting.", [], noisy,
                {f"with_{few}": short["looking"]}),
    ]  # fmt: skip


def _beside(few: int, short: dict[str, Any], long: dict[str, Any]) -> dict[str, Any]:
    return {
        f"with_{few}": short["milliseconds"],
        "statements": long["statements"],
        f"statements_with_{few}": short["statements"],
    }
