"""Accepting runs and effects: what is answered with 2xx is committed, under its key, with its first entries (R-A1, R-E1, R-E3).

Moves speak in lists. A key that is found again gives what it stands for, whatever became of it; with another intent it is refused."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Max, Q
from uuid_utils.compat import uuid7

from console import clock
from console.bulk import insert
from console.clock import instant
from console.crashpoint import crashpoint
from console.database import after_commit
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http.refusals import Forbidden, InvalidContent, KeyExpired, KeyReused, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import keep_each, move
from runs import catalogue, driver, parents, proposals, record
from runs.cancelling import cleanup
from runs.catalogue import RunType
from runs.corrections import queries as corrected
from runs.corrections.seen import check_seen
from runs.drafts import Accepted, EffectDraft, Proposed, RunDraft
from runs.limits import budgets, exhausting
from runs.limits.intake import Room, RunExhausted, check_new
from runs.models import Effect, Run
from runs.ownership.acquiring import checked
from runs.proposals import Made, Plan
from runs.states import READY, RUN_ENDED, RUNNING
from runs.waits.queries import named

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
    return [answer for answer in _accept(by, drafts, together=True) if isinstance(answer, Accepted)]


@move("accept_each")
def accept_each(by: Actor, drafts: Sequence[RunDraft]) -> list[Accepted | Refusal]:
    """Accept runs, each with its effects on its own: where one is refused stands its refusal, and it takes no other with it.

    One transaction: after a crash all of them are there, with their refusals kept, or none."""
    answers = _accept(by, drafts, together=False)
    keep_each(by, "accept", [(answer, draft.key) for answer, draft in zip(answers, drafts, strict=True)])
    return answers


def propose(
    by: Actor, run_id: UUID, drafts: Sequence[EffectDraft], *, epoch: int, version: int | None = None
) -> list[Proposed]:
    """Accept effects into a run, all or none. Raises StaleToken, RunEnded, KeyReused, KeyExpired and what a contract refuses.

    A run that has nothing left of a budget is set aside before that is refused (RunExhausted)."""
    try:
        return _proposed(by, run_id, drafts, epoch=epoch, version=version)
    except RunExhausted:
        exhausting.exhaust_now(by, run_id)
        raise


@move("propose")
def _proposed(
    by: Actor, run_id: UUID, drafts: Sequence[EffectDraft], *, epoch: int, version: int | None
) -> list[Proposed]:
    answers = _propose(by, run_id, drafts, epoch, version, together=True)
    return [answer for answer in answers if isinstance(answer, Proposed)]


@move("propose_each")
def propose_each(by: Actor, run_id: UUID, drafts: Sequence[EffectDraft], *, epoch: int) -> list[Proposed | Refusal]:
    """Accept effects into a run, each on its own: where one is refused stands its refusal. Raises what refuses them all (StaleToken)."""
    answers = _propose(by, run_id, drafts, epoch, None, together=False)
    keep_each(by, "propose", [(answer, run_id) for answer in answers])
    return answers


def _accept(by: Actor, drafts: Sequence[RunDraft], *, together: bool) -> list[Accepted | Refusal]:
    if by.kind != "agent":
        raise NotAnAgent
    if sum(len(draft.effects) for draft in drafts) > MOST_AT_ONCE or len(drafts) > MOST_AT_ONCE:
        raise TooMany
    above = parents.locked(drafts)
    now = clock.now()
    types = catalogue.run_types(by.tenant, {draft.run_type for draft in drafts})
    effects = [effect for draft in drafts for effect in draft.effects]
    operations = catalogue.operations(by.tenant, {effect.operation for effect in effects})
    taken = proposals.keys_of_the_tenant(by.tenant, effects, operations)
    standing = _runs_of_keys(by, {draft.key for draft in drafts})  # read once the keys are held
    reader = proposals.Reader(operations, [], taken, now)
    epoch = driver.first_epoch()
    new: dict[str, tuple[Run, list[Made]]] = {}
    refused: dict[int, Refusal] = {}
    below: Counter[UUID | None] = Counter()
    for place, draft in enumerate(drafts):
        if draft.key in standing or draft.key in new:
            continue
        try:
            new[draft.key] = _read(by, draft, types, above, below, epoch, reader, now)
            below[new[draft.key][0].parent_id] += 1
        except Refusal as refusal:
            refused[place] = _kept_back(refusal, together)
    created = insert([new[key][0] for key in sorted(new)])
    if len(created) < len(new):  # somebody else took a key in the meantime
        standing |= _runs_of_keys(by, new.keys())
    fresh = {key: (run, made) for key, (run, made) in new.items() if run.pk in created}
    _write(by, list(fresh.values()), now)
    answers: list[Accepted | Refusal] = []
    for place, draft in enumerate(drafts):
        if place in refused:
            answers.append(refused[place])
        elif draft.key in fresh:
            run, made = fresh.pop(draft.key)
            standing[draft.key] = run  # a later one with the same key is its twin
            answers.append(Accepted(run.pk, True, [each.effect.pk for each in made]))
        else:
            answers.append(_found(standing[draft.key], draft, now, together=together))
    return answers


def _read(
    by: Actor,
    draft: RunDraft,
    types: Mapping[str, RunType],
    above: Mapping[UUID, Run],
    below: Counter[UUID | None],
    epoch: int,
    reader: proposals.Reader,
    now: datetime,
) -> tuple[Run, list[Made]]:
    if draft.completes_itself and not draft.effects:
        raise NothingToComplete(path="/completes_itself")
    run_type = catalogue.run_type_named(types, draft.run_type)
    run = _run(by, draft, run_type, parents.of(by, draft, above, below, now), epoch, now)
    check_new(run, len(draft.effects))
    return run, reader.read([Plan(run, run_type, effect) for effect in draft.effects], 0)


def _found(run: Run, draft: RunDraft, now: datetime, *, together: bool) -> Accepted | Refusal:
    try:
        _check_same(run, draft.digest(), now, ended=run.state in RUN_ENDED)
    except Refusal as refusal:
        return _kept_back(refusal, together)
    return Accepted(run.pk, False)


def _write(by: Actor, fresh: Sequence[tuple[Run, list[Made]]], now: datetime) -> None:
    if not fresh:
        return
    record.write([(run.pk, "run.accepted", _facts(run)) for run, _ in fresh], by, now)
    record.write([told for run, _ in fresh if (told := parents.facts(run))], by, now)
    written = proposals.write(by, [each for _, made in fresh for each in made], now)
    after_commit(lambda: crashpoint("accept.after_commit_before_wake"))
    touched = {run.pk for run, _ in fresh} | {run.parent_id for run, _ in fresh if run.parent_id}
    ring_after_commit(*touched, work=any(effect.state == READY for effect in written))


def _runs_of_keys(by: Actor, keys: Collection[str]) -> dict[str, Run]:
    found = Run.objects.filter(tenant_id=by.tenant, agent_id=by.principal, key__in=keys)
    return {run.key: run for run in found}


def _propose(
    by: Actor, run_id: UUID, drafts: Sequence[EffectDraft], epoch: int, version: int | None, *, together: bool
) -> list[Proposed | Refusal]:
    if len(drafts) > MOST_AT_ONCE:
        raise TooMany
    run = driver.hold(by, run_id, epoch=epoch)
    now = clock.now()
    standing = _named_by(run, drafts)
    operations = catalogue.operations(by.tenant, {draft.operation for draft in drafts})
    taken = proposals.keys_of_the_tenant(by.tenant, drafts, operations)
    known = {effect.key: effect for effect in [*taken, *standing]}
    waits = named(run, {name for draft in drafts for name in draft.after_waits})
    reader = proposals.Reader(operations, standing, taken, now, corrected.standing(run), waits)
    run_type = catalogue.run_type(run.run_type_id)
    highest = Effect.objects.filter(run=run).aggregate(highest=Max("number"))["highest"] or 0
    room = Room(run) if run.limits else None
    made: list[Made] = []
    answers: list[Proposed | Refusal] = []
    for draft in drafts:
        try:
            if draft.key in known:
                found = known[draft.key]
                _check_same(found, draft.digest(), now, ended=found.ended_at is not None)
                answers.append(Proposed(found.pk, False))
                continue
            driver.check_version(run, version)  # what is found again was accepted at a version that has passed since
            cleanup.check_takes(run, run_type, draft, now)
            check_seen(run)
            if room is not None:
                room.check(len(made) + 1)
            made += reader.read([Plan(run, run_type, draft)], highest + len(made))
        except Refusal as refusal:
            answers.append(_kept_back(refusal, together))
        else:
            known[draft.key] = made[-1].effect
            answers.append(Proposed(made[-1].effect.pk, True))
    written = proposals.write(by, made, now)
    if written:
        ring_after_commit(run.pk, work=any(effect.state == READY for effect in written))
    if any(isinstance(answer, RunExhausted) for answer in answers):
        exhausting.exhaust(by, run, now)
    return answers


def _kept_back(refusal: Refusal, together: bool) -> Refusal:
    """Give a refusal as the answer to one draft; where all stand or fall together, raise it."""
    if together:
        raise refusal
    return refusal


def _named_by(run: Run, drafts: Sequence[EffectDraft]) -> list[Effect]:
    """Give those effects of the run that the drafts name, by key or by id; a run may have very many others."""
    names = {draft.key for draft in drafts}.union(*(draft.after for draft in drafts))
    ids = {draft.supersedes for draft in drafts if draft.supersedes} | {
        UUID(name) for name in names if AN_ID.match(name)
    }
    by_key = Q(key_scope="run", key__in=names) | Q(key_scope="tenant", key__in=names)
    return list(Effect.objects.filter(by_key | Q(pk__in=ids), run=run).order_by("number"))


def _check_same(standing: Run | Effect, intent_digest: bytes, now: datetime, *, ended: bool) -> None:
    if ended and standing.key_expires_at <= now:
        raise KeyExpired(key=standing.key)
    if standing.intent_digest != intent_digest:
        raise KeyReused(key=standing.key, existing=str(standing.pk), state=standing.state)


def _run(by: Actor, draft: RunDraft, run_type: RunType, parent: Run | None, epoch: int, now: datetime) -> Run:
    seconds = draft.deadline_seconds or run_type.document.deadline_seconds
    own = now + timedelta(seconds=seconds) if seconds else None
    of_parent = parent.deadline_at if parent else None
    held_until = now + timedelta(seconds=run_type.document.lease_seconds)
    return Run(
        id=uuid7(), tenant_id=by.tenant, agent_id=by.principal, key=draft.key, intent_digest=draft.digest(),
        run_type_id=run_type.id, goal=draft.goal, completes_itself=draft.completes_itself, state=RUNNING,
        closing_toward="", closing_reason="", epoch=epoch, driver_id=by.principal,
        deadline_at=min((at for at in (own, of_parent) if at), default=None), parent=parent, key_expires_at=now + KEY_KEPT,
        result=None, unresolved=[], created_at=now, ledger_seq=0, ledger_hash=b"",
        lease_holder=checked(draft.holder) if draft.holder else "", lease_expires_at=held_until,
        watch_at=None if draft.completes_itself else held_until, limits=budgets.agreed(draft.limits, run_type.document.limits),
    )  # fmt: skip


def _facts(run: Run) -> Object:
    said: Object = {name: getattr(run, name) for name in ("lease_holder", "limits") if getattr(run, name)}
    if run.parent_id is not None:
        said["parent"] = str(run.parent_id)
    return said | {
        "key": run.key, "intent_digest": run.intent_digest.hex(), "agent": str(run.agent_id), "run_type": str(run.run_type_id),
        "goal": run.goal, "completes_itself": run.completes_itself, "epoch": run.epoch, "driver": str(run.driver_id),
        "deadline_at": instant(run.deadline_at), "key_expires_at": instant(run.key_expires_at),
    }  # fmt: skip
