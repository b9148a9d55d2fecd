"""What pages and the API read of waits: one bounded query each."""

from collections.abc import Iterable, Sequence
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
