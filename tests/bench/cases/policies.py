"""What 200 rules take for one intent, and how long a new version takes for ten thousand requests that are pending."""

from typing import Any

from tests.bench.ground import Ground
from tests.bench.machine import Watch
from tests.bench.program import Program, python
from tests.bench.results import Measure
from tests.bench.rounds import MOST_OTHERS_CORES, Pace

RULES = 200


def measure(ground: Ground, pace: Pace) -> list[Measure]:
    """Judge one intent; then publish a version that asks the same, and one that asks a second person."""
    pending = pace.size(10_000, 400)
    with Program("judging", python("-m", "tests.bench.judging"), ground.fresh(), ground.logs, ready=120) as program:
        tenant = program.ask("opened", pending=pending, seconds=900)["tenant"]
        with Watch(ground.groups()) as watch:
            one = program.ask("evaluated", rules=RULES, times=pace.size(2_000, 50))
            same = program.ask("judged", tenant=tenant, version=3, quorum=1, above=1, seconds=900)
            anew = program.ask("judged", tenant=tenant, version=4, quorum=2, above=1, seconds=900)
    noisy = int(watch.others > MOST_OTHERS_CORES)
    how = f"{pending:,} runs each wait for one approval; a version is published, and passes until nothing stands on an earlier one."
    return [
        Measure("policies", f"one intent by {RULES} rules", one["milliseconds"], "ms", "Only the last rule holds; median.", [], noisy,
                {"worst": one["worst"]}),
        _judged(f"{pending:,} pending, asked in the same words", same, f"{how} They stand.", noisy),
        _judged(f"{pending:,} pending, a second person asked", anew, f"{how} Each is asked anew.", noisy),
    ]  # fmt: skip


def _judged(name: str, found: dict[str, Any], how: str, noisy: int) -> Measure:
    beside = {word: found[word] for word in ("published_seconds", "passes", "longest_pass")}
    return Measure("policies", name, found["seconds"], "s", how, [], noisy, beside)
