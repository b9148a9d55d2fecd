"""Writing to the streams of runs whose rows the caller has locked or just made."""

from datetime import datetime
from json import dumps
from uuid import UUID

from console.database import rows
from console.exact import Value, canonical
from console.ledger.actors import Actor

# Lists travel as JSON: the driver writes an array of texts out character by character.
LIST = "array(select json_array_elements_text(%s::json))"
WRITE = f"select runs_record({LIST}::uuid[], {LIST}, array_fill(%s::text, array[%s]), {LIST}, %s)"


def write(entries: list[tuple[UUID, str, dict[str, Value]]], by: Actor, now: datetime) -> None:
    """Append (run id, kind, facts) and move the heads; the door that the actor came by is told with each (R-N4)."""
    rows(
        WRITE,
        [
            dumps([str(entry[0]) for entry in entries]),
            dumps([entry[1] for entry in entries]),
            str(by),
            len(entries),
            dumps([canonical({**entry[2], "via": by.via}) for entry in entries], ensure_ascii=False),
            now,
        ],
    )
