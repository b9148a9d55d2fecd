"""Digests: what is held for one receiver goes as one message when the first of it is due; what is held alone goes as it is.

Who crashed before the commit has gathered nothing, and of two clocks the second finds nothing held."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.bulk import insert
from console.database import rows
from console.doorbell import ring_after_commit
from console.notices import digests, kinds
from console.notices.models import Copy, Delivery, Notice
from console.notices.states import GATHERED, HELD, WAITING
from console.notices.ways import DIGESTED

RECEIVERS: Final = 50  # in one pass of the clock; each takes a few statements
TOGETHER: Final = 500  # in one digest
DUE: Final = """
select distinct d.tenant_id, d.channel, d.member_id, d.via_id, coalesce(d.member_id, c.member_id) as holder from (
    select tenant_id, channel, member_id, via_id from notices_delivery
    where state = 'held' and due_at <= cf_now() order by due_at limit %s) d
left join notices_channel c on c.id = d.via_id limit %s
"""


def gather_due(limit: int) -> int:
    """Send off what is held and due, each receiver's together. Within the caller's transaction; gives how many were sent off."""
    return sum(_gather(due) for due in rows(DUE, [limit, RECEIVERS]))


def _gather(due: dict[str, Any]) -> int:
    held = list(
        Delivery.objects.filter(state=HELD, member_id=due["member_id"], via_id=due["via_id"])
        .select_related("notice")
        .order_by("due_at", "pk")
        .select_for_update(of=["self"], skip_locked=True)[:TOGETHER]
    )
    now = clock.now()
    together = [each for each in held if each.notice.kind in DIGESTED]
    alone = [each for each in held if each.notice.kind not in DIGESTED]
    if len(together) > 1:
        _digest(due, together, now)
    else:
        alone += together
    Delivery.objects.filter(pk__in=[each.pk for each in alone]).update(state=WAITING, due_at=now)
    if held:
        ring_after_commit()
    return len(held)


def _digest(due: dict[str, Any], held: Sequence[Delivery], now: datetime) -> None:
    """Write one notice of what is held, and let it take its place."""
    told = [each.notice for each in held]
    title, text = digests.written(told, _topics(due["tenant_id"], told), _reasons(due, told))
    named = uuid7()
    notice = Notice(
        id=named, tenant_id=due["tenant_id"], key=f"digest:{named}", kind=kinds.DIGEST, about=None, title=title, text=text,
        path="/approvals", audience="one receiver", posted_at=now,
    )  # fmt: skip
    insert([notice])
    sent = Delivery(
        id=uuid7(), tenant_id=due["tenant_id"], notice=notice, channel=due["channel"], member_id=due["member_id"], via_id=due["via_id"],
        state=WAITING, due_at=now, created_at=now,
    )  # fmt: skip
    insert([sent])
    Delivery.objects.filter(pk__in=[each.pk for each in held]).update(
        state=GATHERED, due_at=None, ended_at=now, gathered_in=sent
    )


def _topics(tenant_id: UUID, told: Sequence[Notice]) -> dict[UUID, str]:
    """Give what each of these is part of, as the notice said by which it was first told of."""
    first = Notice.objects.filter(tenant_id=tenant_id, about__in={each.about for each in told}, kind=kinds.ASKED)
    return {about: topic for about, topic in first.values_list("about", "topic") if about is not None}


def _reasons(due: dict[str, Any], told: Sequence[Notice]) -> list[str]:
    """Give why this receiver was told, each reason once; a channel of the tenant's own has none."""
    copies = Copy.objects.filter(notice__in=told, member_id=due["holder"]).exclude(because="")
    return sorted(set(copies.values_list("because", flat=True))) if due["holder"] else []
