"""What was spent in a policy's windows: summed exactly along an index, and held while somebody is judged by it."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from approvals.policy_facts import EXACT, LONGEST_WINDOW, Spend
from console.database import rows

# One lock for a tenant's sums: whoever judges by a sum waits for those who judged before, and reads what they have committed.
HOLD = "select pg_advisory_xact_lock(hashtextextended('spending ' || %s, 0))"
SUMS = """
select w.place, coalesce((
    select sum(s.amount) from approvals_spend s
    where s.tenant_id = %s and s.meter = w.meter and s.returned_at is null and s.at > %s - make_interval(secs => w.seconds)
      and (%s::timestamptz is null or s.at <= %s) and not (s.subject = any (%s::uuid[]))), 0) as total
from unnest(%s::bytea[], %s::int[]) with ordinality as w (meter, seconds, place)
order by w.place
"""
KEEP = """
insert into approvals_spend (tenant_id, subject, meter, amount, at)
select %s, s.subject, s.meter, s.amount, %s from unnest(%s::uuid[], %s::bytea[], %s::numeric[]) as s (subject, meter, amount)
on conflict (subject, meter) do update set at = excluded.at, amount = excluded.amount, returned_at = null
returning 1
"""
# Rows come about in the order of their ids, so that the oldest are found without an index of their own; one that was judged again since
# lets a few behind it wait until it is old as well.
FORGET = """
delete from approvals_spend where id in (
    select s.id from (select id, at from approvals_spend order by id limit %s) first join approvals_spend s on s.id = first.id
    where first.at < cf_now() - make_interval(secs => %s) and s.at = first.at order by s.id for update of s skip locked)
returning 1
"""


def hold(tenant_id: UUID) -> None:
    """Hold the tenant's sums until the commit; the database's time is read after this."""
    rows(HOLD, [str(tenant_id)])


class Till:
    """The sums of some windows at a moment, with what was judged since; `but` are intents that are judged anew and do not count twice.

    `until` looks back: what came after it does not count."""

    def __init__(
        self,
        tenant_id: UUID,
        wanted: Iterable[Spend],
        now: datetime,
        but: Collection[UUID] = (),
        until: datetime | None = None,
    ) -> None:
        places = list({(each.meter, each.window.within_seconds) for each in wanted})
        parameters = [
            tenant_id,
            now,
            until,
            until,
            list(but),
            [each[0] for each in places],
            [each[1] for each in places],
        ]
        found = rows(SUMS, parameters) if places else []
        self.sums = {place: Decimal(row["total"]) for place, row in zip(places, found, strict=True)}

    def spent(self, found: Sequence[Spend]) -> dict[str, Decimal]:
        """Give the sum so far of each of an intent's windows, by name."""
        return {each.window.name: self.sums[each.meter, each.window.within_seconds] for each in found}

    def add(self, found: Sequence[Spend]) -> None:
        """Count an intent that was not denied, for those that are judged after it."""
        added = {each.meter: each.amount for each in found}
        for meter, seconds in self.sums:
            if meter in added:
                self.sums[meter, seconds] = EXACT.add(self.sums[meter, seconds], added[meter])


def keep(tenant_id: UUID, judged: Iterable[tuple[UUID, Sequence[Spend]]], now: datetime) -> None:
    """Count what these subjects would spend from now on; until one ends without being done, it counts."""
    found = {(subject, each.meter): each.amount for subject, spends in judged for each in spends}
    if found:
        subjects, meters = [place[0] for place in found], [place[1] for place in found]
        rows(KEEP, [tenant_id, now, subjects, meters, list(found.values())])


def forget_due(limit: int) -> int:
    """Delete what no window can reach any more, at most so many; gives how many. Within the caller's transaction."""
    return len(rows(FORGET, [limit, LONGEST_WINDOW]))
