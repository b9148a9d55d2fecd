"""The inbox: what waits for a member's word, as they ask for it: narrowed, in their order, page by page; and the very count of it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import BooleanField, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import RawSQL

from approvals.delegating import givers_for, lent
from approvals.models import Decision, Delegation, Request
from approvals.queries import decides
from approvals.states import PENDING
from console.clock import DatabaseNow
from console.identity.models import Member

TIERS: Final = ("high", "normal", "low")
MINE, OTHERS = "mine", "others"
OWN, HANDED_OVER = "own", "handed_over"
TIER, DEADLINE, CREATED = "tier", "deadline", "created"

FILLS = """(panels = '' or exists (select from jsonb_array_elements(nullif(panels, '')::jsonb) p where jsonb_exists_any(p -> 'groups', %s)
 and (jsonb_array_length(p -> 'roles') = 0 or jsonb_exists_any(p -> 'roles', %s))))"""


class Place(NamedTuple):
    """Where a page of the inbox ended: the tier (in the order by tier alone), the instant that it is ordered by, and the id."""

    tier: str
    at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the inbox. `right` is by which right the member decides: their own, or what was handed over to them."""

    whose: str = MINE
    tier: str = ""
    operation: str = ""
    agent: UUID | None = None
    group: str = ""
    right: str = ""
    sort: str = TIER


def to_decide(member: Member, right: str = "") -> "QuerySet[Request]":
    """Give the requests that wait for this member's own word, in no order; by `right` only in their own name, or only in another's."""
    handed = givers_for(member, DatabaseNow()) if right != OWN else []
    if not handed and not decides(member):
        return Request.objects.none()
    asked = _pending(member).exclude(owner=member).exclude(asker=member).annotate(word=_word_of(member.pk, member.pk))
    asked = asked.annotate(fills=_fills(member.groups, member.roles))
    mine = (
        Q(groups__overlap=member.groups, word=None, fills=True)
        if right != HANDED_OVER and decides(member)
        else Q(pk=None)
    )
    for place, delegation in enumerate(handed):
        # One who spoke in their own name does not speak again in another's.
        word, fills = f"word_{place}", f"fills_{place}"
        asked = asked.annotate(
            **{word: _word_of(member.pk, delegation.giver_id), fills: _fills(lent(delegation), delegation.giver.roles)}
        )
        mine |= _asked_through(delegation) & Q(**{word: None, fills: True})
    return asked.filter(mine)


def waiting(member: Member, wanted: Wanted, after: Place | None, limit: int) -> list[UUID]:
    """Name one page of what is asked, in its order: of each tier by its own index, so that a long tier is not read for a short page."""
    if wanted.sort != TIER:
        return _page(_narrowed(member, wanted), wanted.sort, after, limit)
    found: list[UUID] = []
    for tier in _tiers(wanted, after):
        place = after if after is not None and after.tier == tier else None
        found += _page(_narrowed(member, replace(wanted, tier=tier)), DEADLINE, place, limit - len(found))
        if len(found) == limit:
            break
    return found


def count(member: Member, wanted: Wanted, most: int) -> int:
    """Count what is asked, up to `most`."""
    return _narrowed(member, wanted)[:most].count()


def place_of(wanted: Wanted, request: Request) -> Place:
    """Name the place of a request in this order."""
    at = request.created_at if wanted.sort == CREATED else request.decide_by
    return Place(request.tier if wanted.sort == TIER else "", at, request.pk)


def _pending(member: Member) -> "QuerySet[Request]":
    return Request.objects.filter(tenant_id=member.tenant_id, state=PENDING, decide_by__gt=DatabaseNow())


def _others(member: Member) -> "QuerySet[Request]":
    """Give what is asked of others: of the member's groups where they approve for any, else of anybody in the tenant."""
    seen = _pending(member).filter(groups__overlap=member.groups) if decides(member) else _pending(member)
    return seen.exclude(pk__in=to_decide(member).values("pk"))


def _narrowed(member: Member, wanted: Wanted) -> "QuerySet[Request]":
    found = to_decide(member, wanted.right) if wanted.whose == MINE else _others(member)
    if wanted.tier:
        found = found.filter(tier=wanted.tier)
    if wanted.operation:
        found = found.filter(operation=wanted.operation)
    if wanted.agent:
        found = found.filter(agent=wanted.agent)
    return found.filter(groups__contains=[wanted.group]) if wanted.group else found


def _page(found: "QuerySet[Request]", sort: str, after: Place | None, limit: int) -> list[UUID]:
    column = "created_at" if sort == CREATED else "decide_by"
    if after is not None:
        found = found.filter(**{f"{column}__gte": after.at}).exclude(**{column: after.at, "id__lte": after.id})
    return list(found.order_by(column, "id").values_list("pk", flat=True)[:limit])


def _tiers(wanted: Wanted, after: Place | None) -> Iterable[str]:
    asked = [tier for tier in TIERS if wanted.tier in {"", tier}]
    return asked[asked.index(after.tier) :] if after is not None and after.tier in asked else asked


def _word_of(member_id: UUID, voice_id: UUID) -> Subquery:
    """Look for a standing word that this member gave, or that was given in the voice's name.

    A value looked up for each request that waits, by the index of its decisions: an EXISTS would be joined to every decision ever made."""
    said = Decision.objects.filter(Q(member=member_id) | Q(member=voice_id, voice=None) | Q(voice=voice_id))
    return Subquery(said.filter(request=OuterRef("pk"), withdrawn_at=None).values("verdict")[:1])


def _fills(groups: Collection[str], roles: Collection[str]) -> RawSQL:
    """Tell whether some panel asks one of these groups, and one of these roles where it names any."""
    return RawSQL(FILLS, [sorted(groups), sorted(roles)], output_field=BooleanField())  # noqa: S611 - a text of ours; values are parameters


def _asked_through(delegation: Delegation) -> Q:
    """Tell what a giver is asked that a delegation is for; the agent's owner lets nobody decide for it."""
    asked = Q(groups__overlap=sorted(lent(delegation))) & ~Q(owner=delegation.giver_id) & ~Q(asker=delegation.giver_id)
    return asked & Q(operation__in=delegation.operations) if delegation.operations else asked
