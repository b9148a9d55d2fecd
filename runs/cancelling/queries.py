"""What a cancellation waits for, and what came after it was asked for: told from the rows, in a few queries."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from runs.cancelling.rule import TREE
from runs.cancelling.stopping import OPEN
from runs.models import Attempt, Callback, Cancellation, Effect, Resumption, Run, Signal
from runs.states import CANCEL, IN_FLIGHT, PARTIAL, RUN_ENDED, SUCCEEDED, UNKNOWN, UNSTARTED
from runs.states import LATE as CAME_LATE

MOST = 200


@dataclass(frozen=True, slots=True)
class Awaited:
    """One thing that a cancellation waits for: `kind` is effect, cleanup, compensation, child or grace; its state says how it stands."""

    kind: str
    id: UUID | None
    number: int | None
    name: str
    state: str
    until: datetime | None = None
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """Something that came after the wish: `kind` is answer, late, message, signal or resume."""

    kind: str
    at: datetime
    about: str
    says: str
    effect: int | None = None


def of_run(run_id: UUID, after: int = 0, most: int = MOST) -> list[Cancellation]:
    """Read the cancellations of a run and its effects, in order."""
    found = Cancellation.objects.filter(run_id=run_id, number__gt=after).select_related("effect", "of")
    return list(found.order_by("number")[:most])


def awaited(cancellation: Cancellation, now: datetime) -> list[Awaited]:
    """Give what a cancellation waits for; nothing where it is over."""
    if cancellation.state not in OPEN:
        return []
    if cancellation.effect_id is not None:
        return _effects(Effect.objects.filter(pk=cancellation.effect_id))
    found: list[Awaited] = []
    grace = cancellation.grace_until
    if grace is not None and grace > now:
        found.append(Awaited("grace", None, None, "its driver may still clean up", "waiting", until=grace))
    found += _effects(Effect.objects.filter(run_id=cancellation.run_id))
    if cancellation.scope == TREE:
        children = (
            Run.objects.filter(parent_id=cancellation.run_id).exclude(state__in=RUN_ENDED).order_by("created_at", "pk")
        )
        found += [Awaited("child", child.pk, None, child.goal, child.state) for child in children[:MOST]]
    return found


def arrivals(run: Run, since: datetime) -> list[Arrival]:
    """Give what came for a run after its cancellation was asked for, in the order in which it came: it is recorded, and revives nothing."""
    return sorted([*_answers(run, since), *_messages(run, since), *_others(run, since)], key=lambda each: each.at)


def _effects(found: QuerySet[Effect]) -> list[Awaited]:
    waits = Q(state__in=[*IN_FLIGHT, UNKNOWN]) | Q(cleanup=True, state__in=UNSTARTED)
    open_ones = found.filter(waits).order_by("number")
    return [
        Awaited(
            "compensation" if each.compensates_id else "cleanup" if each.cleanup else "effect",
            each.pk,
            each.number,
            each.summary,
            each.state,
            asked_at=each.cancel_asked_at,
        )
        for each in open_ones[:MOST]
    ]


def _answers(run: Run, since: datetime) -> list[Arrival]:
    told = Attempt.objects.filter(run=run).exclude(kind=CANCEL).select_related("effect")
    done = told.filter(outcome__in=[SUCCEEDED, PARTIAL], ended_at__gt=since, effect__cleanup=False).order_by("ended_at")
    late = told.filter(late_at__gt=since).order_by("late_at")
    answers = [
        Arrival("answer", each.ended_at, each.effect.summary, each.outcome, each.effect.number)
        for each in done[:MOST]
        if each.ended_at is not None
    ]
    return answers + [
        Arrival("late", each.late_at, each.effect.summary, each.late_outcome, each.effect.number)
        for each in late[:MOST]
        if each.late_at is not None
    ]


def _messages(run: Run, since: datetime) -> list[Arrival]:
    heard = Callback.objects.filter(run=run, received_at__gt=since).select_related("effect").order_by("received_at")
    return [
        Arrival("message", each.received_at, each.effect.summary, each.outcome or each.state, each.effect.number)
        for each in heard[:MOST]
        if each.effect is not None
    ]


def _others(run: Run, since: datetime) -> list[Arrival]:
    signals = Signal.objects.filter(run=run, state=CAME_LATE, received_at__gt=since).order_by("received_at")
    resumes = Resumption.objects.filter(run=run, resumed_at__gt=since).order_by("resumed_at")
    return [
        *[Arrival("signal", each.received_at, each.name, each.state) for each in signals[:MOST]],
        *[Arrival("resume", each.resumed_at, each.resumed_by, each.decision) for each in resumes[:MOST]],
    ]
