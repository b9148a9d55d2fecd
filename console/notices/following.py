"""What was told of something before: whom by which way, so that they hear how it ended on the same; and what need not be sent any more."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from django.db.models import Q

from console.notices.models import Delivery
from console.notices.states import DEAD, DROPPED, HELD, WAITING, WEBHOOK

Receiver: TypeAlias = tuple[UUID | None, UUID | None]


def told_by(tenant_id: UUID, abouts: Collection[UUID]) -> dict[UUID, set[Receiver]]:
    """Give for each of these the receivers (member by e-mail, or channel) that a notice about it was sent to, or will be."""
    sent = Delivery.objects.filter(notice__tenant_id=tenant_id, notice__about__among=abouts)
    sent = sent.exclude(channel=WEBHOOK).exclude(state__in=[DROPPED, DEAD])
    found: dict[UUID, set[Receiver]] = defaultdict(set)
    for about, member, via in sent.values_list("notice__about", "member_id", "via_id"):
        if about is not None:
            found[about].add((member, via))
    return found


def drop(tenant_id: UUID, abouts: Collection[UUID], now: datetime) -> int:
    """Let go of what waits about these and was never sent: what it asks is over. What is in somebody's hands is left to them."""
    waits = Delivery.objects.filter(notice__tenant_id=tenant_id, notice__about__among=abouts).exclude(channel=WEBHOOK)
    unsent = waits.filter(Q(state=HELD) | Q(state=WAITING, sent_times=0, sender=""))
    ids = list(unsent.order_by("pk").select_for_update(of=["self"], skip_locked=True).values_list("pk", flat=True))
    unsent = Delivery.objects.filter(pk__among=ids)
    return unsent.update(state=DROPPED, due_at=None, ended_at=now)
