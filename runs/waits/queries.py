"""What pages and the API read of waits: one bounded query each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from console.database import rows
from runs.models import Run, Wait

# Effects that stand back for a wait, by wait.
HELD = """
select w.id as wait, array_agg(e.id order by e.number) as effects
from runs_effect e join runs_wait w on w.id = any (e.after_waits)
where e.run_id = %s and e.state || '' = 'blocked' and w.id = any (%s::uuid[]) group by w.id
"""
# What comes first of the open waits that each of these runs waits for as a whole, and how many there are.
FIRST = """
select distinct on (w.run_id) w.run_id, w.kind, w.subject_name, w.due_at, count(*) over (partition by w.run_id) as waits
from runs_wait w where w.run_id = any (%s::uuid[]) and w.state = 'open' and w.parks
order by w.run_id, w.due_at nulls last, w.number
"""


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a run waits for: what comes first of it, and how many waits there are."""

    kind: str
    subject_name: str
    due_at: datetime | None
    waits: int


def awaited(run_ids: Sequence[UUID]) -> dict[UUID, Awaited]:
    """Tell what runs wait for, in one statement."""
    found = rows(FIRST, [list(run_ids)]) if run_ids else []
    return {row.pop("run_id"): Awaited(**row) for row in found}


def waits(run_id: UUID, before: int | None, limit: int) -> list[Wait]:
    """Give a run's waits, the newest first, from the number before `before` on."""
    found = Wait.objects.filter(run_id=run_id)
    if before is not None:
        found = found.filter(number__lt=before)
    return list(found.order_by("-number")[:limit])


def named(run: Run, names: Iterable[str]) -> dict[str, Wait]:
    """Give the waits of a run by id and by name; of several with a name it means the newest."""
    words = set(names)
    if not words:
        return {}
    ids = [UUID(word) for word in words if _is_id(word)]
    found: dict[str, Wait] = {}
    for wait in Wait.objects.filter(Q(name__in=words) | Q(pk__in=ids), run=run).order_by("number"):
        found[wait.name] = found[str(wait.pk)] = wait
    return found


def held_back(run_id: UUID, waits: Sequence[Wait]) -> dict[UUID, list[UUID]]:
    """Give the effects that stand back for each of a run's waits."""
    if not waits:
        return {}
    return {row["wait"]: row["effects"] for row in rows(HELD, [run_id, [wait.pk for wait in waits]])}


def _is_id(word: str) -> bool:
    try:
        return str(UUID(word)) == word
    except ValueError:
        return False
