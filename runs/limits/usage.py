"""What an agent reports of what its run has used: tokens and cost, which nobody else knows."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object, number_text
from console.http.refusals import InvalidContent
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver, record
from runs.limits import budgets, exhausting
from runs.limits.budgets import COST, TOKENS
from runs.models import Run
from runs.states import RUN_ENDED, RUN_GOING

MOST_TOKENS = 2**63 - 1
MOST_COST = Decimal(10) ** 14
LONGEST_NOTE = 500


class NothingUsed(InvalidContent):
    """Say how many tokens were used, or what it cost, or both; and at most 500 characters of what for."""

    code = "nothing_used"


class TooMuchUsed(InvalidContent):
    """Together with what was reported before, this is more than can be kept."""

    code = "too_much_used"


@move("report usage")
def report(
    by: Actor, run_id: UUID, *, epoch: int, tokens: int = 0, cost: str = "0", note: str = "", key: str, version: int | None = None
) -> dict[str, Any]:  # fmt: skip
    """Add to what a run has used, once per key. What exceeds a budget sets the run aside at once; what just reaches it, when more is asked.

    It is what was spent already, so it is taken of any run that has not ended. Raises NotFound, StaleToken, RunEnded, BadLimit."""
    read = budgets.amounts({TOKENS: tokens, COST: cost}, "")
    if not any(read.values()) or len(note) > LONGEST_NOTE:
        raise NothingUsed(path="/tokens")
    asked: Object = {"run": str(run_id), TOKENS: tokens, COST: number_text(read[COST]), "note": note}
    return once(
        by, key, "report usage", asked, lambda: _report(by, run_id, epoch, version, int(read[TOKENS]), read[COST], note.strip()),
        about=run_id,
    )  # fmt: skip


def _report(
    by: Actor, run_id: UUID, epoch: int, version: int | None, tokens: int, cost: Decimal, note: str
) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    if run.state in RUN_ENDED:
        raise driver.RunEnded(state=run.state, version=run.ledger_seq)
    now = clock.now()
    used_tokens, used_cost = run.used_tokens + tokens, run.used_cost + cost
    if used_tokens > MOST_TOKENS or used_cost >= MOST_COST:
        raise TooMuchUsed(path="/tokens" if used_tokens > MOST_TOKENS else "/cost")
    Run.objects.filter(pk=run.pk).update(used_tokens=used_tokens, used_cost=used_cost)
    says: Object = {
        TOKENS: tokens, COST: number_text(cost), "used_tokens": used_tokens, "used_cost": number_text(used_cost), "note": note,
    }  # fmt: skip
    record.write([(run.pk, "run.used", says)], by, now)
    _set_aside(by, run, now)
    ring_after_commit(run.pk, work=False)
    stands = Run.objects.get(pk=run.pk)
    found = budgets.of_run(run.pk, run.limits)
    return {
        "run": str(run.pk), "state": stands.state, "used_tokens": used_tokens, "used_cost": number_text(used_cost),
        "budgets": [budget.shown() for budget in found], "at": instant(now),
    }  # fmt: skip


def _set_aside(by: Actor, run: Run, now: datetime) -> None:
    """Set a run aside that has spent more than it may."""
    over = [
        budget
        for budget in budgets.of_run(run.pk, run.limits)
        if budget.name in (TOKENS, COST) and budget.used > budget.allowed
    ]
    if over and run.state in RUN_GOING:
        exhausting.exhaust(by, run, now)
