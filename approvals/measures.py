"""What the record says of approvals at this moment, over all tenants, for metrics."""

from collections.abc import Iterator

from console.database import rows
from console.telemetry.metrics import MOST, Reading

PENDING = """
select (select count(*) from (select from approvals_request where state = 'pending' limit %s) q) as counted,
       (select extract(epoch from min(decide_by) - cf_now()) from approvals_request where state = 'pending') as nearest
"""

GLASS = """
select (select count(*) from (select from approvals_breakglass where ended_at is null and ends_at > cf_now() limit %s) q) as open,
       (select count(*) from (select from approvals_breakglass where reviewed_at is null limit %s) q) as unreviewed
"""


def readings() -> Iterator[Reading]:
    """Read them all."""
    glass = rows(GLASS, [MOST, MOST])[0]
    yield Reading("break_glass_open", glass["open"])
    yield Reading("break_glass_unreviewed", glass["unreviewed"])
    found = rows(PENDING, [MOST])[0]
    yield Reading("awaiting_approval", found["counted"])
    if found["nearest"] is not None:
        yield Reading("approval_nearest_deadline_seconds", float(found["nearest"]))
