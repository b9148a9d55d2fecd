"""A run's story: the entries of its stream and of its requests' streams, merged by time, each as a sentence with who and when."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from approvals.models import Request
from console.database import rows
from console.exact import Value
from console.ledger import queries as ledger
from console.ledger.models import Entry
from console.ledger.queries import Chains, Place
from runs.models import Effect, Run
from runs.repeats import told_once
from runs.sentences import About, sentence

# Every name in the record is that of an agent, a member, or one of our own processes.
NAMES = """
select 'agent:' || id as actor, name from identity_agent where tenant_id = %s and id = any (%s::uuid[])
union all
select 'member:' || m.id, u.name from identity_member m join identity_user u on u.id = m.user_id
where m.tenant_id = %s and m.id = any (%s::uuid[])
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry as people read it. `seq` is its number; in a request's stream that request's letter stands before it."""

    seq: str
    kind: str
    sentence: str
    actor_name: str
    at: datetime
    hash_short: str
    detail: Value
    effect: str  # the id of the effect that it is about, or nothing
    place: Place  # of the history that ends with it
    repeats: tuple["Line", ...] = ()  # what is told in this one line
    until: datetime | None = None  # when the last of them happened


@dataclass(frozen=True, slots=True)
class Story:
    """Lines of a run's history, the place of the first when there are earlier ones, and whether all its chains hold."""

    lines: list[Line]
    earlier: Place | None
    chains: Chains

    def once(self) -> list[Line]:
        """Give the lines with repeated status queries told once."""
        return told_once(self.lines)


def story(run: Run, before: Place | None, limit: int) -> Story:
    """Tell the last entries before a place, oldest first."""
    effects = Effect.objects.filter(run=run)
    told = list(effects.values_list("pk", "number", "summary"))
    about = About({str(pk): number for pk, number, _ in told}, {str(pk): summary for pk, _, summary in told})
    requests = list(
        Request.objects.filter(subject__in=effects.values("pk"))
        .only("pk", "subject", "ledger_seq", "ledger_hash")
        .order_by("created_at", "id")
    )
    asked = {request.stream(): (letters(place), str(request.subject)) for place, request in enumerate(requests)}
    heads = {row.stream(): (row.ledger_seq, bytes(row.ledger_hash)) for row in (run, *requests)}
    found = ledger.latest(list(heads), before, limit + 1)
    entries = found[-limit:]
    names = actor_names(run.tenant_id, {entry.actor for entry in entries})
    return Story(
        [_line(entry, asked.get(entry.stream), about, names) for entry in sorted(entries, key=_order)],
        (entries[0].at, entries[0].pk) if len(found) > limit else None,
        ledger.check_chains(heads),
    )


def letters(place: int) -> str:
    """Give the letter of a run's first, second, … request: a, b, … z, aa."""
    before, last = divmod(place, 26)
    return (letters(before - 1) if before else "") + chr(ord("a") + last)


def short(digest: bytes) -> str:
    """Give a digest's short form."""
    text = digest.hex()
    return f"{text[:4]}…{text[-4:]}"


def _order(entry: Entry) -> tuple[datetime, int, str, int]:
    """Order by time; what happened in one transaction is told from the run's side, but first that a permission was used."""
    side = 0 if entry.kind == "request.consumed" else 1 if entry.stream.startswith("run:") else 2
    return entry.at, side, entry.stream, entry.seq


def _line(entry: Entry, asked: tuple[str, str] | None, about: About, names: Mapping[str, str]) -> Line:
    detail = ledger.said(entry)
    letter, subject = asked or ("", None)
    facts = {"effect": subject, **detail} if isinstance(detail, dict) else {"effect": subject}
    return Line(
        seq=f"{letter}{entry.seq}", kind=entry.kind, sentence=sentence(entry.kind, facts, about),
        actor_name=names.get(entry.actor, process_name(entry.actor)), at=entry.at, hash_short=short(bytes(entry.hash)), detail=detail,
        effect=str(facts["effect"] or ""), place=(entry.at, entry.pk + 1),
    )  # fmt: skip


def actor_names(tenant_id: UUID, actors: Iterable[str]) -> dict[str, str]:
    """Name the agents and members among these actors of the record."""
    ids: dict[str, list[UUID]] = {"agent": [], "member": []}
    for actor in actors:
        kind, _, identity = actor.partition(":")
        with suppress(KeyError, ValueError):
            ids[kind].append(UUID(identity))
    found = rows(NAMES, [tenant_id, ids["agent"], tenant_id, ids["member"]])
    return {row["actor"]: row["name"] for row in found}


def process_name(actor: str) -> str:
    """Name an actor that is one of our own processes."""
    kind, _, name = actor.partition(":")
    return {"worker": f"worker {name}", "system": f"the {name}"}.get(kind, actor)
