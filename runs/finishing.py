"""What began under an approval and runs past the time that the policy gave it: let finish, asked to stop, or marked as to be undone.

No attempt begins after that time (approvals/sql/use.sql); what is under way is followed once, and the request says that it overran."""

from datetime import datetime
from typing import Final

from approvals.deciding.overrunning import overran
from approvals.models import Request
from approvals.policy_asks import ASK_TO_CANCEL, COMPENSATE
from console import clock
from console.clock import DatabaseNow
from console.ledger.actors import Actor
from runs.cancelling import stopping
from runs.cancelling.rule import IMMEDIATE
from runs.models import Cancellation, Effect, Run
from runs.states import IN_FLIGHT, UNKNOWN

STILL_RUNS: Final = IN_FLIGHT | {UNKNOWN}
WHY: Final = "it ran past the time that its approval gave it"


def follow_due(by: Actor, limit: int) -> int:
    """Look at what is to be over by now, and give how many requests that were; what somebody else holds waits for the next pass.

    Runs, effects and requests are locked in that order, within the caller's transaction."""
    due = Request.objects.filter(finish_due_at__lte=DatabaseNow())
    subjects = dict(due.order_by("finish_due_at").values_list("subject", "pk")[:limit])
    if not subjects:
        return 0
    of_effects = dict(Effect.objects.filter(pk__in=subjects).values_list("pk", "run_id"))
    found = Run.objects.filter(pk__in=set(of_effects.values())).order_by("pk")
    runs = {run.pk: run for run in found.select_for_update(no_key=True, skip_locked=True)}
    held = Effect.objects.filter(pk__in=of_effects, run_id__in=list(runs)).order_by("pk")
    effects = {effect.pk: effect for effect in held.select_for_update(no_key=True, of=("self",))}
    looked_at = [request for subject, request in subjects.items() if subject in effects or subject not in of_effects]
    requests = list(due.filter(pk__in=looked_at).order_by("pk").select_for_update(no_key=True))
    now = clock.now()
    late = [request for request in requests if _still_runs(effects.get(request.subject), request)]
    overran(by, requests, late, now)
    for request in late:
        effect = effects[request.subject]
        if request.finish_then == ASK_TO_CANCEL and runs[effect.run_id].ended_at is None:
            _ask_to_stop(by, runs[effect.run_id], effect, now)
    to_undo = [request.subject for request in late if request.finish_then == COMPENSATE]
    Effect.objects.filter(pk__in=to_undo).update(undo_due=True)
    return len(requests)


def _still_runs(effect: Effect | None, request: Request) -> bool:
    """Tell whether it is under way by this approval; what was judged anew since goes by another, which has its own time."""
    return effect is not None and effect.request_id == request.pk and effect.state in STILL_RUNS


def _ask_to_stop(by: Actor, run: Run, effect: Effect, now: datetime) -> None:
    """Cancel the effect, unless somebody wishes that already."""
    if not Cancellation.objects.filter(effect=effect, state__in=stopping.OPEN).exists():
        stopping.stop_effect(by, run, effect, mode=IMMEDIATE, reason=WHY, now=now)
