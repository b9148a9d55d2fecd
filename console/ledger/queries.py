"""Reading streams back: entries with what they say, and whether the chain holds."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.db.models import QuerySet

from console.database import rows
from console.exact import Value, decode
from console.ledger.models import Entry

CHECKED = 2000
Place: TypeAlias = tuple[datetime, int]
# Every entry's digest, link and hash, computed anew by the function that wrote them.
CHAINS = """
select stream, count(*) as entries,
       coalesce(bool_and(seq = place and prev_hash = before and kept and (body is null or payload_digest = sha256(convert_to(body, 'UTF8')))
           and hash = ledger_hash(format, tenant_id, stream, seq, kind, (extract(epoch from at) * 1000000)::bigint::text, actor,
                                  payload_digest, prev_hash)
       ), true) as holds,
       (array_agg(hash order by seq desc))[1] as head
from (select e.*, p.body, p.entry_id is not null as kept, row_number() over w as place, coalesce(lag(e.hash) over w, ''::bytea) as before
      from ledger_entry e left join ledger_payload p on p.entry_id = e.id
      where e.stream = any (%s) window w as (partition by e.stream order by e.seq)) e
group by stream
"""


@dataclass(frozen=True, slots=True)
class Chains:
    """Whether the hashes of some streams agree from the first entry to the head that the row carries; None: too long for a page."""

    ok: bool | None
    entries: int


def check_chains(heads: dict[str, tuple[int, bytes]]) -> Chains:
    """Recompute the chains of these streams and compare their ends with the heads (seq, hash) on their rows."""
    entries = sum(seq for seq, _ in heads.values())
    if entries > CHECKED:
        return Chains(None, entries)
    found = {row["stream"]: row for row in rows(CHAINS, [list(heads)])}
    return Chains(all(_whole(found.get(stream), *head) for stream, head in heads.items()), entries)


def _whole(found: dict[str, Any] | None, seq: int, head: bytes) -> bool:
    if found is None:
        return seq == 0
    return found["holds"] and found["entries"] == seq and bytes(found["head"]) == head


def latest(streams: list[str], before: Place | None, limit: int) -> list[Entry]:
    """Give the last entries of these streams before a place (instant, entry id), oldest first, with their payloads."""
    return last(Entry.objects.filter(stream__in=streams), before, limit)


def last(found: "QuerySet[Entry]", before: Place | None, limit: int) -> list[Entry]:
    """Give the last of these entries before a place (instant, entry id), oldest first, with their payloads."""
    found = found.select_related("payload")
    if before is not None:
        at, entry_id = before
        found = found.filter(at__lte=at).exclude(at=at, id__gte=entry_id)
    return list(found.order_by("-at", "-id")[:limit])[::-1]


def said(entry: Entry) -> Value:
    """Give what an entry says; None once it was erased."""
    payload = getattr(entry, "payload", None)
    return None if payload is None or payload.body is None else decode(payload.body)
