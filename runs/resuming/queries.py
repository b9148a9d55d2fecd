"""What is read of resumes."""

from uuid import UUID

from console.database import rows
from runs.models import Resumption, Run
from runs.resuming import loading
from runs.resuming.facts import Asked, Facts, Taken
from runs.resuming.judging import Judged, judge


def of_run(run_id: UUID, limit: int) -> list[Resumption]:
    """Give the last resumes of a run, the newest first."""
    return list(Resumption.objects.filter(run_id=run_id).select_related("checkpoint").order_by("-number")[:limit])


def resumption(resumption_id: UUID) -> Resumption:
    """Give one resume, with its run."""
    return Resumption.objects.select_related("run", "checkpoint").get(pk=resumption_id)


def preview(run: Run, asked: Asked | None = None) -> tuple[Facts, Judged]:
    """Look at a run as a resume would, and change nothing. `run` comes from `loading.whole`."""
    now = rows("select cf_now() as now")[0]["now"]
    facts = loading.load(run, now, asked)
    return facts, judge(facts, Taken("looked", run.epoch, run.lease_holder, run.lease_expires_at))
