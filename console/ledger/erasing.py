"""Erasing what entries say, while the chain and what remains of the rows go on holding."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from console.database import rows
from console.exact import Value
from console.ledger.folding import plain

ERASED: Final = "[erased]"  # stands where a text stood that has to be one
NOTHING: Final = "{}"  # stands where a document stood
ERASE = "select ledger_erase(%s, %s::text[], %s::bigint[], %s) as erased"


def erase(tenant_id: UUID, streams: Sequence[tuple[str, int]], now: datetime) -> int:
    """Erase the payloads of each stream below an entry's number, after an entry was written at `now` that says so; gives how many."""
    found = rows(ERASE, [tenant_id, [stream for stream, _ in streams], [below for _, below in streams], now])
    return int(found[0]["erased"])


def remains(row: Any) -> dict[str, Value]:
    """Tell all recorded columns of a row as they are now."""
    return {column: plain(getattr(row, column)) for column in type(row).recorded}
