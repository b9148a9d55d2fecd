"""From a clean clone to the first page, with the package cache filled, and the second start."""

from tests.bench.clone import clone
from tests.bench.ground import Ground
from tests.bench.machine import Watch
from tests.bench.results import Measure, middle
from tests.bench.rounds import Pace, Rep, quietly


def repetition(ground: Ground) -> Rep:
    """Clone, start, stop and start again."""
    with Watch(ground.groups()) as watch, clone() as fresh:
        first = fresh.cloning_seconds + fresh.up()
        fresh.stop()
        second = fresh.up()
        fresh.stop()
    return Rep(round(first, 1), watch.others, {"second": round(second, 1), "cloning": round(fresh.cloning_seconds, 1)})


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Fill the caches, then measure so many times."""
    with clone() as first:
        first.install()
    reps = []
    for number in range(1, pace.rounds + 1):
        reps.append(quietly(lambda: repetition(ground), pace))
        print(f"    round {number}: {reps[-1].value:g} s, then {reps[-1].facts['second']:g} s", flush=True)
    noisy, others = sum(rep.noisy for rep in reps), [rep.others for rep in reps]
    firsts, seconds = [rep.value for rep in reps], [float(rep.facts["second"]) for rep in reps]
    return [
        Measure("start", "clean clone to the first page", middle(firsts), "s",
                "git clone, then `make up`, until GET / answers; the package cache was filled by an installation before.",
                firsts, noisy, {"others_cores": others}),
        Measure("start", "second start to the first page", middle(seconds), "s",
                "`make up` again with the same data, until GET / answers.", seconds, noisy, {"others_cores": others}),
    ]  # fmt: skip
