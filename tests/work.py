"""What workers and the clock do, one step at a time."""

import logging
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from console.database import crossing_tenants, rows
from console.exact import Value, canonical
from runs import sweep as clock
from runs.settling import SETTLE
from runs.states import ATTEMPT_KINDS
from tests.cast import inside

WORKER = "worker:test"
LEASE = 30.0
Row = dict[str, Any]
LEADS_TO = {"overload": "ready", "not_sent": "ready", "transient": "ready", "denied": "rejected", "invalid": "failed"}
STAYS = {"pending", "absent", "transient", "not_sent", "overload", "unknown", "invalid", "denied"}


def claim(
    most: int = 16, *, worker: str = WORKER, lease: float = LEASE, without: Sequence[UUID] = (), kinds: Sequence[str] = ATTEMPT_KINDS
) -> list[Row]:  # fmt: skip
    """Claim what is due; each row also says its effect's key."""
    with inside():
        return rows(
            """select c.*, e.key from runs_claim(%s, %s, %s::uuid[], %s::uuid[], %s) c
               join runs_effect e on e.id = c.effect_id order by e.number""",
            [worker, lease, [uuid7() for _ in range(most)], list(without), list(kinds)],
        )


def claimed() -> Row:
    """Claim the one thing that is due."""
    found = claim()
    assert len(found) == 1, found
    return found[0]


def settle(
    answered: Row | Sequence[Row], outcome: str = "succeeded", *, to: str | None = None, delay: float | None = None, http: int | None = 200,
    sent: bool | None = True, reason: str = "", result: Value = None, reference: str = "", says: str = "", fence: int | None = None,
    worker: str = WORKER, step: str = "",
) -> list[UUID]:  # fmt: skip
    """Write the same answer down for each attempt; gives the late ones."""
    listed = [answered] if isinstance(answered, dict) else list(answered)
    n = len(listed)
    states = [to or _leads_to(row, outcome) for row in listed]
    evidence = canonical({"status": http, "says": says or outcome})
    with inside():
        late = rows(
            SETTLE,
            [
                [row["attempt_id"] for row in listed], [fence or row["fence"] for row in listed], [outcome] * n, states, [delay] * n,
                [http] * n, [sent] * n, [reason] * n, [None if result is None else canonical(result)] * n, [reference] * n,
                [evidence] * n, [step] * n, worker,
            ],
        )  # fmt: skip
    return [row["attempt_id"] for row in late]


def _leads_to(row: Row, outcome: str) -> str:
    if row["kind"] == "status" and outcome in STAYS:
        return str(row["effect_state"])
    return LEADS_TO.get(outcome, outcome)


def follow() -> None:
    """Take the news of decided requests to their effects."""
    with inside():
        rows("select * from runs_follow(%s, 100)", [WORKER])


def end_leases(worker: str | None = None) -> int:
    """Give up the attempts whose lease ran out, or all of a worker's."""
    with inside():
        return clock.end_leases(clock.CLOCK, 100, worker)


def sweep() -> dict[str, int]:
    """Let the clock pass once; no step may fail."""
    failed = Failures()
    logging.getLogger(clock.__name__).addHandler(failed)
    try:
        with crossing_tenants():
            found = clock.sweep()
    finally:
        logging.getLogger(clock.__name__).removeHandler(failed)
    assert not failed.heard, failed.heard
    return {step: number for step, number in found.items() if number}


class Failures(logging.Handler):
    """Hears of steps that failed."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(f"{record.getMessage()}: {record.exc_info[1] if record.exc_info else ''}")
