"""Automatic checkpoints: at the boundaries that the contract names, the record itself is one (R-G2). Nothing is written twice.

Each accepted change is an entry, so that what a checkpoint would have held right after it is told by folding the record up to there
(docs/decisions/the-record-is-the-automatic-checkpoint.md)."""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet

from console.exact import Object
from console.http.refusals import NotFound
from console.ledger.models import Entry
from runs import catalogue
from runs.checkpoints import facts
from runs.checkpoints.authoritative import told
from runs.checkpoints.facts import NotTold
from runs.models import Run

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "transition": (
        "run.accepted", "effect.proposed", "effect.judged", "effect.unblocked", "correction.made", "run.woken", "run.resumed",
        "run.quarantined", "run.exhausted", "run.extended", "run.reopened", "cancellation.requested", "run.closing", "run.completed",
        "run.ended",
    ),
    "before_effect": ("attempt.dispatched",),
    "after_effect": ("attempt.settled", "attempt.lost", "callback.applied", "effect.overdue", "effect.resolved"),
    "wait": ("wait.opened",),
    "approval": ("effect.released", "effect.denied", "effect.lapsed"),
    "hand_over": ("run.acquired", "run.released"),
}  # fmt: skip
OF: Final = {kind: boundary for boundary, kinds in KINDS.items() for kind in kinds}
# Entries are JSON, in which no text inside looks like this. Of looks only what they found out is a boundary.
ACTS: Final = Q(payload__body__regex=r'"kind" ?: ?"(act|resend)"')
IN_VAIN: Final = Q(payload__body__regex=r'"outcome" ?: ?"(pending|absent)"')


def places(run: Run, after: int, limit: int) -> list[Entry]:
    """Give the entries after a number at which the run type's contract has a checkpoint, in order."""
    return list(_found(run).filter(seq__gt=after).order_by("seq")[:limit])


def last_places(run: Run, before: int, limit: int) -> list[Entry]:
    """Give the last of them before a number, the newest first."""
    return list(_found(run).filter(seq__lt=before).order_by("-seq")[:limit])


def place(run: Run, seq: int) -> Entry:
    """Give the entry at which the run type's contract has a checkpoint. Raises NotFound."""
    found = _found(run).filter(seq=seq).first()
    if found is None:
        raise NotFound
    return found


def said(run: Run, entry: Entry) -> Object | None:
    """Tell what a checkpoint would have held right after an entry; None once what was said up to there is erased."""
    try:
        return told(facts.then(run, entry))
    except NotTold:
        return None


def boundaries(run_type_id: UUID) -> Collection[str]:
    """Give the boundaries that the contract names."""
    return catalogue.run_type(run_type_id).document.checkpoint.boundaries


def _found(run: Run) -> "QuerySet[Entry]":
    named = boundaries(run.run_type_id)
    kinds = [kind for boundary in named for kind in KINDS[boundary]]
    found = Entry.objects.filter(stream=run.stream(), kind__in=kinds)
    return found.exclude(Q(kind="attempt.dispatched") & ~ACTS).exclude(Q(kind="attempt.settled") & IN_VAIN)
