"""Posting a notice: in the caller's transaction, once for each key, with a copy for each member and a delivery for each way out."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.conf import settings
from uuid_utils.compat import uuid7

from console import clock
from console.doorbell import ring_after_commit
from console.identity.models import Member
from console.notices.audience import audience
from console.notices.models import Copy, Delivery, Endpoint, MailSwitch, Notice
from console.notices.states import EMAIL, WAITING, WEBHOOK


def post(
    tenant_id: UUID, kind: str, *, about: UUID | None, title: str, text: str, path: str, key: str, to_roles: Collection[str] = (),
    to_groups: Collection[str] = (), to_members: Collection[UUID] = (), but_not: Collection[UUID] = (),
) -> Notice | None:  # fmt: skip
    """Post a notice within the caller's transaction; None when this key was used before, for then it has been told.

    Roles, groups and members mean whoever is active now; each gets a copy, and an e-mail unless they switched that off. The
    tenant's endpoints that take this kind get it too. `but_not` are those who need not be told what they did."""
    told = audience(tenant_id, to_roles, to_groups, to_members, but_not)
    notice = _made(Notice(
        id=uuid7(), tenant_id=tenant_id, key=key, kind=kind, about=about, title=title, text=text, path=path,
        audience=told.words, posted_at=clock.now(),
    ))  # fmt: skip
    if notice is None:
        return None
    Copy.objects.bulk_create(
        Copy(tenant_id=tenant_id, notice=notice, member=member, posted_at=notice.posted_at) for member in told.members
    )
    endpoints = Endpoint.objects.filter(tenant_id=tenant_id, active=True).order_by("pk")
    send(notice, members=_mailed(told.members), endpoints=[each for each in endpoints if takes(each, kind)])
    return notice


def takes(endpoint: Endpoint, kind: str) -> bool:
    """Tell whether an endpoint is sent notices of this kind."""
    return not endpoint.kinds or kind in endpoint.kinds


def send(notice: Notice, *, members: Sequence[Member] = (), endpoints: Sequence[Endpoint] = ()) -> None:
    """Make the deliveries of a notice, due at once."""
    ways = [(EMAIL, member, None) for member in members] + [(WEBHOOK, None, endpoint) for endpoint in endpoints]
    Delivery.objects.bulk_create(
        Delivery(
            tenant_id=notice.tenant_id, notice=notice, channel=channel, member=member, endpoint=endpoint, state=WAITING,
            due_at=notice.posted_at, created_at=notice.posted_at,
        )
        for channel, member, endpoint in ways
    )  # fmt: skip
    if ways:
        ring_after_commit()


def _made(notice: Notice) -> Notice | None:
    """Write it, unless another has this key; of two at once the second waits here until the first has committed."""
    Notice.objects.bulk_create([notice], ignore_conflicts=True)
    return notice if Notice.objects.filter(pk=notice.pk).exists() else None


def _mailed(members: Sequence[Member]) -> list[Member]:
    """Leave out who wants no e-mail, and everybody where there is none: what waits for a mail server would be old when it came."""
    if not settings.EMAIL_IS_SENT:
        return []
    off = set(MailSwitch.objects.filter(member__in=members, off_at__isnull=False).values_list("member_id", flat=True))
    return [member for member in members if member.pk not in off]
