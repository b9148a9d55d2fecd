"""What the record says of deliveries at this moment, over all tenants: bounded looks along indexes, for metrics."""

from collections.abc import Iterator

from console.database import rows
from console.notices.states import CHANNELS
from console.telemetry.metrics import MOST, Reading

OLDEST = """
select extract(epoch from cf_now() - created_at) as seconds from notices_delivery where state = 'waiting' order by created_at limit 1
"""
COUNTED = """
select c.channel,
       (select count(*) from (
           select from notices_delivery where state = 'waiting' and channel = c.channel limit %s) w) as waiting,
       (select count(*) from (
           select from notices_delivery
           where state = 'dead' and channel = c.channel and last_outcome <> 'stopped' limit %s) d) as dead
from unnest(%s::text[]) as c (channel)
"""


def readings() -> Iterator[Reading]:
    """Read them all."""
    oldest = rows(OLDEST)
    yield Reading("undelivered_oldest_seconds", float(oldest[0]["seconds"]) if oldest else 0.0)
    for row in rows(COUNTED, [MOST, MOST, CHANNELS]):
        yield Reading("deliveries_waiting", row["waiting"], (row["channel"],))
        yield Reading("deliveries_dead", row["dead"], (row["channel"],))
