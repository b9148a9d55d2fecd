"""What a member says of their own notices: that they have read them, and how they want to be told. No part of the record."""

from datetime import time
from typing import Any, Final
from uuid import UUID
from zoneinfo import available_timezones

from console import clock
from console.database import transaction
from console.http.refusals import InvalidContent, NotFound
from console.ledger.actors import Actor
from console.notices.kinds import NAMES
from console.notices.models import Copy, Wishes

LONGEST_MINUTES: Final = 1440


class BadWishes(InvalidContent):
    """Quiet hours have a beginning and an end, as 22:00, by the clock of a known zone; a digest comes each 0 to 1,440 minutes."""

    code = "bad_wishes"


def read(by: Actor, copy_id: UUID) -> None:
    """Mark one notice as read. Raises NotFound."""
    with transaction(by.tenant):
        mine = Copy.objects.filter(pk=copy_id, tenant_id=by.tenant, member=by.principal)
        if not mine.exists():
            raise NotFound
        mine.filter(read_at=None).update(read_at=clock.now())


def read_all(by: Actor, up_to: UUID) -> int:
    """Mark as read what had come when this one had; what came later is left. Gives how many. Raises NotFound."""
    with transaction(by.tenant):
        mine = Copy.objects.filter(tenant_id=by.tenant, member=by.principal)
        last = mine.filter(pk=up_to).first()
        if last is None:
            raise NotFound
        return mine.filter(read_at=None, posted_at__lte=last.posted_at).update(read_at=clock.now())


def switch_mail(by: Actor, *, on: bool) -> None:
    """Have notices by e-mail too, or not."""
    with transaction(by.tenant):
        now = None if on else clock.now()
        Wishes.objects.update_or_create(member_id=by.principal, defaults={"tenant_id": by.tenant, "off_at": now})


def wish(
    by: Actor, *, digest_minutes: str, quiet_from: str, quiet_until: str, time_zone: str, kinds_on: list[str]
) -> None:
    """Say how one wants to be told: each how many minutes a digest comes, in which hours nothing that can wait, and of which kinds.

    Raises BadWishes."""
    since, until = _time(quiet_from), _time(quiet_until)
    minutes = int(digest_minutes) if digest_minutes.isascii() and digest_minutes.isdigit() else -1
    zone = time_zone.strip() or "UTC"
    if (since is None) != (until is None) or not 0 <= minutes <= LONGEST_MINUTES or zone not in available_timezones():
        raise BadWishes
    wishes: dict[str, Any] = {
        "tenant_id": by.tenant, "digest_minutes": minutes, "quiet_from": since, "quiet_until": until, "time_zone": zone,
        "kinds_off": [name for name in NAMES if name not in kinds_on],
    }  # fmt: skip
    with transaction(by.tenant):
        Wishes.objects.update_or_create(member_id=by.principal, defaults=wishes)


def _time(text: str) -> time | None:
    """Read hours and minutes; nothing means none. Raises BadWishes."""
    if not text.strip():
        return None
    try:
        return time.fromisoformat(text.strip()).replace(second=0, microsecond=0, tzinfo=None)
    except ValueError:
        raise BadWishes from None
