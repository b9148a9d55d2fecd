"""Opening waits: a driver says what its run waits for, and need not be there when it comes.

Several that are opened together belong together: the first that comes wakes the run, and the others are over with it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max
from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, Value, canonical
from console.http.refusals import InvalidContent, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import catalogue, driver, record
from runs.models import Run, Wait
from runs.signals import matching
from runs.states import (
    CHILDREN,
    CLOCK_TIME,
    EFFECTS,
    MET,
    ON_EXPIRY,
    SIGNAL,
    TIMER,
    WAIT_OPEN,
    WAITING,
)
from runs.waits import children, conditions, waking
from runs.waits.conditions import NAME, BadWait
from runs.waits.drafts import WaitDraft

MOST_TOGETHER = 20
MOST_OPEN = 100
FOR_CHILDREN = "select wait_id, fails, result from runs_waits_for_children(%s::uuid[])"
FOR_EFFECTS = "select wait_id, result from runs_waits_for_effects(%s::uuid[])"


class WaitNameTaken(Refusal):
    """The run waits for something of this name already."""

    code = "wait_name_taken"


class TooManyWaits(Refusal):
    """A run has at most 100 open waits, and opens at most 20 together."""

    code = "too_many_waits"


@move("wait")
def open(  # noqa: A001 - as the brief of a wait calls it
    by: Actor, run_id: UUID, *, epoch: int, draft: WaitDraft, key: str, version: int | None = None
) -> dict[str, Any]:
    """Open one wait. Raises StaleToken, StaleVersion, RunEnded and the like, BadWait, WaitNameTaken."""
    return _once(by, run_id, epoch, [draft], key, version)


@move("wait")
def open_together(
    by: Actor, run_id: UUID, *, epoch: int, drafts: Sequence[WaitDraft], key: str, version: int | None = None
) -> dict[str, Any]:
    """Open several waits at once: the first parked one that comes wakes the run. Raises as `open` does, and TooManyWaits."""
    return _once(by, run_id, epoch, drafts, key, version)


def _once(
    by: Actor, run_id: UUID, epoch: int, drafts: Sequence[WaitDraft], key: str, version: int | None
) -> dict[str, Any]:
    asked: Object = {"run": str(run_id), "waits": [draft.intent() for draft in drafts]}
    return once(by, key, "wait", asked, lambda: _open(by, run_id, epoch, drafts, version), about=run_id)


def _open(by: Actor, run_id: UUID, epoch: int, drafts: Sequence[WaitDraft], version: int | None) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    if run.state != WAITING:  # one that waits may wait for more
        driver.check_going_on(run, now)
    opened = _made(run, drafts, now)
    Wait.objects.bulk_create(opened)
    changes: dict[str, Any] = {"open_waits": run.open_waits + len(opened)}
    if parks := any(wait.parks for wait in opened):
        changes |= {"state": WAITING, "lease_holder": "", "lease_expires_at": None, "watch_at": None}
    Run.objects.filter(pk=run.pk).update(**changes)
    record.write([(run.pk, "wait.opened", _facts(wait)) for wait in opened], by, now)
    state = _meet_what_came(by, run, opened, now) or (WAITING if parks else run.state)
    ring_after_commit(run.pk, work=False)
    return _receipt(run, state, opened, now)


def _made(run: Run, drafts: Sequence[WaitDraft], now: datetime) -> list[Wait]:
    standing = set(Wait.objects.filter(run=run, state=WAIT_OPEN).values_list("name", flat=True))
    if not 0 < len(drafts) <= MOST_TOGETHER or len(standing) + len(drafts) > MOST_OPEN:
        raise TooManyWaits(open=len(standing), version=run.ledger_seq)
    highest = Wait.objects.filter(run=run).aggregate(highest=Max("number"))["highest"] or 0
    made = []
    for place, draft in enumerate(drafts):
        try:
            wait = _wait(run, draft, highest + place + 1, now)
        except InvalidContent as refusal:
            if place:
                refusal.facts["path"] = f"/together_with/{place - 1}{refusal.facts.get('path', '')}"
            raise
        if wait.name in standing:
            raise WaitNameTaken(name=wait.name, version=run.ledger_seq)
        standing.add(wait.name)
        made.append(wait)
    return made


def _wait(run: Run, draft: WaitDraft, number: int, now: datetime) -> Wait:
    found = conditions.read(draft.kind, draft.condition, run, now)
    name = draft.name or f"{draft.kind}-{number}"
    if not NAME.match(name):
        raise BadWait("A name has letters, digits, dots, - and _, and begins with a letter or a digit.", path="/name")
    expires_at, on_expiry = _expiry(run, draft, name, now)
    return Wait(
        id=uuid7(), tenant_id=run.tenant_id, run_id=run.pk, number=number, name=name, kind=draft.kind,
        condition=canonical(found.value), subject_name=found.subject_name, correlation=found.correlation,
        subjects=list(found.subjects), due_at=found.due_at, expires_at=expires_at, on_expiry=on_expiry, parks=draft.parks,
        state=WAIT_OPEN, opened_at=now, ended_at=None, reason="", result=None,
    )  # fmt: skip


def _expiry(run: Run, draft: WaitDraft, name: str, now: datetime) -> tuple[datetime | None, str]:
    """Give when it expires and what follows: as the draft says, else as the contract does. A time comes by itself, and needs no expiry."""
    rule = catalogue.run_type(run.run_type_id).document.waiting.expiry(name)
    follows = draft.on_expiry or rule.follows
    if follows not in ON_EXPIRY:
        raise BadWait(f"What follows is one of {', '.join(ON_EXPIRY)}.", path="/on_expiry")
    seconds = draft.expires_seconds
    if seconds is None and draft.kind not in {TIMER, CLOCK_TIME}:
        seconds = rule.seconds
    return None if seconds is None else now + timedelta(seconds=seconds), follows


def _meet_what_came(by: Actor, run: Run, opened: Sequence[Wait], now: datetime) -> str | None:
    """Meet what has come before its wait, in this transaction. Gives the run's state, if anything had."""
    came: dict[UUID, str | None] = {
        wait.pk: None for wait in opened if wait.kind in {TIMER, CLOCK_TIME} and wait.due_at and wait.due_at <= now
    }
    failing = []
    kinds = {wait.kind for wait in opened}
    if CHILDREN in kinds:
        for row in rows(FOR_CHILDREN, [[run.pk]]):
            came[row["wait_id"]] = row["result"]
            failing += [run.pk] if row["fails"] else []
    if SIGNAL in kinds:
        heard = matching.take_kept_each(run, [wait for wait in opened if wait.kind == SIGNAL], now, by)
        came |= {wait: matching.result_of(signal) for wait, signal in heard.items()}
    if EFFECTS in kinds:
        came |= {row["wait_id"]: row["result"] for row in rows(FOR_EFFECTS, [[run.pk]])}
    states = waking.end(by, [(wait, MET, "", result) for wait, result in came.items()], now)
    states |= children.fail_by_child(by, failing, now)
    return states.get(run.pk)


def _facts(wait: Wait) -> Object:
    subjects: list[Value] = [str(one) for one in wait.subjects]
    return {
        "wait": str(wait.pk), "number": wait.number, "name": wait.name, "kind": wait.kind, "condition": wait.condition,
        "subject_name": wait.subject_name, "correlation": wait.correlation, "subjects": subjects, "due_at": instant(wait.due_at),
        "expires_at": instant(wait.expires_at), "on_expiry": wait.on_expiry, "parks": wait.parks,
    }  # fmt: skip


def _receipt(run: Run, state: str, opened: Sequence[Wait], now: datetime) -> dict[str, Any]:
    stored = {wait.pk: wait for wait in Wait.objects.filter(pk__in=[wait.pk for wait in opened])}
    waits = [
        {
            "wait": str(wait.pk), "name": wait.name, "state": stored[wait.pk].state, "due_at": instant(wait.due_at),
            "expires_at": instant(wait.expires_at),
        }
        for wait in opened
    ]  # fmt: skip
    return {"run": str(run.pk), "run_state": state, "at": instant(now), **waits[0], "waits": waits}
