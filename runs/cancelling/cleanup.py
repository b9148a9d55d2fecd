"""Clean-up that must finish: effects of the operations that the run type names, taken and done although the run is being cancelled."""

from datetime import datetime

from console.http.refusals import InvalidContent
from runs import driver
from runs.cancelling.stopping import OPEN
from runs.catalogue import RunType
from runs.drafts import EffectDraft
from runs.models import Cancellation, Run
from runs.states import CANCELLED, CLOSING


class NotCleanup(InvalidContent):
    """The run type's contract does not name this operation under `cancellation.cleanup`."""

    code = "not_cleanup"


def check_takes(run: Run, run_type: RunType, draft: EffectDraft, now: datetime) -> None:
    """Refuse an effect that the locked run does not take now. Raises NotCleanup, and what a run that does not go on raises."""
    if draft.cleanup and draft.operation not in run_type.document.cancellation.cleanup:
        raise NotCleanup(path="/cleanup", operation=draft.operation)
    if draft.cleanup and run.state == CLOSING and run.closing_toward == CANCELLED and has_time(run, now):
        return
    driver.check_going_on(run, now)


def has_time(run: Run, now: datetime) -> bool:
    """Tell whether the driver of a run that is being cancelled may still clean up."""
    return Cancellation.objects.filter(run=run, effect=None, state__in=OPEN, grace_until__gt=now).exists()
