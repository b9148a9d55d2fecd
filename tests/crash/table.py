"""The whole matrix as a table, for people."""

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.crash.cases import whole
from tests.crash.matrix import Seen, ground, run


def main(arguments: list[str]) -> int:
    """Run every case and print what came of it; gives 1 unless all came out as reckoned."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description="Run the whole matrix.")
    parser.add_argument("--table", type=Path, help="a file to write the table to as well")
    asked = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="counterfoil-crash-") as folder, ground(Path(folder)) as here:
        seen = run(here, whole())
        here.check()
    lines = [
        *(found.line() for found in seen),
        "",
        *summary(seen),
        f"{time.monotonic() - began:.0f} s",
    ]
    print("\n".join(lines))
    if asked.table:
        asked.table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(any(found.faults for found in seen))


def summary(seen: list[Seen]) -> list[str]:
    """Sum up: how many came out as reckoned, in which states they ended, and what happened twice."""
    states = Counter(found.state for found in seen)
    faults, lost = sum(bool(found.faults) for found in seen), sum(found.lost for found in seen)
    twice, called = (
        sum(found.entries > 1 for found in seen),
        sum(found.calls > found.wanted.calls for found in seen),
    )
    return [
        f"{len(seen)} cases, {faults} of them not as reckoned; {lost} were killed with an attempt in hand",
        ", ".join(f"{state} {count}" for state, count in states.most_common()),
        f"happened twice: {twice}; called more often than reckoned: {called}",
    ]
