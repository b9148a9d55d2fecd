"""Writing to the streams of requests whose rows the caller has locked."""

from datetime import datetime

from console.ledger import streams
from console.ledger.actors import Actor
from console.ledger.streams import Entries


def write(entries: Entries, by: Actor, now: datetime) -> None:
    """Append (request id, kind, facts) and move the heads."""
    streams.write("approvals_record", entries, by, now)
