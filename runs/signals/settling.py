"""What becomes of signals that are on record: a wait takes the oldest, or they are kept for one, or they came too late.

A step looks without a lock for the run that is meant, locks it, then the subject, and looks again; what changed in between is looked at
anew. What a crash leaves between recording and this is found by the clock."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet, Subquery

from console import clock
from console.clock import DatabaseNow
from console.ledger.actors import Actor
from console.ledger.moves import move
from console.telemetry.counting import count
from runs import record
from runs.models import Run, Signal, Wait
from runs.signals import matching, news
from runs.signals.matching import Entry, Subject
from runs.states import ESCALATE, EXPIRED, KEPT, RUN_OPEN, SIGNAL, SIGNAL_RECORDED, WAIT_OPEN
from runs.waits import waking

MOST_STEPS: Final = 20  # for one message; what is left then is the clock's
LEFT_TO_THE_CLOCK: Final = timedelta(seconds=2)  # by then whoever recorded it has settled it, or is gone
TOO_LATE: Final = "The run had ended, or was ending."
KEPT_IN_VAIN: Final = "Nothing waited for it in its time."


@dataclass(frozen=True, slots=True)
class Place:
    """Where signals of a subject go: to an open wait of a run, to a run that has ended, or (neither) to be kept."""

    run_id: UUID | None = None
    wait_id: UUID | None = None


def settle(by: Actor, subject: Subject) -> None:
    """Settle all signals about a subject that are only recorded, the oldest first, each in a transaction of its own."""
    for _ in range(MOST_STEPS):
        if not _step(by, subject):
            return


@move("settle signal")
def _step(by: Actor, subject: Subject) -> bool:
    """Settle one signal, or all that are to be kept or late; gives whether more is to be done."""
    place = _place(subject)
    run = None
    if place.run_id is not None:
        run = Run.objects.select_for_update(no_key=True).get(pk=place.run_id)
    matching.lock([subject])
    if _place(subject) != place:
        return True
    return _settled(by, subject, place, run)


def settle_due(by: Actor, limit: int) -> int:
    """Settle what a crash left recorded, in the transaction in force; gives how many. What somebody else has in hand is passed over."""
    due = Signal.objects.filter(state=SIGNAL_RECORDED, received_at__lte=clock.now() - LEFT_TO_THE_CLOCK)
    found = list(due.order_by("received_at").values_list("tenant_id", "name", "correlation")[:limit])
    places = {subject: _place(subject) for subject in {Subject(*each) for each in found}}
    wanted = [place.run_id for place in places.values() if place.run_id is not None]
    runs = Run.objects.filter(pk__in=wanted).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    held = {run.pk: run for run in runs}
    settled = 0
    for subject in sorted(places):
        place = places[subject]
        if place.run_id is not None and place.run_id not in held:
            continue
        if matching.try_lock(subject) and _place(subject) == place:
            before = _recorded(subject).count()
            _settled(by, subject, place, held.get(place.run_id) if place.run_id else None)
            settled += before - _recorded(subject).count()
    return settled


def expire_due(by: Actor, limit: int) -> int:
    """Let go of what was kept for a wait that never opened; gives how many."""
    due = Signal.objects.filter(state=KEPT, expires_at__lte=DatabaseNow()).order_by("expires_at")
    found = list(due.select_for_update(skip_locked=True)[:limit])
    if found:
        now = clock.now()
        ids = [signal.pk for signal in found]
        Signal.objects.filter(pk__in=ids).update(state=EXPIRED, settled_at=now, note=KEPT_IN_VAIN)
        count("signals", len(ids), state=EXPIRED)
    return len(found)


def _place(subject: Subject) -> Place:
    """Find where signals about a subject go now; nothing is locked."""
    of = {"tenant_id": subject.tenant_id, "subject_name": subject.name, "correlation": subject.correlation}
    waits = Wait.objects.filter(kind=SIGNAL, **of)
    # What comes after a wait has expired is not what it waited for, also where the clock has not passed since; one that then calls a person
    # waits on.
    came = Subquery(matching.pending(subject, DatabaseNow()).values("received_at")[:1])
    in_time = waits.filter(Q(expires_at=None) | Q(on_expiry=ESCALATE) | Q(expires_at__gt=came), state=WAIT_OPEN)
    opened = in_time.order_by("opened_at", "id").values_list("run_id", "pk").first()
    if opened is not None:
        return Place(*opened)
    last = waits.order_by("-opened_at", "-id").values_list("run_id", "run__state").first() or _named(subject)
    return Place(last[0]) if last is not None and last[1] not in RUN_OPEN else Place()


def _named(subject: Subject) -> tuple[UUID, str] | None:
    """Find the run that a correlation names by its id, as that of a signal to a run does."""
    try:
        run_id = UUID(subject.correlation)
    except ValueError:
        return None
    return Run.objects.filter(pk=run_id, tenant_id=subject.tenant_id).values_list("pk", "state").first()


def _settled(by: Actor, subject: Subject, place: Place, run: Run | None) -> bool:
    """Settle signals about a locked subject whose place is still what it was; gives whether more is to be done."""
    now = clock.now()
    if run is not None and place.wait_id is not None:
        return _take(by, subject, run, place.wait_id, now)
    entries: list[Entry] = []
    for signal in _recorded(subject).select_for_update():
        if run is None:
            signal.state = KEPT
            signal.save(update_fields=["state"])
            count("signals", state=KEPT)
        else:
            matching.come_late(signal, run, TOO_LATE, now)
            entries.append(matching.entry("signal.late", signal))
            news.came_late(run, signal)
    if entries:
        record.write(entries, by, now)
    return False


def _take(by: Actor, subject: Subject, run: Run, wait_id: UUID, now: datetime) -> bool:
    """Have the oldest open wait take the oldest signal, and its run go on."""
    signal = matching.pending(subject, now).select_for_update().first()
    if signal is None:
        return False
    matching.take(signal, run, Wait.objects.get(pk=wait_id), now)
    record.write([matching.entry("signal.taken", signal)], by, now)
    waking.meet(by, wait_id, matching.result_of(signal), now)
    return _recorded(subject).exists()


def _recorded(subject: Subject) -> "QuerySet[Signal]":
    found = Signal.objects.filter(
        tenant_id=subject.tenant_id, name=subject.name, correlation=subject.correlation, state=SIGNAL_RECORDED
    )
    return found.order_by("received_at", "id")
