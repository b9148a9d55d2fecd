"""Erasing what waits say, with their run: their names, their kinds and their times remain."""

from console.exact import Object
from console.ledger import erasing
from console.ledger.erasing import NOTHING
from runs.models import Run, Wait


def erase(run: Run) -> Object:
    """Erase what the waits of a run say, and give what remains of each."""
    Wait.objects.filter(run=run).update(condition=NOTHING, correlation="", reason="", result=None)
    left: Object = {str(wait.pk): erasing.remains(wait) for wait in Wait.objects.filter(run=run).order_by("number")}
    return {"waits": left} if left else {}
