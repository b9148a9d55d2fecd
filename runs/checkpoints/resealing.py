"""Sealing states anew with the first key, a batch at a time. What is said in the record does not change: digests are of what was sealed."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Count

from console.database import transaction
from runs.checkpoints import reading, sealing
from runs.checkpoints.reading import Corrupted
from runs.models import Checkpoint

AT_ONCE: Final = 20  # up to 8 MiB each


@dataclass(frozen=True, slots=True)
class Batch:
    """How many were sealed anew, how many could not be opened, and the last that was looked at."""

    done: int
    unreadable: int
    last: tuple[str, UUID]


def reseal_some(after: tuple[str, UUID] | None, limit: int = AT_ONCE) -> Batch | None:
    """Seal the next states anew that an older key of ours sealed, in one transaction; None when there are no more. Crosses tenants."""
    _, *older = sealing.names()
    with transaction(None):
        held = _of(older, after, limit)
        done = 0
        for each in held:
            try:
                sealed, name = sealing.seal(reading.opened(each))
            except Corrupted:
                continue
            done += Checkpoint.objects.filter(pk=each.pk, state__isnull=False).update(state=sealed, sealed_with=name)
    return Batch(done, len(held) - done, (held[-1].sealed_with, held[-1].pk)) if held else None


def _of(names: list[str], after: tuple[str, UUID] | None, limit: int) -> list[Checkpoint]:
    """Lock states that these keys sealed, one key after the other, from a place on."""
    for name in sorted(names):
        if after is not None and name < after[0]:
            continue
        found = Checkpoint.objects.filter(state__isnull=False, sealed_with=name).defer("authoritative")
        if after is not None and name == after[0]:
            found = found.filter(pk__gt=after[1])
        held = list(found.order_by("pk").select_for_update()[:limit])
        if held:
            return held
    return []


def sealed_with() -> list[tuple[str, int]]:
    """Give the names of the keys that seal states, each with how many. Crosses tenants."""
    with transaction(None):
        found = Checkpoint.objects.filter(state__isnull=False).values("sealed_with").annotate(count=Count("pk"))
        return [(row["sealed_with"], row["count"]) for row in found.order_by("sealed_with")]
