"""The resumes of a run, on its page: what each came to, and what a person has to decide before it goes on."""

from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs.history import actor_names, process_name
from runs.models import Run
from runs.resuming import queries
from runs.resuming.quarantine import DECISION
from runs.states import QUARANTINED, RUN_ENDED

SHOWN = 5


def resumes(request: MemberRequest, run: Run) -> Panel | None:
    """Tell what the run's last resumes came to; one that nobody resumed, and that is not set aside, has nothing to tell."""
    rows = queries.of_run(run.pk, SHOWN)
    stopped = run.state == QUARANTINED or (run.attention == DECISION and run.state not in RUN_ENDED)
    if not rows and not stopped:
        return None
    names = actor_names(run.tenant_id, {row.resumed_by for row in rows})
    lines = [{"row": row, "who": names.get(row.resumed_by, process_name(row.resumed_by))} for row in rows]
    says = {"run": run, "lines": lines, "stopped": stopped, "quarantined": run.state == QUARANTINED}
    title = "It is set aside" if run.state == QUARANTINED else "It needs a decision" if stopped else "Resumed"
    return Panel(
        "resumes", title, "runs/resumes.html", says, icon="warn" if stopped else "arrow",
        tone="bad" if run.state == QUARANTINED else "wait" if stopped else "plain", urgent=stopped,
    )  # fmt: skip
