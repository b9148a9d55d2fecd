"""Ending waits in runs that the caller has locked, with all that follows: the run wakes, and what was held back comes to its turn."""

from collections.abc import Collection, Sequence
from datetime import datetime
from json import dumps
from uuid import UUID

from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from console.ledger.streams import LIST
from runs.states import MET, WITHDRAWN
from runs.waits import news

WAKE = f"select * from runs_wake({LIST}::uuid[], {LIST}, {LIST}, {LIST}, %s, %s, %s)"  # noqa: S608 - no value is in it
DROP = "select runs_drop_waits(%s::uuid[], %s, %s, %s)"

Ended = tuple[UUID, str, str, str | None]  # (wait, state, reason, result as canonical JSON)


def end(by: Actor, waits: Sequence[Ended], now: datetime) -> dict[UUID, str]:
    """End open waits of locked runs, and record it. Gives the state of each run that had one; what was over before is left as it is."""
    if not waits:
        return {}
    columns = [[None if value is None else str(value) for value in column] for column in zip(*waits, strict=True)]
    found = rows(WAKE, [*(dumps(column, ensure_ascii=False) for column in columns), str(by), now, by.via])
    states = {row["run_id"]: row["state"] for row in found}
    news.woken([row["run_id"] for row in found if row["woke"]], instant(now))
    ring_after_commit(*states)
    return states


def meet(by: Actor, wait_id: UUID, result: str | None, now: datetime) -> str | None:
    """Meet one open wait of a locked run, with what came (canonical JSON). Gives the run's state then; None when it was over before."""
    return next(iter(end(by, [(wait_id, MET, "", result)], now).values()), None)


def take_back(by: Actor, wait_id: UUID, reason: str, now: datetime) -> str | None:
    """Withdraw one open wait of a locked run. Gives the run's state then; None when it was over before."""
    return next(iter(end(by, [(wait_id, WITHDRAWN, reason, None)], now).values()), None)


def drop(by: Actor, run_ids: Collection[UUID], reason: str, now: datetime) -> None:
    """Withdraw all that locked runs wait for, because they end; what was held back ends with them, elsewhere."""
    rows(DROP, [list(run_ids), reason, str(by), now])
