"""Proposing effects that make good for others, in runs that the caller has locked: whatever their state, and judged by policy as any."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q

from console.database import alias
from console.doorbell import ring_after_commit
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from runs import catalogue, proposals
from runs.drafts import EffectDraft
from runs.models import Effect, Run
from runs.proposals import Made, Plan
from runs.states import OPEN, READY, SUCCEEDED

Wanted = tuple[Run, EffectDraft]


class AlreadyCompensated(Refusal):
    """Another effect makes good for this one already, or did."""

    code = "already_compensated"


def propose_each(by: Actor, wanted: Sequence[Wanted], now: datetime) -> list[Effect | Refusal]:
    """Accept compensating effects in runs of one tenant, each by itself: what is refused of one is given in its place."""
    if not wanted:
        return []
    reader, highest = _reader(wanted[0][0].tenant_id, wanted, now)
    found: dict[int, Effect | Refusal] = dict(_taken(wanted))
    made: dict[int, Made] = {}
    for place, (run, draft) in enumerate(wanted):
        if place in found:
            continue
        try:
            (made[place],) = reader.read([_plan(run, draft)], highest[run.pk])
            highest[run.pk] += 1
        except Refusal as refusal:
            found[place] = refusal
    found |= _written(by, made, now)
    return [found[place] for place in range(len(wanted))]


def _written(by: Actor, made: dict[int, Made], now: datetime) -> dict[int, Effect | Refusal]:
    """Accept them together; where a key of the database refuses one, each by itself."""
    try:
        with transaction.atomic(using=alias()):
            return dict(zip(made, _accept(by, list(made.values()), now), strict=True))
    except Refusal as refusal:
        if len(made) == 1:
            return dict.fromkeys(made, refusal)
    found: dict[int, Effect | Refusal] = {}
    for place, each in made.items():
        found |= _written(by, {place: each}, now)
    return found


def _accept(by: Actor, made: Sequence[Made], now: datetime) -> list[Effect]:
    written = proposals.write(by, made, now)
    if written:
        subjects = {each.run_id for each in written} | {each.pk for each in written}
        ring_after_commit(*subjects, work=any(each.state == READY for each in written))
    return written


def _plan(run: Run, draft: EffectDraft) -> Plan:
    """Put a draft into its run: it finishes although that is closing, and the run needs it for nothing."""
    return Plan(run, catalogue.run_type(run.run_type_id), replace(draft, cleanup=True, required=False))


def _taken(wanted: Sequence[Wanted]) -> dict[int, AlreadyCompensated]:
    """Give a refusal for each draft whose effect is made good for by another that is open or was done, the drafts before it included."""
    originals = [draft.compensates for _, draft in wanted]
    standing = Q(state__in=OPEN) | Q(state=SUCCEEDED)
    found = Effect.objects.filter(standing, compensates__in=originals).values_list("compensates", "pk", "state")
    by: dict[UUID | None, tuple[str, str]] = {original: (str(pk), state) for original, pk, state in found}
    refused = {}
    for place, (run, draft) in enumerate(wanted):
        if draft.compensates in by:
            other, state = by[draft.compensates]
            refused[place] = AlreadyCompensated(
                effect=str(draft.compensates), by_effect=other, state=state, version=run.ledger_seq
            )
        by.setdefault(draft.compensates, ("", READY))
    return refused


def _reader(tenant_id: UUID, wanted: Sequence[Wanted], now: datetime) -> tuple[proposals.Reader, dict[UUID, int]]:
    """Give what reads these drafts, and the highest number of an effect in each run."""
    runs, drafts = {run.pk for run, _ in wanted}, [draft for _, draft in wanted]
    operations = catalogue.operations(tenant_id, {draft.operation for draft in drafts})
    replaced = [draft.supersedes for draft in drafts if draft.supersedes]
    standing = list(Effect.objects.filter(run__in=runs, pk__in=replaced)) if replaced else []
    counted = Effect.objects.filter(run__in=runs).order_by().values_list("run_id").annotate(highest=Max("number"))
    return proposals.Reader(operations, standing, (), now), dict.fromkeys(runs, 0) | dict(counted)
