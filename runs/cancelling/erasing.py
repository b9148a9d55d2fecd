"""Erasing what cancellations say, with the run that they are of: what they were of, when, and what proved them remain."""

from uuid import UUID

from console.exact import Object
from console.ledger.erasing import ERASED, remains
from runs.models import Cancellation, Run


def erase(run: Run) -> list[tuple[UUID, str, Object]]:
    """Erase the cancellations of a locked run; gives the entries that say what remains."""
    of_run = Cancellation.objects.filter(run=run)
    of_run.update(reason=ERASED)
    left = of_run.order_by("number")
    return [(run.pk, "cancellation.remains", {"cancellation": str(each.pk), "remains": remains(each)}) for each in left]
