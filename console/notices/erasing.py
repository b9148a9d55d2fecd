"""Erasing what notices said of a run, when the run is erased. What was sent is out of our hands; what is kept here goes."""

from collections.abc import Sequence
from uuid import UUID

from console.ledger.erasing import ERASED
from console.notices.models import Delivery, Notice


def erase_about(tenant_id: UUID, subjects: Sequence[UUID]) -> int:
    """Erase the words of every notice about these, and what receivers answered; gives how many notices."""
    notices = Notice.objects.filter(tenant_id=tenant_id, about__in=list(subjects))
    # The notices first: whoever settles a delivery holds its notice, and reads whether it is erased.
    gone = notices.update(title=ERASED, text="", topic="")
    # Digests told of them among others: their words go as a whole.
    told_in = Delivery.objects.filter(notice__in=notices, gathered_in__isnull=False).values("gathered_in__notice")
    digests = Notice.objects.filter(tenant_id=tenant_id, pk__in=told_in)
    digests.update(title=ERASED, text="")
    Delivery.objects.filter(notice__in=digests).exclude(last_answer="").update(last_answer="")
    Delivery.objects.filter(notice__in=notices).exclude(last_answer="").update(last_answer="")
    return gone
