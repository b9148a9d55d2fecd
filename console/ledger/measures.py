"""What the record says of itself at this moment, for metrics."""

from collections.abc import Iterator

from console.database import rows
from console.telemetry.metrics import Reading

RECORD = """
select (select coalesce(max(id), 0) from ledger_entry) as entries,
       (select extract(epoch from cf_now() - at) from ledger_beat where name = 'clock') as clock
"""


def readings() -> Iterator[Reading]:
    """Read them all."""
    found = rows(RECORD)[0]
    yield Reading("ledger_entries", found["entries"])
    if found["clock"] is not None:
        yield Reading("clock_last_pass_seconds", float(found["clock"]))
