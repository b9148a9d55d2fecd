"""The words in the address of the queue of what is not confirmed: read strictly, written back as links; also a place in it."""

from dataclasses import dataclass, replace
from uuid import UUID

from django.http import HttpRequest, QueryDict

from console.database import rows
from console.pages import address
from console.pages.address import BadCursor, Cursor, query
from runs.states import PARTIAL, UNKNOWN
from runs.unknowns.queue import AGE, CONSEQUENCE, GROUP, MINE, NOBODY, Place, Wanted

FIELDS = ("state", "owner", "operation", "dependency", "overdue", "sort")
OFFERED = 200
OWNERS = {"": "Anybody", MINE: "Me", NOBODY: "Nobody", GROUP: "A group of mine"}
STATES = {UNKNOWN: "Not confirmed", PARTIAL: "Done in part"}
SORTS = {AGE: "The oldest first", CONSEQUENCE: "The weightiest first"}
NAMES = """
(select 'operation' as field, name from runs_operationcontract where tenant_id = %s and retired_at is null order by name limit %s)
union all (select 'dependency', name from runs_dependency where tenant_id = %s and retired_at is null order by name limit %s)
"""


@dataclass(frozen=True, slots=True)
class Tab:
    """A link to the same queue, otherwise asked; `value` is the word that differs."""

    label: str
    value: str
    words: str
    chosen: bool


def read(request: HttpRequest) -> Wanted:
    """Read what is asked of the queue. Raises BadFilter."""
    return Wanted(
        state=address.chosen(request, "state", set(STATES)) or UNKNOWN,
        owner=address.chosen(request, "owner", {*OWNERS}),
        operation=address.word(request, "operation"),
        dependency=address.word(request, "dependency"),
        overdue=bool(address.chosen(request, "overdue", {"yes"})),
        sort=address.chosen(request, "sort", set(SORTS)) or AGE,
    )


def written(asked: Wanted) -> str:
    """Write what is asked as the words of an address; what is not asked is left out."""
    return query(
        state=asked.state if asked.state != UNKNOWN else "", owner=asked.owner, operation=asked.operation,
        dependency=asked.dependency, overdue="yes" if asked.overdue else "", sort=asked.sort if asked.sort != AGE else "",
    )  # fmt: skip


def kept(words: str) -> str:
    """Give the words of an address that a form carried along, and no others."""
    sent = QueryDict(words[: 10 * address.LONGEST])
    return query(**{name: sent.get(name, "") for name in (*FIELDS, "after")})


def tabs(asked: Wanted) -> dict[str, list[Tab]]:
    """Give the links to other states, owners and orders of the same queue."""
    return {
        "states": [_tab(asked, replace(asked, state=state), state, words) for state, words in STATES.items()],
        "owners": [_tab(asked, replace(asked, owner=owner), owner, words) for owner, words in OWNERS.items()],
        "sorts": [_tab(asked, replace(asked, sort=sort), sort, words) for sort, words in SORTS.items()],
    }


def names(tenant_id: UUID, asked: Wanted) -> dict[str, list[str]]:
    """Give the operations and dependencies that can be chosen, what is asked among them even if it is retired."""
    found: dict[str, list[str]] = {"operation": [], "dependency": []}
    for row in rows(NAMES, [tenant_id, OFFERED, tenant_id, OFFERED]):
        found[row["field"]].append(row["name"])
    for field, name in (("operation", asked.operation), ("dependency", asked.dependency)):
        if name and name not in found[field]:
            found[field].append(name)
    return found


def is_narrowed(asked: Wanted) -> bool:
    """Tell whether anything is asked beyond the order and the state."""
    return asked != Wanted(state=asked.state, sort=asked.sort)


def place(request: HttpRequest) -> Place | None:
    """Give the place in the queue that the address names, or None at its beginning. Raises BadCursor."""
    text = request.GET.get("after", "")
    if not text:
        return None
    weight, _, rest = text.partition("_")
    if weight not in {"0", "1", "2", "3"}:
        raise BadCursor
    at, effect_id = Cursor.read(rest)
    return Place(at, effect_id, irreversible=int(weight) >= 2, consequential=int(weight) % 2 == 1)


def place_written(place: Place) -> str:
    """Write what `place` reads."""
    return f"{2 * place.irreversible + place.consequential}_{Cursor(place.at, place.id)}"


def _tab(asked: Wanted, other: Wanted, value: str, label: str) -> Tab:
    return Tab(label, value, written(other), other == asked)
