"""The record of a plan as people read it, whole or of one work item: the newest entries before a place, each as a sentence."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from compensation import entries
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
    if item_id is None:
        found = ledger.latest([f"plan:{plan_id}"], before, limit + 1)
    else:
        of_it = Entry.objects.filter(entries.of_item(item_id), stream=f"plan:{plan_id}")
        found = ledger.last(of_it, before, limit + 1)
    shown = found[-limit:]
    return Trail(_told(tenant_id, plan_id, shown), (shown[0].at, shown[0].pk) if len(found) > limit else None)


def news(
    tenant_id: UUID, plan_id: UUID, version: int, *, item_id: UUID | None = None, limit: int = 20
) -> tuple[Line, ...]:
    """Tell the last of what is new of a plan, or of one work item, to somebody who saw the plan at a version."""
    found = entries.since(plan_id, version, item_id, ladder=True).select_related("payload").order_by("-seq")[:limit]
    return _told(tenant_id, plan_id, list(found)[::-1])


def _told(tenant_id: UUID, plan_id: UUID, shown: Sequence[Entry]) -> tuple[Line, ...]:
    said = {entry.pk: _facts(entry) for entry in shown}
    people = [str(entry.actor) for entry in shown] + [
        f"member:{_owner(facts)}" for facts in said.values() if _owner(facts)
    ]
    names = plans.names(tenant_id, people)
    about = _about(plan_id, said.values(), {actor.partition(":")[2]: name for actor, name in names.items()})
    return tuple(_line(entry, said[entry.pk], about, names) for entry in shown)


def _about(plan_id: UUID, told: Collection[dict[str, Any]], people: dict[str, str]) -> About:
    """Read what these entries name: the numbers of items, and which item each ending and file is of."""
    named = {str(facts[name]) for facts in told for name in ("ending", "file") if facts.get(name)}
    endings = list(Ending.objects.filter(plan_id=plan_id, pk__in=named).values_list("pk", "item_id", "ending"))
    files = list(EvidenceFile.objects.filter(plan_id=plan_id, pk__in=named).values_list("pk", "item_id"))
    beside = {str(pk): str(item) for pk, item, _ in endings} | {str(pk): str(item) for pk, item in files}
    of_items = {str(facts["item"]) for facts in told if facts.get("item")} | set(beside.values())
    numbers = WorkItem.objects.filter(plan_id=plan_id, pk__in=of_items).values_list("pk", "number")
    items = {str(pk): number for pk, number in numbers}
    return About(items, beside, {str(pk): ending for pk, _, ending in endings}, people)


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
