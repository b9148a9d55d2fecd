"""The words in the address of the history of approvals, read strictly and written back."""

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from django.http import HttpRequest

from approvals.history import Wanted
from approvals.states import PENDING, STATES
from console.database import rows
from console.pages import address
from console.pages.address import BadFilter, query

FIELDS = ("outcome", "operation", "agent", "member", "since", "until")
OFFERED = 200
LAST_DAY = datetime.combine(date.max, time(), UTC)  # there is none after it: until then is all there is
OUTCOMES = tuple(state for state in STATES if state != PENDING)
NAMES = """
(select 'operation' as field, name as value, name as label from runs_operationcontract
 where tenant_id = %s and retired_at is null order by name limit %s)
union all (select 'agent', id::text, name from identity_agent where tenant_id = %s order by name limit %s)
union all (select 'member', m.id::text, u.name from identity_member m join identity_user u on u.id = m.user_id
 where m.tenant_id = %s and 'approver' = any(m.roles) order by u.name limit %s)
"""


def read(request: HttpRequest) -> Wanted:
    """Read what is asked. Raises BadFilter."""
    last = _day(request, "until")
    return Wanted(
        outcome=address.chosen(request, "outcome", set(OUTCOMES)), operation=address.word(request, "operation"),
        agent=_id(request, "agent"), member=_id(request, "member"), since=_day(request, "since"),
        until=last + timedelta(days=1) if last and last < LAST_DAY else None,
    )  # fmt: skip


def written(request: HttpRequest) -> str:
    """Write what is asked as the words of an address."""
    return query(**{name: request.GET.get(name, "").strip() for name in FIELDS})


def names(tenant_id: UUID) -> dict[str, list[dict[str, str]]]:
    """Give the operations, agents and members that can be chosen, each with value and label."""
    found: dict[str, list[dict[str, str]]] = {"operation": [], "agent": [], "member": []}
    for row in rows(NAMES, [tenant_id, OFFERED, tenant_id, OFFERED, tenant_id, OFFERED]):
        found[row["field"]].append({"value": row["value"], "label": row["label"]})
    return found


def _id(request: HttpRequest, name: str) -> UUID | None:
    text = address.word(request, name)
    try:
        return UUID(text) if text else None
    except ValueError:
        raise BadFilter from None


def _day(request: HttpRequest, name: str) -> datetime | None:
    """Read a day as its beginning in UTC."""
    text = address.word(request, name)
    try:
        return datetime.combine(date.fromisoformat(text), time(), UTC) if text else None
    except ValueError:
        raise BadFilter from None
