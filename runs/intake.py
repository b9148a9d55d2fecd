"""Accepting runs and effects: what is answered with 2xx is committed, under its key, with its first entries (R-A1, R-E1, R-E3).

Moves speak in lists. A key that is found again gives what it stands for, whatever became of it; with another intent it is refused."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Max, Q
from uuid_utils.compat import uuid7

from console import clock
from console.bulk import insert
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http.refusals import Forbidden, InvalidContent, KeyExpired, KeyReused
from console.ledger.actors import Actor
from console.ledger.moves import move
from runs import catalogue, driver, proposals, record
from runs.catalogue import Operation, RunType
from runs.drafts import Accepted, EffectDraft, Proposed, RunDraft
from runs.models import Effect, Run
from runs.proposals import Plan
from runs.states import READY, RUN_ENDED, RUNNING

MOST_AT_ONCE = 500
KEY_KEPT = timedelta(days=30)
AN_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")


class TooMany(InvalidContent):
    """At most 500 effects can be accepted at once."""

    code = "too_many"


class NothingToComplete(InvalidContent):
    """A run that completes by itself says with its acceptance which effects it consists of."""

    code = "nothing_to_complete"


class NotAnAgent(Forbidden):
    """Runs belong to agents; use an agent's key."""

    code = "not_an_agent"


@move("accept")
def accept(by: Actor, drafts: Sequence[RunDraft]) -> list[Accepted]:
    """Accept runs with the effects that come with them, all or none; the agent drives each from epoch 1 (or the incarnation's first)."""
    if by.kind != "agent":
        raise NotAnAgent
    if sum(len(draft.effects) for draft in drafts) > MOST_AT_ONCE or len(drafts) > MOST_AT_ONCE:
        raise TooMany
    for place, draft in enumerate(drafts):
        if draft.completes_itself and not draft.effects:
            raise NothingToComplete(path="/completes_itself", run=place)
    now = clock.now()
    types = catalogue.run_types(by.tenant, {draft.run_type for draft in drafts})
    epoch = driver.first_epoch()
    new = [_run(by, draft, types[draft.run_type], epoch, now) for draft in drafts]
    in_order = sorted(new, key=lambda run: run.key)
    insert(in_order)
    kept = {
        run.key: run
        for run in Run.objects.filter(
            tenant_id=by.tenant, agent_id=by.principal, key__in=[draft.key for draft in drafts]
        )
    }
    fresh: list[tuple[Run, RunDraft]] = []
    for row, draft in zip(new, drafts, strict=True):
        run = kept[draft.key]
        if run.pk == row.pk:
            fresh.append((row, draft))
        else:
            _check_same(run, draft.digest(), now, ended=run.state in RUN_ENDED)
    entries = [(run.pk, "run.accepted", _facts(run)) for run, _ in fresh]
    record.write(entries, by, now)
    plans = [Plan(run, types[draft.run_type], effect) for run, draft in fresh for effect in draft.effects]
    operations = catalogue.operations(by.tenant, {plan.draft.operation for plan in plans})
    made = proposals.write(by, plans, operations, {run.pk: 0 for run, _ in fresh}, [], now)
    ring_after_commit(*[run.pk for run, _ in fresh], work=any(effect.state == READY for effect in made))
    by_run: dict[UUID, list[UUID]] = {}
    for effect in made:
        by_run.setdefault(effect.run_id, []).append(effect.pk)
    created = {run.pk for run, _ in fresh}
    return [
        Accepted(kept[draft.key].pk, kept[draft.key].pk in created, by_run.get(kept[draft.key].pk, []))
        for draft in drafts
    ]


