"""Which effects compensation wants to hear of: the next change of state of each is marked by the database (runs/sql/watch.sql)."""

from collections.abc import Iterable
from uuid import UUID

from runs.models import Effect
from runs.states import UNWATCHED, WATCHED


def watch(effects: Iterable[UUID]) -> None:
    """Let the next change of state of these effects, whose runs are locked, be heard of. News that waits to be heard already stays."""
    Effect.objects.filter(pk__in=list(effects), watch=UNWATCHED).update(watch=WATCHED)
