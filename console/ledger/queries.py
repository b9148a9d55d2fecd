"""Reading streams back: entries with what they say, and whether the chain holds."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from console.database import rows
from console.exact import Value, decode
from console.ledger.models import Entry

CHECKED = 2000
Place: TypeAlias = tuple[datetime, int]
# Every entry's digest, link and hash, computed anew by the function that wrote them.
CHAIN = """
select count(*) as entries, max(seq) as last,
       coalesce(bool_and(seq = place and prev_hash = before and (body is null or payload_digest = sha256(convert_to(body, 'UTF8')))
           and hash = ledger_hash(format, tenant_id, stream, seq, kind, (extract(epoch from at) * 1000000)::bigint::text, actor,
                                  payload_digest, prev_hash)
       ), true) as holds,
       (array_agg(hash order by seq desc))[1] as head
from (select e.*, p.body, row_number() over (order by e.seq) as place, coalesce(lag(e.hash) over (order by e.seq), ''::bytea) as before
      from ledger_entry e left join ledger_payload p on p.entry_id = e.id
      where e.stream = %s order by e.seq limit %s) e
"""


@dataclass(frozen=True, slots=True)
class Chain:
    """Whether a stream's hashes agree from its first entry to the head that its row carries; None: too long to be checked for a page."""

    ok: bool | None
    entries: int
    head: bytes


def check_chain(stream: str, head_seq: int, head_hash: bytes) -> Chain:
    """Recompute a stream's chain and compare its end with the head on the row."""
    if head_seq > CHECKED:
        return Chain(None, head_seq, head_hash)
    found = rows(CHAIN, [stream, CHECKED])[0]
    ends_at_head = found["entries"] == head_seq and bytes(found["head"] or b"") == head_hash
    return Chain(found["holds"] and ends_at_head, found["entries"], head_hash)


def latest(streams: list[str], before: Place | None, limit: int) -> list[Entry]:
    """Give the last entries of these streams before a place (instant, entry id), oldest first, with their payloads."""
    found = Entry.objects.filter(stream__in=streams).select_related("payload")
    if before is not None:
        at, entry_id = before
        found = found.filter(at__lte=at).exclude(at=at, id__gte=entry_id)
    return list(found.order_by("-at", "-id")[:limit])[::-1]


def said(entry: Entry) -> Value:
    """Give what an entry says; None once it was erased."""
    body = entry.payload.body
    return None if body is None else decode(body)
