"""What a member says of their own notices: that they have read them, and whether they want them by e-mail too. No part of the record."""

from uuid import UUID

from console import clock
from console.database import transaction
from console.http.refusals import NotFound
from console.ledger.actors import Actor
from console.notices.models import Copy, MailSwitch


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
        MailSwitch.objects.update_or_create(member_id=by.principal, defaults={"tenant_id": by.tenant, "off_at": now})
