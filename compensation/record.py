"""Writing to the streams of plans whose rows the caller has locked or just made."""

from datetime import datetime

from console.ledger import streams
from console.ledger.actors import Actor
from console.ledger.streams import Entries


def write(entries: Entries, by: Actor, now: datetime) -> None:
    """Append (plan id, kind, facts) and move the heads."""
    streams.write("compensation_record", entries, by, now)
