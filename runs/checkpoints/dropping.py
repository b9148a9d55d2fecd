"""Old states are let go: those that are too many when a new one is written, and those that are too old, by the contract (R-G3).

What the record says of the checkpoint stays, with the digests and the authoritative part. The newest state stays while its run is open."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Max, QuerySet

from console import clock
from console.clock import DatabaseNow
from console.exact import Object
from console.ledger.actors import Actor
from runs import catalogue, record
from runs.models import Checkpoint, Run
from runs.states import RUN_ENDED

DAY: Final = 24 * 3600


def beyond(by: Actor, run: Run, number: int, now: datetime) -> None:
    """Let go the states of the locked run up to this number."""
    if number > 0:
        _drop(
            by,
            list(_kept().filter(run_id=run.pk, number__lte=number).order_by("number")),
            "a later one was written",
            now,
        )


def drop_due(by: Actor, limit: int) -> int:
    """Let go the states that are too old; the newest of a run that is open is looked at again after as long. Gives how many were due."""
    due = _kept().filter(drop_at__lte=DatabaseNow())
    wanted = list(due.order_by("drop_at").values_list("pk", "run_id")[:limit])
    if not wanted:
        return 0
    runs = (
        Run.objects.filter(pk__in={run for _, run in wanted})
        .order_by("pk")
        .select_for_update(no_key=True, skip_locked=True)
    )
    held = {run.pk: run for run in runs}
    found = list(due.filter(pk__in=[pk for pk, run in wanted if run in held]).order_by("run_id", "number"))
    now, last = clock.now(), _newest(held)
    stay = [each for each in found if held[each.run_id].state not in RUN_ENDED and each.number == last[each.run_id]]
    for each in stay:
        seconds = catalogue.run_type(held[each.run_id].run_type_id).document.checkpoint.keep_seconds or DAY
        Checkpoint.objects.filter(pk=each.pk).update(drop_at=now + timedelta(seconds=seconds))
    _drop(by, [each for each in found if each not in stay], "its time had passed", now)
    return len(found)


def _newest(runs: Collection[UUID]) -> dict[UUID, int]:
    last = Checkpoint.objects.filter(run_id__in=runs).values("run_id").annotate(last=Max("number"))
    return dict(last.values_list("run_id", "last"))


def _kept() -> "QuerySet[Checkpoint]":
    return Checkpoint.objects.filter(state__isnull=False).defer("state", "authoritative")


def _drop(by: Actor, found: list[Checkpoint], reason: str, now: datetime) -> None:
    if not found:
        return
    Checkpoint.objects.filter(pk__in=[each.pk for each in found]).update(
        state=None, dropped_at=now, drop_at=None, sealed_with=""
    )
    entries: list[tuple[UUID, str, Object]] = [
        (each.run_id, "checkpoint.dropped", {"checkpoint": str(each.pk), "number": each.number, "reason": reason})
        for each in found
    ]
    record.write(entries, by, now)
