"""Erasing what users said: who made a correction, when, and what it withdrew remain."""

from uuid import UUID

from console.exact import Object
from console.ledger import erasing
from console.ledger.erasing import ERASED
from runs.models import Correction, Run


def erase(run: Run) -> list[tuple[UUID, str, Object]]:
    """Erase the corrections of a run, and give the entry that says what remains of them."""
    found = Correction.objects.filter(run=run)
    found.update(text=ERASED, source="", contradicts="")
    remains: Object = {str(each.pk): erasing.remains(each) for each in found.order_by("number")}
    return [(run.pk, "corrections.remain", {"corrections": remains})] if remains else []
