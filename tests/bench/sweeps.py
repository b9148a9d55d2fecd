"""Passing the clock in a process of its own: what a pass touches when nothing is due, and how PostgreSQL goes about it."""

import statistics
import time
from typing import Any

import django

from tests.bench.program import obey


def opened() -> dict[str, Any]:
    """Have a shop with a run whose effects are the pattern of what waits; gives the run."""
    from console.database import crossing_tenants
    from runs.models import Effect
    from tests.shop import draft, open_shop

    run = open_shop("waiting").accept(draft("a"), draft("asked", "250"))
    with crossing_tenants():
        Effect.objects.filter(run_id=run, key="a").update(next_attempt_at="2100-01-01T00:00Z")
    return {"run": str(run)}


def passed(times: int) -> dict[str, Any]:
    """Pass so many times, and once more with every statement explained."""
    from console.database import crossing_tenants
    from runs.sweep import sweep
    from tests.touched import touched

    taken = []
    with crossing_tenants():
        found = sweep()
        if any(found.values()):
            raise RuntimeError(f"something was due: {found}")
        for _ in range(times):
            began = time.perf_counter()
            sweep()
            taken.append((time.perf_counter() - began) * 1000)
        with touched() as seen:
            sweep()
    return {
        "milliseconds": round(statistics.median(taken), 1), "buffers": seen.buffers, "statements": len(seen.statements),
        "database_milliseconds": round(seen.milliseconds, 2), "most": seen.most(5),
    }  # fmt: skip


if __name__ == "__main__":
    django.setup()
    obey({"opened": opened, "passed": passed})
