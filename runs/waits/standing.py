"""Whether a run that was set aside (out of budget, in quarantine) waits still when it may go on, and what it no longer waits for."""

from datetime import datetime

from django.db.models import Max, Q

from console.ledger.actors import Actor
from runs.models import Effect, Run, Wait
from runs.states import BLOCKED, EXPIRED, MET, RUNNING, WAIT_OPEN, WAITING, WITHDRAWN
from runs.waits import waking

WAKE = "wake"  # what may follow when a wait expires


def goes_on_as(run: Run) -> str:
    """Give the state in which a run goes on: it waits still where nothing of what it waited for has come, before or meanwhile."""
    parked = Wait.objects.filter(run=run, parks=True)
    opened = parked.filter(state=WAIT_OPEN).aggregate(last=Max("opened_at"))["last"]
    woken = Q(state=MET) | Q(state=EXPIRED, on_expiry=WAKE)
    return WAITING if opened and not parked.filter(woken, ended_at__gte=opened).exists() else RUNNING


def end_others(by: Actor, run: Run, now: datetime) -> None:
    """End what a locked run waited for beside what came while it was set aside, as if it had woken; what holds effects back goes on."""
    blocked = Effect.objects.filter(run=run, state=BLOCKED).values_list("after_waits", flat=True)
    held = {wait for waits in blocked for wait in waits}
    parked = Wait.objects.filter(run=run, state=WAIT_OPEN, parks=True).order_by("number").values_list("pk", flat=True)
    waking.end(by, [(wait, WITHDRAWN, "the run went on", None) for wait in parked if wait not in held], now)
