"""What processes counted, added up: one row a counter and its labels, so that any web process can tell all of it.

No part of the record. A process that is killed takes a few seconds of its counting with it."""

import json
from functools import partial

import psycopg

from console.database import rows
from console.telemetry.counting import Carrier, Counts, carry

ADD = """insert into ledger_tally (name, labels, value)
    select name, labels, value from json_to_recordset(%s::json) as x (name text, labels text, value float8) order by name, labels
    on conflict (name, labels) do update set value = ledger_tally.value + excluded.value"""


def add(dsn: str, counts: Counts) -> None:
    """Add counts up, on a connection of their own; the order of rows keeps processes from deadlocks."""
    listed = [
        {"name": name, "labels": json.dumps(labels), "value": amount} for (name, labels), amount in counts.items()
    ]
    with psycopg.connect(dsn, autocommit=True, connect_timeout=5) as connection:
        connection.execute(ADD, [json.dumps(listed)])


def carrier(dsn: str) -> Carrier:
    """Start carrying this process's counts."""
    started = Carrier(partial(add, dsn))
    started.start()
    return started


def carry_now(dsn: str) -> None:
    """Carry this process's counts at once."""
    carry(partial(add, dsn))


def read() -> list[tuple[str, str, float]]:
    """Give all of them: name, labels (as JSON), value."""
    return [(row["name"], row["labels"], row["value"]) for row in rows("select name, labels, value from ledger_tally")]
