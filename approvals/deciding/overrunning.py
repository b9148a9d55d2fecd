"""What began under an approval and was not over in its time: the request says so once; what follows is done where the work is known."""

from collections.abc import Sequence
from datetime import datetime

from approvals import record
from approvals.models import Request
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor


def overran(by: Actor, looked_at: Sequence[Request], late: Sequence[Request], now: datetime) -> None:
    """Let locked requests say that they were looked at when their time was over, and those that are late that they are."""
    Request.objects.filter(pk__in=[request.pk for request in looked_at]).update(finish_due_at=None)
    Request.objects.filter(pk__in=[request.pk for request in late]).update(overran_at=now)
    record.write([(request.pk, "request.overran", {"then": request.finish_then}) for request in late], by, now)
    ring_after_commit(*[request.pk for request in late], *[request.subject for request in late])
