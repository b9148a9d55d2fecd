"""What a run that ended left for a person: it was done although it was to stop, or all the same, or clean-up was not. Told once each time.

Workers, messages and the end of a run mark it where it comes to pass (`attention`, due at `watch_at`); the clock tells it."""

from console.clock import DatabaseNow, instant
from console.ledger.actors import Actor
from console.notices import kinds
from console.notices.posting import post
from runs.models import Run
from runs.states import CANCELLED, LATE

MOST = 100  # posting takes a few statements each, and runs are held meanwhile


def tell_due(by: Actor, limit: int) -> int:
    """Tell operators, and whoever answers for the agent, of what was left. Within the caller's transaction; gives how many runs."""
    due = Run.objects.filter(ended_at__isnull=False, watch_at__lte=DatabaseNow())
    ids = list(due.order_by("watch_at").values_list("pk", flat=True)[: min(limit, MOST)])
    if not ids:
        return 0
    held = due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True, of=("self",))
    told = list(held.select_related("agent"))
    for run in told:
        if run.attention:
            _tell(run)
    Run.objects.filter(pk__in=[run.pk for run in told]).update(watch_at=None)
    return len(told)


def _tell(run: Run) -> None:
    late = "Done although it was to stop" if run.state == CANCELLED else "Told late that it was done"
    what = late if run.attention == LATE else "Clean-up was not done"
    post(
        run.tenant_id, kinds.LEFT, about=run.pk, path=f"/runs/{run.pk}", title=f"{what}: {' '.join(run.goal.split())}",
        text=f"{run.attention_reason[:1].upper()}{run.attention_reason[1:]}. The run stays as it ended. See to it, and say what was done.",
        to_roles={"operator"}, to_members=[run.agent.owner_id], key=f"run:{run.pk}:left:{instant(run.attention_since)}",
    )  # fmt: skip