@move("propose")
def propose(
    by: Actor, run_id: UUID, drafts: Sequence[EffectDraft], *, epoch: int, version: int | None = None
) -> list[Proposed]:
    """Accept effects into a run, all or none. Raises StaleToken, RunEnded, KeyReused, KeyExpired and what a contract refuses."""
    if len(drafts) > MOST_AT_ONCE:
        raise TooMany
    run = driver.hold(by, run_id, epoch=epoch)
    now = clock.now()
    run_type = catalogue.run_type(run.run_type_id)
    standing = _named_by(run, drafts)
    operations = catalogue.operations(by.tenant, {draft.operation for draft in drafts})
    known = _found_again(by, drafts, operations, standing, now)
    fresh = [draft for draft in drafts if draft.key not in known]
    made: list[Effect] = []
    if fresh:  # what is found again was accepted at a version that has passed since
        driver.check_version(run, version)
        driver.check_going_on(run, now)
        highest = Effect.objects.filter(run=run).aggregate(highest=Max("number"))["highest"] or 0
        plans = [Plan(run, run_type, draft) for draft in fresh]
        made = proposals.write(by, plans, operations, {run.pk: highest}, standing, now)
        ring_after_commit(run.pk, work=any(effect.state == READY for effect in made))
    ids = {**known, **{effect.key: effect.pk for effect in made}}
    return [Proposed(ids[draft.key], draft.key not in known) for draft in drafts]


def _named_by(run: Run, drafts: Sequence[EffectDraft]) -> list[Effect]:
    """Give those effects of the run that the drafts name, by key or by id; a run may have very many others."""
    names = {draft.key for draft in drafts}.union(*(draft.after for draft in drafts))
    ids = {draft.supersedes for draft in drafts if draft.supersedes} | {
        UUID(name) for name in names if AN_ID.match(name)
    }
    by_key = Q(key_scope="run", key__in=names) | Q(key_scope="tenant", key__in=names)
    return list(Effect.objects.filter(by_key | Q(pk__in=ids), run=run).order_by("number"))


def _found_again(
    by: Actor, drafts: Sequence[EffectDraft], operations: Mapping[str, Operation], standing: list[Effect], now: datetime
) -> dict[str, UUID]:
    keys = {draft.key for draft in drafts}
    found = {effect.key: effect for effect in standing if effect.key in keys}
    wide = {draft.key for draft in drafts if operations[draft.operation].document.key.scope == "tenant"} - found.keys()
    if wide:
        proposals.hold_keys(by.tenant, wide)
        for effect in Effect.objects.filter(tenant_id=by.tenant, key_scope="tenant", key__in=wide):
            found[effect.key] = effect
    for draft in drafts:
        if draft.key in found:
            _check_same(found[draft.key], draft.digest(), now, ended=found[draft.key].ended_at is not None)
    return {key: effect.pk for key, effect in found.items()}


def _check_same(standing: Run | Effect, intent_digest: bytes, now: datetime, *, ended: bool) -> None:
    if ended and standing.key_expires_at <= now:
        raise KeyExpired(key=standing.key)
    if standing.intent_digest != intent_digest:
        raise KeyReused(key=standing.key, existing=str(standing.pk), state=standing.state)


def _run(by: Actor, draft: RunDraft, run_type: RunType, epoch: int, now: datetime) -> Run:
    seconds = draft.deadline_seconds or run_type.document.deadline_seconds
    return Run(
        id=uuid7(), tenant_id=by.tenant, agent_id=by.principal, key=draft.key, intent_digest=draft.digest(),
        run_type_id=run_type.id, goal=draft.goal, completes_itself=draft.completes_itself, state=RUNNING,
        closing_toward="", closing_reason="", epoch=epoch, driver_id=by.principal,
        deadline_at=now + timedelta(seconds=seconds) if seconds else None, key_expires_at=now + KEY_KEPT,
        result=None, unresolved=[], created_at=now, ledger_seq=0, ledger_hash=b"",
    )  # fmt: skip


def _facts(run: Run) -> Object:
    return {
        "key": run.key, "intent_digest": run.intent_digest.hex(), "agent": str(run.agent_id), "run_type": str(run.run_type_id),
        "goal": run.goal, "completes_itself": run.completes_itself, "epoch": run.epoch, "driver": str(run.driver_id),
        "deadline_at": instant(run.deadline_at), "key_expires_at": instant(run.key_expires_at),
    }  # fmt: skip
