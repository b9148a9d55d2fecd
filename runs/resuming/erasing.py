"""Erasing what resumes say, with the run that they are of: their places, times, decisions and digests remain."""

from uuid import UUID

from console.exact import Object
from console.ledger.erasing import remains
from runs.models import Resumption, Run

NO_STEPS = "[]"


def erase(run: Run) -> list[tuple[UUID, str, Object]]:
    """Erase the resumes of a locked run; gives the entries that say what remains."""
    of_run = Resumption.objects.filter(run_id=run.pk)
    of_run.update(brief=None, steps=NO_STEPS, reason="", versions="")
    return [
        (run.pk, "resumption.remains", {"resumption": str(each.pk), "remains": remains(each)})
        for each in of_run.order_by("number")
    ]
