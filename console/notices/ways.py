"""Which ways a notice takes beside the page, and when: at once, with others in a digest, or after the receiver's quiet hours."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from console.identity.models import Member
from console.notices import kinds
from console.notices.hours import after_quiet
from console.notices.models import Channel, Endpoint, Wishes
from console.notices.states import CHANNEL, EMAIL, HELD, WAITING, WEBHOOK

HIGH: Final = "high"
DIGEST_MINUTES: Final = 15
MINUTE: Final = timedelta(minutes=1)
NOTHING: Final = timedelta(0)
# What waits for others, unless it is of the high tier; and what of it asks somebody to do something before a deadline.
DIGESTED: Final = frozenset({
    kinds.ASKED, kinds.REMINDED, kinds.ASKED_TOO, kinds.EXTENDED, kinds.CLOSED, kinds.BECAME,
})  # fmt: skip
ASKING: Final = frozenset({kinds.ASKED, kinds.REMINDED, kinds.ASKED_TOO, kinds.EXTENDED})
# What nobody sleeps through.
LOUD: Final = frozenset({kinds.GLASS_BROKEN, kinds.GLASS_ENDED, kinds.FACTORS_CHANGED})


@dataclass(frozen=True, slots=True)
class Way:
    """One way to one receiver: an e-mail to a member, a webhook to an endpoint, or a channel; and when it is due on it."""

    channel: str
    member: UUID | None
    endpoint: UUID | None
    via: UUID | None
    state: str
    due_at: datetime

    @property
    def receiver(self) -> tuple[UUID | None, UUID | None]:
        """Name who is reached on it, whatever the notice; nobody for a webhook."""
        return self.member, self.via


class Ways:
    """The ways there are in a tenant for one kind of notice and these members: read once, for however many notices."""

    def __init__(self, tenant_id: UUID, kind: str, members: Collection[UUID]) -> None:
        self.kind = kind
        self.endpoints = [
            each.pk for each in Endpoint.objects.filter(tenant_id=tenant_id, active=True).order_by("pk") if takes(each, kind)
        ]  # fmt: skip
        found = Channel.objects.filter(tenant_id=tenant_id, active=True).filter(Q(member=None) | Q(member__in=members))
        self.vias = [each for each in found.order_by("pk") if takes(each, kind)]
        self.wishes = {each.member_id: each for each in Wishes.objects.filter(member__in=members)}

    def of(self, members: Sequence[Member], tier: str, deadline_at: datetime | None, now: datetime) -> Iterator[Way]:
        """Give the ways of one notice that these members are told."""
        told = {each.pk for each in members}
        for endpoint in self.endpoints:
            yield Way(WEBHOOK, None, endpoint, None, WAITING, now)
        if settings.EMAIL_IS_SENT:
            for member in members:
                wish = self.wishes.get(member.pk)
                if wish is None or (wish.off_at is None and self.kind not in wish.kinds_off):
                    yield Way(EMAIL, member.pk, None, None, *self._when(wish, tier, deadline_at, now))
        for via in self.vias:
            if via.tiers and tier and tier not in via.tiers:
                continue
            if via.member_id is None:
                yield Way(CHANNEL, None, None, via.pk, *self._when(None, tier, deadline_at, now))
            elif via.member_id in told:
                wish = self.wishes.get(via.member_id)
                if wish is None or self.kind not in wish.kinds_off:
                    yield Way(CHANNEL, None, None, via.pk, *self._when(wish, tier, deadline_at, now))

    def _when(
        self, wish: Wishes | None, tier: str, deadline_at: datetime | None, now: datetime
    ) -> tuple[str, datetime]:
        """Say when it is due on somebody's way, and whether it is held until then."""
        if tier == HIGH or self.kind in LOUD:
            return WAITING, now
        due = now
        if self.kind in DIGESTED and tier:
            due = digest_at(self.kind, DIGEST_MINUTES if wish is None else wish.digest_minutes, deadline_at, now)
        quiet = after_quiet(due, wish.quiet_from, wish.quiet_until, wish.time_zone) if wish is not None else due
        held = quiet > now or (self.kind in DIGESTED and bool(tier) and not (wish and wish.digest_minutes == 0))
        return (HELD if held else WAITING), quiet


def digest_at(kind: str, minutes: int, deadline_at: datetime | None, now: datetime) -> datetime:
    """Say when a digest is due: after so many minutes, but while half of the time is left at least; a reminder does not wait."""
    if kind == kinds.REMINDED:
        return now
    due = now + MINUTE * minutes
    if kind in ASKING and deadline_at is not None:
        due = min(due, now + max(deadline_at - now, NOTHING) / 2)
    return due


def takes(receiver: Endpoint | Channel, kind: str) -> bool:
    """Tell whether an endpoint or a channel is sent notices of this kind."""
    return not receiver.kinds or kind in receiver.kinds
