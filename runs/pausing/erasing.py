"""Erasing why a run was paused: when, and by whom, remains."""

from datetime import datetime
from uuid import UUID

from console.exact import Value
from console.ledger import erasing
from console.ledger.actors import Actor
from console.ledger.erasing import ERASED
from runs import record
from runs.models import Pause


def erase(by: Actor, run_id: UUID, now: datetime) -> None:
    """Erase what people wrote about the pauses of a run that the caller has locked, and say what remains of them."""
    found = Pause.objects.filter(run=run_id)
    found.update(reason=ERASED)
    found.exclude(lift_reason="").update(lift_reason=ERASED)
    left: dict[str, Value] = {str(pause.pk): erasing.remains(pause) for pause in found.order_by("pk")}
    if left:
        record.write([(run_id, "run.pauses_remain", {"pauses": left})], by, now)
