"""How compensation does: what is open, what became of what was to be made good for, how long that took and what remained (R-A9).

A constant number of statements, however many work items there are: the open ones along the desk's index, the ended ones along that of their
ends, each up to COUNTED."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from compensation.queries.desk import COUNTED, IS_OPEN, IS_OVER, SOMEBODY
from compensation.states import DONE, DROPPED, RESOLVED, WAIVED
from console.database import rows

DAY, WEEK = "day", "week"
PERIODS: Final = (DAY, WEEK)
LONGEST_DAYS: Final = 366
TEXTS: Final = 20  # of what remains, the most frequent

BACKLOG: Final = f"""
select state, operation, count(*) as counted, count(*) filter (where {SOMEBODY}) as somebody,
       count(*) filter (where deadline_at <= cf_now()) as overdue, extract(epoch from cf_now() - min(created_at)) as oldest
from (select state, operation, waits_for, deadline_at, created_at from compensation_workitem
      where tenant_id = %s and {IS_OPEN} order by deadline_at, weight desc, id limit %s) i
group by 1, 2
"""  # noqa: S608 - constants
ENDED: Final = f"""
select state, operation, created_at, ended_at, escalated_at, "left", acting_id from compensation_workitem
where tenant_id = %s and {IS_OVER} and ended_at >= %s order by ended_at desc limit %s
"""  # noqa: S608 - constants
OUTCOMES: Final = f"""
select grouping(period) = 0 as of_period, grouping(operation) = 0 as of_operation, period, operation, count(*) as ended,
       count(*) filter (where state = '{DONE}') as done, count(*) filter (where state = '{RESOLVED}') as resolved,
       count(*) filter (where state = '{WAIVED}') as waived, count(*) filter (where state = '{DROPPED}') as dropped,
       count(*) filter (where escalated_at is not null) as escalated,
       percentile_cont(array[0.5, 0.95]) within group (order by took) filter (where state = '{DONE}') as took
from (select *, date_trunc(%s, ended_at at time zone %s)::date as period, extract(epoch from ended_at - created_at) as took
      from ({ENDED}) e) i
group by grouping sets ((), (period), (operation))
"""  # noqa: S608 - constants
# A list of texts that was not erased.
REMAINS: Final = f"""
select t.remains, count(*) as counted from ({ENDED}) i
cross join lateral jsonb_array_elements_text(case when "left" like '["%%' then "left"::jsonb else '[]' end) as t (remains)
group by 1 order by 2 desc, 1 limit %s
"""  # noqa: S608 - constants
# What the act that made good for it says that it cost: `fee` in its result, and `currency` there or among its arguments.
FEES: Final = f"""
select currency, sum(fee::numeric) as amount, count(*) as counted from (
    select coalesce(x.result ->> 'currency', x.arguments ->> 'currency', '') as currency, x.result ->> 'fee' as fee
    from ({ENDED}) i join runs_effect e on e.id = i.acting_id cross join lateral (
        select case when e.result like '{{%%' then e.result::jsonb end as result,
               case when e.arguments like '{{%%' then e.arguments::jsonb end as arguments) x) f
