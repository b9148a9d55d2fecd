"""The record of a plan as people read it, whole or of one work item: the newest entries before a place, each as a sentence."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from compensation.models import Ending, EvidenceFile, WorkItem
from compensation.queries import plans
from compensation.sentences import About, sentence
from console.exact import Value
from console.ledger import queries as ledger
from console.ledger.models import Entry
from console.ledger.queries import Place
from runs.history import short


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry: `item` is the id of the work item that it is about, or nothing; `place` that of the trail that ends with it."""

    seq: int
    kind: str
    sentence: str
    actor: str
    actor_name: str
    at: datetime
    hash_short: str
    detail: Value
    item: str
    place: Place


@dataclass(frozen=True, slots=True)
class Trail:
    """Lines, oldest first, and the place of the first where there are earlier ones."""

    lines: tuple[Line, ...]
    earlier: Place | None


def trail(
    tenant_id: UUID, plan_id: UUID, *, item_id: UUID | None = None, before: Place | None = None, limit: int = 50
) -> Trail:
    """Tell the last entries of a plan's stream before a place; of one work item those about it, its endings and its files."""
    about, beside = _about(plan_id, item_id)
    found = _entries(plan_id, [str(item_id), *beside] if item_id else [], before, limit + 1)
    shown = found[-limit:]
    said = {entry.pk: _facts(entry) for entry in shown}
    people = [str(entry.actor) for entry in shown] + [
        f"member:{_owner(facts)}" for facts in said.values() if _owner(facts)
    ]
    names = plans.names(tenant_id, people)
    known = About(
        about.items, about.beside, about.endings, {actor.partition(":")[2]: name for actor, name in names.items()}
    )
    lines = tuple(_line(entry, said[entry.pk], known, names) for entry in shown)
    return Trail(lines, (shown[0].at, shown[0].pk) if len(found) > limit else None)


def _entries(plan_id: UUID, named: list[str], before: Place | None, limit: int) -> list[Entry]:
    """Give entries of the stream, all or those that name one of these ids; a stream is as long as its plan is large."""
    if not named:
        return ledger.latest([f"plan:{plan_id}"], before, limit)
    found = Entry.objects.filter(stream=f"plan:{plan_id}", payload__body__regex="|".join(named)).select_related(
        "payload"
    )
    if before is not None:
        at, entry_id = before
        found = found.filter(at__lte=at).exclude(at=at, id__gte=entry_id)
    return list(found.order_by("-at", "-id")[:limit])[::-1]


def _about(plan_id: UUID, item_id: UUID | None) -> tuple[About, list[str]]:
    which: dict[str, Any] = {"plan_id": plan_id} if item_id is None else {"item_id": item_id}
    numbers = WorkItem.objects.filter(plan_id=plan_id).values_list("pk", "number")
    endings = list(Ending.objects.filter(**which).values_list("pk", "item_id", "ending"))
    files = list(EvidenceFile.objects.filter(**which).values_list("pk", "item_id"))
    beside = {str(pk): str(item) for pk, item, _ in endings} | {str(pk): str(item) for pk, item in files}
    items = {str(pk): number for pk, number in numbers}
    return About(items, beside, {str(pk): ending for pk, _, ending in endings}), list(beside)


def _line(entry: Entry, facts: dict[str, Any], about: About, names: dict[str, str]) -> Line:
    return Line(
        seq=entry.seq, kind=entry.kind, sentence=sentence(entry.kind, facts, about), actor=entry.actor,
        actor_name=plans.name_of(names, entry.actor), at=entry.at, hash_short=short(bytes(entry.hash)), detail=ledger.said(entry),
        item=about.item_id(facts), place=(entry.at, entry.pk + 1),
    )  # fmt: skip


def _facts(entry: Entry) -> dict[str, Any]:
    said: Any = ledger.said(entry)
    return said if isinstance(said, dict) else {}


def _owner(facts: dict[str, Any]) -> str:
    said = facts.get("is")
    return str(said.get("owner_id") or "") if isinstance(said, dict) else ""
