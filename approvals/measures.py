"""What the record says of approvals at this moment, over all tenants, for metrics."""

from collections.abc import Iterator

from console.database import rows
from console.telemetry.metrics import MOST, Reading

PENDING = """
select (select count(*) from (select from approvals_request where state = 'pending' limit %s) q) as counted,
       (select extract(epoch from min(decide_by) - cf_now()) from approvals_request where state = 'pending') as nearest
"""


def readings() -> Iterator[Reading]:
    """Read them all."""
    found = rows(PENDING, [MOST])[0]
    yield Reading("awaiting_approval", found["counted"])
    if found["nearest"] is not None:
        yield Reading("approval_nearest_deadline_seconds", float(found["nearest"]))
