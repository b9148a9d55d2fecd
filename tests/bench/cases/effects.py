"""Effects per second: runs of five effects, one after the other, beside DBOS and a bare floor, in turn."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from tests.bench.ground import FRESH, Ground
from tests.bench.machine import Watch, spin_milliseconds
from tests.bench.program import Program, python, run
from tests.bench.results import Measure, middle
from tests.bench.rounds import Pace, Rep, quietly

EFFECTS = 5
MOST_RUNS = 20_000


@dataclass(frozen=True)
class Contender:
    """Who works the runs, in how many processes, and what it promises."""

    name: str
    processes: int
    promise: str
    settings: str
    module: str | None = None  # of tests.bench.peers; None: the product


CONTENDERS = (
    Contender(
        "floor",
        2,
        "The intent is committed before the call and the result after it, as columns of one row. Nothing else is kept, nothing recovers.",
        "psycopg alone, 2 processes, each 32 threads with a connection of their own and one claimer",
        "floor",
    ),
    Contender(
        "dbos",
        2,
        "A step's result is committed after the call, and nothing of the step before it: what was under way at a crash is called again.",
        "DBOS 3.4, 2 processes, worker_concurrency 16, polling 0.05 s, synchronous steps, its tables on the same PostgreSQL",
        "dbos_queue",
    ),
    Contender(
        "counterfoil",
        1,
        "The intent is committed before the call and the result after it, each with its entry in the run's chained record; "
        "permission is judged at the moment of the call; attempts are leased and fenced.",
        "1 worker (manage.py worker, as `make up` starts it), three database roles, row-level security on",
    ),
    Contender(
        "counterfoil, 2 workers",
        2,
        "The same as with one worker.",
        "2 workers (manage.py worker), three database roles, row-level security on",
    ),
)


@dataclass
class Running:
    """A contender at work on a fresh database."""

    submitter: Program
    workers: list[Program]


@contextmanager
def running(contender: Contender, ground: Ground) -> Iterator[Running]:
    """Have the contender run on a fresh database."""
    if contender.module is None:
        with ground.product(contender.processes) as product:
            yield Running(product.submitter, product.workers)
        return
    variables, module = ground.empty(), f"tests.bench.peers.{contender.module}"
    run(python("-m", module, "prepare"), variables)
    with ExitStack() as started:
        workers = [
            started.enter_context(
                Program(
                    f"{contender.module}-{number}",
                    python("-m", module, "work"),
                    variables | {"BENCH_EXECUTOR": f"worker-{number}"},
                    ground.logs,
                    ready=60,
                )
            )
            for number in range(1, contender.processes + 1)
        ]
        submitter = started.enter_context(
            Program(f"{contender.module}-submit", python("-m", module, "submit"), variables, ground.logs, ready=60)
        )
        yield Running(submitter, workers)


def repetition(contender: Contender, ground: Ground, pace: Pace) -> Rep:
    """Measure once: fill the fresh database, size the load by that, analyse, and load."""
    with running(contender, ground) as at_work:
        sized = at_work.submitter.ask("load", runs=pace.size(100, 20), name="first")
        rate = pace.size(100, 20) / sized["seconds"]
        ground.databases.settle(FRESH)
        filled = int(min(MOST_RUNS / 4, max(pace.size(200, 20), 2 * rate)))
        sized = at_work.submitter.ask("load", runs=filled, name="filling")
        ground.databases.settle(FRESH)
        runs = int(min(MOST_RUNS, max(pace.size(400, 40), pace.size(8, 1) * filled / sized["seconds"])))
        ground.teller.reset()
        speed = spin_milliseconds()
        groups = ground.groups(workers=[each.pid for each in at_work.workers], submitter=[at_work.submitter.pid])
        with Watch(groups) as watch:
            loaded = at_work.submitter.ask("load", runs=runs, name="measured")
        counts = ground.teller.counts()
    effects = runs * EFFECTS
    if counts["distinct"] != effects:
        raise RuntimeError(f"{contender.name}: {effects} effects, but the bank saw {counts}")
    return Rep(
        round(effects / loaded["seconds"], 1),
        watch.others,
        {
            "effects": effects,
            "seconds": round(loaded["seconds"], 2),
            "submitting_seconds": round(loaded["submitting_seconds"], 2),
            "duplicates": counts["duplicates"],
            "most_in_flight": counts["most_in_flight"],
            "cpu_ms_an_effect": {name: round(used * 1000 / effects, 3) for name, used in watch.cpu.items()},
            "spin_ms": speed,
        },
    )


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Measure all in turn, round after round."""
    reps: dict[str, list[Rep]] = {contender.name: [] for contender in CONTENDERS}
    for number in range(1, pace.rounds + 1):
        for contender in CONTENDERS:
            rep = quietly(lambda contender=contender: repetition(contender, ground, pace), pace)  # type: ignore[misc]
            reps[contender.name].append(rep)
            print(
                f"    round {number}, {contender.name}: {rep.value:g} effects/s {rep.facts['cpu_ms_an_effect']}",
                flush=True,
            )
    return [measure_of(contender, reps[contender.name]) for contender in CONTENDERS] + ratios(reps)


def measure_of(contender: Contender, reps: list[Rep]) -> Measure:
    """Sum a contender's repetitions up."""
    cpu = {
        name: middle([rep.facts["cpu_ms_an_effect"][name] for rep in reps], 3)
        for name in ("workers", "postgres", "submitter", "bank")
    }
    values = [rep.value for rep in reps]
    return Measure(
        "effects", f"effects per second, {contender.name}", middle(values), "effects/s",
        f"Runs of {EFFECTS} effects in sequence, a loopback bank that answers at once, submitted in batches of 50 by a process of its own; "
        f"from the first submit to the last run seen ended. {contender.settings}. Fresh database, filled and analysed first.",
        values, sum(rep.noisy for rep in reps),
        {
            "promise": contender.promise, "duplicates": sum(rep.facts["duplicates"] for rep in reps), "cpu_ms_an_effect": cpu,
            "reps": [{**rep.facts, "others_cores": rep.others} for rep in reps],
        },
    )  # fmt: skip


def ratios(reps: dict[str, list[Rep]]) -> list[Measure]:
    """Compare the product with each of the others, round by round."""
    found = []
    for ours in ("counterfoil", "counterfoil, 2 workers"):
        for other in ("dbos", "floor"):
            pairs = [(mine, theirs) for mine, theirs in zip(reps[ours], reps[other], strict=True)]
            values = [round(mine.value / theirs.value, 2) for mine, theirs in pairs]
            found.append(
                Measure(
                    "effects", f"effects per second, {ours} to {other}", middle(values, 2), "ratio",
                    "The median of the ratios of the rounds, each round in turn on the same machine.", values,
                    sum(mine.noisy or theirs.noisy for mine, theirs in pairs),
                )
            )  # fmt: skip
    return found
