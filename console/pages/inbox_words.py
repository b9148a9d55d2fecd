"""The words in the address of the inbox, read strictly and written back as links; a place in it; the order that a browser was left with."""

from dataclasses import dataclass, replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from approvals.inbox import CREATED, DEADLINE, HANDED_OVER, MINE, OTHERS, OWN, TIER, TIERS, Place, Wanted
from approvals.queries import decides
from console.database import rows
from console.identity.models import Member
from console.pages import address
from console.pages.address import BadCursor, BadFilter, Cursor, query

FIELDS = ("whose", "tier", "operation", "agent", "group", "right", "sort")
KEPT = "inbox-sort"  # the cookie with the order that was chosen last
KEPT_SECONDS = 365 * 86400
OFFERED = 200
WHOSE = {MINE: "For you", OTHERS: "For others"}
SORTS = {TIER: "By tier", DEADLINE: "Nearest deadline first", CREATED: "Oldest first"}
RIGHTS = {"": "Either", OWN: "My own", HANDED_OVER: "Handed over to me"}
TIER_WORDS = {"": "Any", "high": "High", "normal": "Normal", "low": "Low"}
NAMES = """
(select 'operation' as field, name as value, name as label from runs_operationcontract
 where tenant_id = %s and retired_at is null order by name limit %s)
union all (select 'agent', id::text, name from identity_agent where tenant_id = %s order by name limit %s)
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a filter may have."""

    value: str
    label: str
    chosen: bool


def read(request: HttpRequest, member: Member) -> Wanted:
    """Read what is asked; who approves nothing is shown what others decide. Raises BadFilter."""
    whose = address.chosen(request, "whose", set(WHOSE)) or (MINE if decides(member) else OTHERS)
    kept = request.COOKIES.get(KEPT, "")
    return Wanted(
        whose=whose,
        tier=address.chosen(request, "tier", set(TIERS)),
        operation=address.word(request, "operation"),
        agent=_agent(request),
        group=address.word(request, "group"),
        right=address.chosen(request, "right", {OWN, HANDED_OVER}),
        sort=address.chosen(request, "sort", set(SORTS)) or (kept if kept in SORTS else TIER),
    )


def keep_order(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Have the browser keep the order that the address names, so that the next visit has it too."""
    if request.GET.get("sort"):
        answer.set_cookie(
            KEPT, request.GET["sort"], KEPT_SECONDS, httponly=True, samesite="Lax", secure=request.is_secure()
        )
    return answer


def written(asked: Wanted, **other: object) -> str:
    """Write what is asked, changed as said, as the words of an address; the order is the browser's to keep."""
    now = replace(asked, **other)  # type: ignore[arg-type]
    return query(**{name: getattr(now, name) for name in FIELDS if name != "sort"})


def is_narrowed(asked: Wanted) -> bool:
    """Tell whether anything is asked beyond the order and whose they are."""
    return asked != Wanted(whose=asked.whose, sort=asked.sort)


def choices(member: Member, asked: Wanted) -> dict[str, list[Choice]]:
    """Give what each filter may be; what is asked is among it even if it is gone."""
    found: dict[str, dict[str, str]] = {"operation": {"": "Any"}, "agent": {"": "Any"}}
    for row in rows(NAMES, [member.tenant_id, OFFERED, member.tenant_id, OFFERED]):
        found[row["field"]][row["value"]] = row["label"]
    found |= {
        "tier": TIER_WORDS,
        "sort": SORTS,
        "right": RIGHTS,
        "group": {"": "Any", **{name: name for name in member.groups}},
    }
    return {field: _choices(known, str(getattr(asked, field) or "")) for field, known in found.items()}


def place(request: HttpRequest) -> Place | None:
    """Give the place in the inbox that the address names, or None at its beginning. Raises BadCursor."""
    text = request.GET.get("after", "")
    if not text:
        return None
    tier, _, rest = text.rpartition("~")
    if tier not in {"", *TIERS}:
        raise BadCursor
    return Place(tier, *Cursor.read(rest))


def place_written(place: Place) -> str:
    """Write what `place` reads."""
    return f"{place.tier}~{Cursor(place.at, place.id)}" if place.tier else str(Cursor(place.at, place.id))


def _agent(request: HttpRequest) -> UUID | None:
    text = address.word(request, "agent")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise BadFilter from None


def _choices(known: dict[str, str], asked: str) -> list[Choice]:
    offered = known if asked in known else {**known, asked: asked}
    return [Choice(value, label, value == asked) for value, label in offered.items()]
