"""What the API reads about approvals: one bounded list along an index, with its decisions."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import F, Prefetch, Q, QuerySet

from approvals.deciding.counting import Counted
from approvals.models import Decision, Request
from approvals.states import PENDING, STATES
from console.http.cursors import Place
from console.http.refusals import NotFound

DECIDED = "decided"
WORDS = (DECIDED, *STATES)


def request(request_id: UUID) -> Request:
    """Give a request. Raises NotFound."""
    found = _requests().filter(pk=request_id).first()
    if found is None:
        raise NotFound
    return found


def of_the_high_tier(ids: Collection[UUID]) -> set[UUID]:
    """Give which of these requests are of the high tier, which is decided one by one."""
    return set(Request.objects.filter(pk__in=ids, tier="high").values_list("pk", flat=True))


def pending(agent_id: UUID | None, effect_id: UUID | None, after: Place | None, limit: int) -> list[Request]:
    """Give what waits to be decided, the nearest deadline first."""
    found = _of(agent_id, effect_id).filter(state=PENDING)
    if after is not None:
        at, row_id = after
        found = found.filter(Q(decide_by__gt=at) | Q(decide_by=at, pk__gt=row_id), decide_by__gte=at)
    return _first(found, ("decide_by", "id"), limit)


def decided(
    state: str, agent_id: UUID | None, effect_id: UUID | None, before: Place | None, limit: int
) -> list[Request]:
    """Give what waits no more, or of that those in one state, the last decided first."""
    found = _of(agent_id, effect_id).filter(~Q(state=PENDING))
    if state != DECIDED:
        found = found.filter(state=state)
    if before is not None:
        at, row_id = before
        found = found.filter(Q(decided_at__lt=at) | Q(decided_at=at, pk__lt=row_id), decided_at__lte=at)
    return _first(found, ("-decided_at", "-id"), limit)


def _first(found: "QuerySet[Request]", order: tuple[str, str], limit: int) -> list[Request]:
    """Find the ids along the index, before anything is joined, and then read those."""
    ids = list(found.order_by(*order).values_list("pk", flat=True)[:limit])
    return list(_requests().filter(pk__in=ids).order_by(*order))


def _of(agent_id: UUID | None, effect_id: UUID | None) -> "QuerySet[Request]":
    found = Request.objects.all()
    if agent_id is not None:
        found = found.filter(agent_id=agent_id)
    return found if effect_id is None else found.filter(subject=effect_id)


def _requests() -> "QuerySet[Request]":
    with_people = Decision.objects.select_related("member__user", "voice__user")
    asked = Request.objects.select_related("agent", "policy", "break_glass__member__user").annotate(
        filled=Counted(F("pk"))
    )
    return asked.prefetch_related(Prefetch("decisions", queryset=with_people))