where fee ~ '^[0-9]{{1,30}}([.][0-9]{{1,30}})?$' group by 1 order by 1
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Backlog:
    """What is open now; `oldest_seconds` since the oldest was planned."""

    open: int = 0
    needs_somebody: int = 0
    overdue: int = 0
    oldest_seconds: float | None = None
    by_state: Mapping[str, int] = field(default_factory=dict)
    by_operation: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What became of work items that ended; the times are from when an item was planned to when its effect was done."""

    ended: int = 0
    done: int = 0
    resolved: int = 0
    waived: int = 0
    dropped: int = 0
    escalated: int = 0
    median_seconds: float | None = None
    p95_seconds: float | None = None

    @property
    def success_rate(self) -> float | None:
        """Give the share that was done without people ending it, of what was to be made good for; None of nothing."""
        return self._share(self.done)

    @property
    def escalation_rate(self) -> float | None:
        """Give the share about which somebody had to be called."""
        return self._share(self.escalated)

    def _share(self, of: int) -> float | None:
        meant = self.ended - self.dropped
        return of / meant if meant else None


@dataclass(frozen=True, slots=True)
class Remaining:
    """Something that remained, and how often."""

    text: str
    counted: int


@dataclass(frozen=True, slots=True)
class Fee:
    """What compensating cost in one currency ("": it was not said), over so many acts."""

    currency: str
    amount: Decimal
    counted: int


@dataclass(frozen=True, slots=True)
class Operation:
    """One compensating operation ("": people do it): what is open of it, and what became of the rest."""

    name: str
    open: int
    outcomes: Outcomes


@dataclass(frozen=True, slots=True)
class Numbers:
    """Everything, as of `now`. `periods` are days or weeks by the clock of `zone`, each by its first day; `cut`: not all were counted."""

    now: datetime
    since: datetime
    by: str
    zone: str
    backlog: Backlog
    whole: Outcomes
    periods: Sequence[tuple[date, Outcomes]]
    operations: Sequence[Operation]
    remains: Sequence[Remaining]
    fees: Sequence[Fee]
    cut: bool


def numbers(tenant_id: UUID, now: datetime, *, days: int, by: str, zone: str) -> Numbers:
    """Count what ended in the last so many days, today among them, and what is open."""
    first = _first(now, days, by, zone)
    since = datetime.combine(first, time(), ZoneInfo(zone))
    window = [tenant_id, since, COUNTED]
    backlog = _backlog(rows(BACKLOG, [tenant_id, COUNTED]))
    found = rows(OUTCOMES, [by, zone, *window])
    whole = next((_outcomes(row) for row in found if not row["of_period"] and not row["of_operation"]), Outcomes())
    of_periods = {row["period"]: _outcomes(row) for row in found if row["of_period"]}
    of_operations = {row["operation"]: _outcomes(row) for row in found if row["of_operation"]}
    names = sorted({*of_operations, *backlog.by_operation})
    return Numbers(
        now=now, since=since, by=by, zone=zone, backlog=backlog, whole=whole,
        periods=[(day, of_periods.get(day, Outcomes())) for day in _days(first, now.astimezone(ZoneInfo(zone)).date(), by)],
        operations=[Operation(name, backlog.by_operation.get(name, 0), of_operations.get(name, Outcomes())) for name in names],
        remains=[Remaining(row["remains"], row["counted"]) for row in rows(REMAINS, [*window, TEXTS])],
        fees=[Fee(row["currency"], row["amount"], row["counted"]) for row in rows(FEES, window)],
        cut=whole.ended >= COUNTED or backlog.open >= COUNTED,
    )  # fmt: skip


def _first(now: datetime, days: int, by: str, zone: str) -> date:
    """Give the first day that is looked at: of weeks, the Monday before it."""
    first = now.astimezone(ZoneInfo(zone)).date() - timedelta(days=days - 1)
    return first - timedelta(days=first.weekday()) if by == WEEK else first


def _days(first: date, last: date, by: str) -> Iterator[date]:
    while first <= last:
        yield first
        first += timedelta(days=7 if by == WEEK else 1)


def _backlog(found: Sequence[dict[str, Any]]) -> Backlog:
    by_state: dict[str, int] = {}
    by_operation: dict[str, int] = {}
    for row in found:
        by_state[row["state"]] = by_state.get(row["state"], 0) + row["counted"]
        by_operation[row["operation"]] = by_operation.get(row["operation"], 0) + row["counted"]
    return Backlog(
        open=sum(by_state.values()), needs_somebody=sum(row["somebody"] for row in found), overdue=sum(row["overdue"] for row in found),
        oldest_seconds=max((float(row["oldest"]) for row in found), default=None), by_state=by_state, by_operation=by_operation,
    )  # fmt: skip


def _outcomes(row: dict[str, Any]) -> Outcomes:
    median, p95 = row["took"] or (None, None)
    return Outcomes(
        ended=row["ended"], done=row["done"], resolved=row["resolved"], waived=row["waived"], dropped=row["dropped"],
        escalated=row["escalated"], median_seconds=median, p95_seconds=p95,
    )  # fmt: skip
