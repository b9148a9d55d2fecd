"""Whether the product slows down as its tables grow: 10,000 runs in one go, the last thousand against the first."""

from tests.bench.ground import Ground
from tests.bench.machine import Watch
from tests.bench.results import Measure, middle
from tests.bench.rounds import Pace, Rep, quietly

AT_ONCE = 500


def repetition(ground: Ground, pace: Pace) -> Rep:
    """Measure once; the rates are those at which runs ended."""
    step = pace.size(1000, 100)
    with ground.product(workers=1) as product:
        product.ask("load", runs=pace.size(200, 20), name="filling")
        product.settle()
        ground.teller.reset()
        with Watch(product.groups()) as watch:
            # Somewhat more than ten thousand, so that the last of them do not end in an emptying house.
            told = product.ask("flow", runs=10 * step + AT_ONCE, name="run", at_once=AT_ONCE, step=step)
        counts = ground.teller.counts()
    passed = {int(mark): seconds for mark, seconds in told["passed"].items()}
    rates = [round(step / (passed[mark] - passed[mark - step]), 1) for mark in range(step, 10 * step + 1, step)]
    return Rep(
        round(100 * (rates[0] / rates[-1] - 1), 1),
        watch.others,
        {"runs_per_second_of_each_thousand": rates, "duplicates": counts["duplicates"], "cpu_seconds": watch.cpu},
    )


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Measure so many times."""
    reps = []
    for number in range(1, pace.rounds + 1):
        reps.append(quietly(lambda: repetition(ground, pace), pace))
        print(f"    round {number}: {reps[-1].value:+g} % {reps[-1].facts}", flush=True)
    values = [rep.value for rep in reps]
    return [
        Measure(
            "drift", "time of runs 9,001 to 10,000 against the first thousand", middle(values), "%",
            f"10,000 runs of five effects and {AT_ONCE} more, about {AT_ONCE} of them open at any time, one worker, a fresh database with "
            "200 runs, analysed; how much longer the tenth thousand took to end than the first (below zero: less long).",
            values, sum(rep.noisy for rep in reps), {"reps": [{**rep.facts, "others_cores": rep.others} for rep in reps]},
        )
    ]  # fmt: skip
