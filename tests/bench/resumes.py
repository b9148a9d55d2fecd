"""Resuming in a process of its own: how long the nine steps, the decision and the brief take, and in how many statements."""

import statistics
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import django

from tests.bench.program import obey


def opened(effects: int) -> dict[str, Any]:
    """Have a run in which so many effects were proposed, begun and settled, a third of them in vain; gives how long its record is."""
    from runs.models import Run
    from tests.cast import inside
    from tests.shop import draft, open_shop
    from tests.work import claim, settle

    shop = open_shop(f"resumed-{effects}")
    run = shop.accept(*[draft(f"e-{number}", operation="look") for number in range(effects)], draft("asked", "250"))
    while rows := claim(64):
        third = len(rows) // 3
        settle(rows[third:], result={"receipt": "r"})
        if third:
            settle(rows[:third], "rejected", http=422, reason="No.")
    with inside():
        return {"run": str(run), "agent": str(shop.agent.pk), "events": Run.objects.get(pk=run).ledger_seq}


def resumed(run: str, agent: str, times: int) -> dict[str, Any]:
    """Resume so many times with the token, and look as often without acting."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from uuid_utils.compat import uuid7

    from console.database import transaction
    from console.ledger.actors import Actor
    from runs.models import Run
    from runs.resuming import loading, queries
    from runs.resuming.facts import Asked
    from runs.resuming.resume import resume
    from tests.cast import inside

    with inside():
        held = Run.objects.get(pk=run)
    by = Actor("agent", UUID(agent), "errand-bot", held.tenant_id, "api")

    def act() -> Any:
        return resume(by, held.pk, Asked("bench", {"model": "m-1"}), key=f"resume-{uuid7()}", epoch=held.epoch)

    def look() -> Any:
        with transaction(held.tenant_id):
            found = loading.whole(held.pk, held.tenant_id)
            assert found is not None
            return queries.preview(found)

    with CaptureQueriesContext(connection) as captured:
        act()
    return {"milliseconds": _median(act, times), "looking": _median(look, times), "statements": len(captured)}


def _median(act: Callable[[], Any], times: int) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        taken.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(taken), 1)


if __name__ == "__main__":
    django.setup()
    obey({"opened": opened, "resumed": resumed})
