"""Writing to the streams of requests whose rows the caller has locked."""

from datetime import datetime
from uuid import UUID

from console.database import rows
from console.exact import Value, canonical
from console.ledger.actors import Actor


def write(entries: list[tuple[UUID, str, dict[str, Value]]], by: Actor, now: datetime) -> None:
    """Append (request id, kind, facts) and move the heads; the door that the actor came by is told with each (R-N4)."""
    rows(
        "select approvals_record(%s::uuid[], %s::text[], %s::text[], %s::text[], %s)",
        [
            [entry[0] for entry in entries],
            [entry[1] for entry in entries],
            [str(by)] * len(entries),
            [canonical({**entry[2], "via": by.via}) for entry in entries],
            now,
        ],
    )
