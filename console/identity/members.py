"""Who is asking on a page: a signed-in user as a member of a tenant."""

from datetime import datetime

from django.http import HttpRequest

from console.database import transaction
from console.identity.models import Member
from console.ledger.actors import Actor

CHOSEN = "tenant"


def member_of(request: HttpRequest) -> Member | None:
    """Give the membership that the signed-in user acts under: the one chosen in the session, else the oldest; None without any."""
    if not request.user.is_authenticated:
        return None
    found = list(
        Member.objects.filter(user=request.user.pk, active=True)
        .select_related("tenant", "user")
        .order_by("created_at", "id")
    )
    chosen = request.session.get(CHOSEN)
    return next((member for member in found if str(member.tenant_id) == chosen), found[0] if found else None)


def take_tour(member: Member, step: int | None) -> None:
    """Note how far the tour of a demo has come for a member; None puts it away. It is no part of the record."""
    with transaction(member.tenant_id):
        Member.objects.filter(pk=member.pk).update(tour_step=step)


def switch_single_keys(member: Member, *, on: bool) -> None:
    """Note whether single keys do something on pages for a member. It is no part of the record."""
    with transaction(member.tenant_id):
        Member.objects.filter(pk=member.pk).update(single_keys=on)


def member_actor(
    member: Member, via: str, scopes: frozenset[str] = frozenset(), stepped_up_at: datetime | None = None
) -> Actor:
    """Make the actor that a member is."""
    return Actor(
        kind="member", id=member.pk, name=member.user.name, tenant_id=member.tenant_id, via=via,
        roles=frozenset(member.roles), groups=frozenset(member.groups), scopes=scopes,
        stepped_up_at=stepped_up_at,
    )  # fmt: skip
