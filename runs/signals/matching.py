"""Which signal meets which wait: of one name and correlation the oldest takes the oldest, under one lock for both sides.

Whoever also locks a run does that first. Several subjects are locked in their order, so that no two wait for each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from console.clock import DatabaseNow, instant
from console.database import rows
from console.exact import Object, canonical, decode
from console.ledger.actors import Actor
from console.ledger.erasing import ERASED
from console.telemetry.counting import count
from runs import record
from runs.models import Run, Signal, Wait
from runs.states import KEPT, LATE, SIGNAL_RECORDED, TAKEN

LOCK = "select pg_advisory_xact_lock(hashtextextended(%s, 0))"
TRY = "select pg_try_advisory_xact_lock(hashtextextended(%s, 0)) as mine"
TAKES = ("state", "run", "wait", "settled_at")
Entry = tuple[UUID, str, Object]


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """What a signal is about and a wait is for: a name and a correlation, in a tenant."""

    tenant_id: UUID
    name: str
    correlation: str

    def __str__(self) -> str:
        return f"signal {self.tenant_id} {self.name} {self.correlation}"


def subject_of(signal: Signal) -> Subject:
    """Give what a signal is about."""
    return Subject(signal.tenant_id, signal.name, signal.correlation)


def lock(subjects: Iterable[Subject]) -> None:
    """Hold these subjects until the transaction ends; signals about them, and waits for them, are matched by nobody else meanwhile."""
    for subject in sorted(set(subjects)):
        rows(LOCK, [str(subject)])


def try_lock(subject: Subject) -> bool:
    """Hold a subject if nobody else does."""
    return bool(rows(TRY, [str(subject)])[0]["mine"])


def pending(subject: Subject, now: datetime | DatabaseNow) -> "QuerySet[Signal]":
    """Give the signals that nothing has taken, the oldest first; what is kept no longer is left out, and what nobody has seen to is not."""
    found = Signal.objects.filter(
        tenant_id=subject.tenant_id,
        name=subject.name,
        correlation=subject.correlation,
        state__in=[SIGNAL_RECORDED, KEPT],
    )
    return found.filter(Q(state=SIGNAL_RECORDED) | Q(expires_at=None) | Q(expires_at__gt=now)).order_by(
        "received_at", "id"
    )


def take_kept(run: Run, wait: Wait, now: datetime, by: Actor | None = None) -> Signal | None:
    """Give a wait that opens the oldest signal that came before it, if one did; its run is locked. The caller ends the wait."""
    return take_kept_each(run, [wait], now, by).get(wait.pk)


def take_kept_each(run: Run, waits: Sequence[Wait], now: datetime, by: Actor | None = None) -> dict[UUID, Signal]:
    """Give waits of one locked run that open together the signals that came before them, and record it. The caller ends the waits."""
    wanted = {wait.pk: Subject(wait.tenant_id, wait.subject_name, wait.correlation) for wait in waits}
    lock(wanted.values())
    taken: dict[UUID, Signal] = {}
    for wait in waits:
        signal = pending(wanted[wait.pk], now).select_for_update().first()
        if signal is not None:
            take(signal, run, wait, now)
            taken[wait.pk] = signal
    if taken:
        actor = by or Actor("system", None, "signals", run.tenant_id, "signals")
        record.write([entry("signal.taken", signal) for signal in taken.values()], actor, now)
    return taken


def take(signal: Signal, run: Run, wait: Wait, now: datetime) -> None:
    """Write down that a wait took a signal, which both are locked. The caller records it and ends the wait."""
    signal.run, signal.wait, signal.state, signal.settled_at = run, wait, TAKEN, now
    signal.save(update_fields=list(TAKES))
    count("signals", state=TAKEN)


def come_late(signal: Signal, run: Run, note: str, now: datetime) -> None:
    """Write down that a signal came when its run had ended; of a run whose contents were erased nothing is kept. The caller records it."""
    signal.run, signal.state, signal.settled_at, signal.note = run, LATE, now, note
    if run.erased_at is not None:
        signal.body, signal.correlation, signal.note = None, ERASED, ""
    signal.save(update_fields=["state", "run", "settled_at", "note", "body", "correlation"])
    count("signals", state=LATE)


def entry(kind: str, signal: Signal) -> Entry:
    """Tell of a signal that has a run: all of its row, so that the record accounts for it."""
    if signal.run_id is None:
        raise TypeError("a signal without a run is in no run's record")
    said: Object = {
        "signal": str(signal.pk), "wait": None if signal.wait_id is None else str(signal.wait_id), "name": signal.name,
        "correlation": signal.correlation, "source": signal.source, "sender": signal.sender, "message_id": signal.message_id,
        "received_at": instant(signal.received_at), "body_digest": bytes(signal.body_digest).hex(), "note": signal.note,
    }  # fmt: skip
    return signal.run_id, kind, said


def result_of(signal: Signal) -> str:
    """Give what a wait was met with, as canonical JSON."""
    return canonical(
        {
            "signal": str(signal.pk), "name": signal.name, "correlation": signal.correlation, "source": signal.source,
            "sender": signal.sender, "received_at": instant(signal.received_at),
            "body": None if signal.body is None else decode(signal.body.encode()),
        }
    )  # fmt: skip
