"""`python -m tests.bench [CASE…]`: measure, and write tests/bench/results.json. `make bench` does it with the services up."""

import argparse
import signal
import sys
from pathlib import Path

from tests.bench import results, statements
from tests.bench.cases import (
    approvals,
    approve,
    compensation,
    drift,
    effects,
    lists,
    memory,
    policies,
    recovery,
    resume,
    start,
    sweep,
    waits,
)
from tests.bench.databases import NotHere
from tests.bench.ground import ground
from tests.bench.rounds import QUICK, Pace

CASES = {
    "effects": effects.measure,
    "approve": approve.measure,
    "approvals": approvals.measure,
    "lists": lists.measure,
    "drift": drift.measure,
    "start": start.measure,
    "memory": memory.measure,
    "recovery": recovery.measure,
    "policies": policies.measure,
    "sweep": sweep.measure,
    "waits": waits.measure,
    "resume": resume.measure,
    "compensation": compensation.measure,
}


def main(arguments: list[str]) -> int:
    """Measure the cases that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("cases", nargs="*", choices=[*CASES, []], help="which; all when none is named")
    parser.add_argument(
        "--quick", action="store_true", help="tiny sizes, to try the bench itself; the figures are not kept"
    )
    parser.add_argument(
        "--profile", action="store_true", help="only show where the time of a load goes; measures no case"
    )
    asked = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))  # so that all that was started is ended
    pace = QUICK if asked.quick else Pace()
    try:
        with ground() as here:
            file = here.logs.parent / "quick.json" if pace.quick else results.FILE
            if asked.profile:
                statements.profile(here, pace)
                return 0
            for name in asked.cases or CASES:
                print(f"{name}:", flush=True)
                measures = CASES[name](here, pace)
                results.show(measures)
                results.write(name, measures, Path(file))
    except NotHere as why:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
