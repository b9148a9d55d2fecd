"""Writing to the streams of rows that the caller has locked or just made: each room's SQL function moves the heads of its own."""

from datetime import datetime
from json import dumps
from typing import TypeAlias
from uuid import UUID

from console.database import rows
from console.exact import Value, canonical
from console.ledger.actors import Actor

Entries: TypeAlias = list[tuple[UUID, str, dict[str, Value]]]
# Lists travel as JSON: the driver writes an array of texts out character by character.
LIST = "array(select json_array_elements_text(%s::json))"


def write(function: str, entries: Entries, by: Actor, now: datetime) -> None:
    """Append (row id, kind, facts) by the function of a room; the door that the actor came by is told with each (R-N4)."""
    rows(
        f"select {function}({LIST}::uuid[], {LIST}, array_fill(%s::text, array[%s]), {LIST}, %s)",
        [
            dumps([str(entry[0]) for entry in entries]),
            dumps([entry[1] for entry in entries]),
            str(by),
            len(entries),
            dumps([canonical({**entry[2], "via": by.via}) for entry in entries], ensure_ascii=False),
            now,
        ],
    )
