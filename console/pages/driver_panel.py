"""Who drives a run, on its page: the process and its lease, the runs above and below, and the writes of those who drive it no more."""

from dataclasses import dataclass
from datetime import datetime

from console.ledger.models import Refusal
from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs.history import actor_names, process_name
from runs.models import Run
from runs.ownership import queries
from runs.ownership.acquiring import is_held
from runs.states import RUN_ENDED, STALLED

SHOWN = 10
MOST = 1000


@dataclass(frozen=True, slots=True)
class Refused:
    """One refused write, as a line."""

    at: datetime
    who: str
    verb: str
    detail: str


def driver(request: MemberRequest, run: Run) -> Panel | None:
    """Tell who drives the run, or drove it last; a run that completes itself and was never handed on has nothing to tell."""
    refused = queries.refusals(run, None, SHOWN)
    children = queries.children(run.pk, None, SHOWN + 1)
    parent = None if run.parent_id is None else Run.objects.filter(pk=run.parent_id, tenant_id=run.tenant_id).first()
    ended = run.state in RUN_ENDED
    if (ended or run.completes_itself) and not (refused or children or parent or run.resume_due):
        return None
    driving = f"agent:{run.driver_id}"
    held, stalled = not ended and is_held(run, request.now), run.attention == STALLED
    says = {
        "run": run, "held": held, "ended": ended, "stalled": stalled,
        "agent": actor_names(run.tenant_id, [driving]).get(driving, ""), "refused": _lines(run, refused),
        "stale": queries.stale_writes(run, MOST), "most": MOST,
        "parent": parent, "children": children[:SHOWN], "more": len(children) > SHOWN,
    }  # fmt: skip
    title = "Nobody drives it" if not (held or ended) else "Who drives it"
    return Panel(
        "driver", title, "runs/driver.html", says, icon="warn" if stalled else "agent", tone="wait" if stalled else "plain", urgent=stalled
    )  # fmt: skip


def _lines(run: Run, refused: list[Refusal]) -> list[Refused]:
    names = actor_names(run.tenant_id, {refusal.actor for refusal in refused})
    return [
        Refused(
            refusal.at, names.get(refusal.actor, process_name(refusal.actor)), refusal.verb.replace("_", " "), refusal.detail
        )
        for refusal in refused
    ]  # fmt: skip
