"""Writing to the streams of standing approvals whose rows the caller has locked or just made."""

from datetime import datetime

from console.ledger import streams
from console.ledger.actors import Actor
from console.ledger.streams import Entries


def write(entries: Entries, by: Actor, now: datetime) -> None:
    """Append (grant id, kind, facts) and move the heads."""
    streams.write("approvals_record_grants", entries, by, now)
