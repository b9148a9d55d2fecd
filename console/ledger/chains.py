"""Appending to one stream whose row the caller has locked."""

from datetime import datetime
from typing import Any
from uuid import UUID

from console.database import rows
from console.exact import Object, canonical
from console.ledger.actors import Actor
from console.ledger.models import Chained

APPEND = "select seq, hash from ledger_append(%s::uuid[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::bytea[], %s)"


def append(head: Chained, tenant_id: UUID, entries: list[tuple[str, Object]], by: Actor, now: datetime) -> None:
    """Append (kind, facts) to the stream of `head` and move its head."""
    if not entries:
        return
    n = len(entries)
    bodies = [canonical({**says, "via": by.via}) for _, says in entries]
    parameters: list[Any] = [
        [tenant_id] * n, [head.stream()] * n, [kind for kind, _ in entries], [str(by)] * n, bodies,
        [head.ledger_seq] * n, [head.ledger_hash] * n, now,
    ]  # fmt: skip
    new = rows(APPEND, parameters)[0]
    head.ledger_seq, head.ledger_hash = new["seq"], bytes(new["hash"])
    type(head)._default_manager.filter(pk=head.pk).update(ledger_seq=head.ledger_seq, ledger_hash=head.ledger_hash)
