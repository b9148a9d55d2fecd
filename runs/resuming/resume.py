"""Resuming: the run is locked and taken, the nine steps look at the present, and what they decide is done in the same transaction (R-H).

A resume of a run that has ended or is closing is recorded and changes nothing. Whatever is decided, what was in flight goes on and what
is unknown stays unknown until it is reconciled."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Max
from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.crashpoint import crashpoint
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, canonical, digest
from console.exact.pointer import pointer
from console.http.refusals import InvalidContent, NotFound
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver, record
from runs.contracts.run_type import PINNED
from runs.models import Checkpoint, Resumption, Run
from runs.ownership import acquiring
from runs.resuming import loading, notices, pins, quarantine
from runs.resuming.facts import Asked, Facts, Taken
from runs.resuming.judging import Judged, judge
from runs.resuming.steps import COMPENSATE, CONTINUE, ESCALATE, QUARANTINE, REPLAN, TERMINATE, WAIT
from runs.states import CLOSING, RUN_ENDED, RUN_GOING, RUNNING, STALLED

GOES_ON: Final = (CONTINUE, REPLAN, COMPENSATE)
OVER: Final = RUN_ENDED | {CLOSING}
LONGEST_VERSION: Final = 255
LONGEST_REASON: Final = 2000


class UnknownCheckpoint(InvalidContent):
    """This run has no checkpoint of this number."""

    code = "unknown_checkpoint"


class BadVersions(InvalidContent):
    """Versions are model, prompt, policy, context, interface, workflow and code, each in 1 to 255 printable characters."""

    code = "bad_versions"


class SchemaMissing(InvalidContent):
    """The run has a checkpoint with a state, and neither the request nor the contract says which schema can be read."""

    code = "schema_missing"


@move("resume")
def resume(by: Actor, run_id: UUID, asked: Asked, *, key: str, epoch: int | None = None) -> dict[str, Any]:
    """Resume a run: with its token as its driver, without one by taking it over.

    Raises NotFound, StaleToken, RunHeld, BadHolder, BadVersions, UnknownCheckpoint, SchemaMissing."""
    said: Object = {
        "run": str(run_id), "holder": asked.holder, "versions": {**asked.versions}, "schema_version": asked.schema_version,
        "checkpoint": asked.checkpoint,
    }  # fmt: skip
    versions(asked.versions)
    return once(by, key, "resume", said, lambda: _resume(by, run_id, asked, epoch), about=run_id)


def _resume(by: Actor, run_id: UUID, asked: Asked, epoch: int | None) -> dict[str, Any]:
    run = driver.locked(by, run_id)
    now = clock.now()
    taken = _taken(by, run, asked.holder, epoch, now)
    whole = loading.whole(run.pk, run.tenant_id)
    if whole is None:
        raise NotFound
    if asked.checkpoint is not None and not Checkpoint.objects.filter(run=run, number=asked.checkpoint).exists():
        raise UnknownCheckpoint(path="/checkpoint")
    facts = loading.load(whole, now, asked)
    if (
        facts.kept is not None
        and facts.kept.has_state
        and asked.schema_version is None
        and facts.contract.schema_version is None
    ):
        raise SchemaMissing(path="/schema_version")
    judged = judge(facts, taken)
    crashpoint("resume.after_checks")
    row = _written(by, facts, taken, judged, asked)
    changes = _changes(facts, judged)
    _write(by, facts, row, changes)
    if judged.decision in GOES_ON:
        rows("select runs_unpark(%s::uuid[], %s)", [[whole.pk], now])
    elif judged.decision == QUARANTINE and whole.state in RUN_GOING:
        notices.quarantined(facts.run, facts.contract, judged.reason, f"resumption:{row.pk}")
    elif judged.decision == ESCALATE and changes.get("attention") == quarantine.DECISION:
        notices.decision_needed(facts.run, judged.reason, row)
    ring_after_commit(whole.pk, work=judged.decision in GOES_ON)
    return {
        "resumption": str(row.pk), "run": str(whole.pk), "decision": judged.decision, "reason": row.reason, "epoch": row.epoch,
        "at": instant(now),
    }  # fmt: skip


def _taken(by: Actor, run: Run, holder: str, epoch: int | None, now: datetime) -> Taken:
    """Take the run, or make sure that it is this driver's. What nobody may drive now is taken by nobody."""
    named = acquiring.checked(holder)
    if run.state in OVER:
        return Taken("not", run.epoch)
    if epoch is not None:
        if run.epoch != epoch or run.driver_id != by.id:
            raise driver.stale(run, epoch)
        driver.keep(run, now)
        return Taken("held", run.epoch, run.lease_holder or named, run.lease_expires_at)
    if run.state != RUNNING:
        return Taken("not", run.epoch)
    acquiring.take(by, run, holder=named, now=now)
    return Taken("acquired", run.epoch, named, run.lease_expires_at)


def _written(by: Actor, facts: Facts, taken: Taken, judged: Judged, asked: Asked) -> Resumption:
    last = Resumption.objects.filter(run=facts.run).aggregate(last=Max("number"))["last"] or 0
    return Resumption.objects.create(
        id=uuid7(), tenant_id=facts.run.tenant_id, run=facts.run, number=last + 1,
        checkpoint=facts.kept.checkpoint if facts.kept else None, epoch=taken.epoch, resumed_at=facts.now, resumed_by=str(by),
        versions=canonical(pins.kept(facts.before, asked.versions, facts.ours)),
        steps=canonical([step.told() for step in judged.steps]), decision=judged.decision, reason=judged.reason[:LONGEST_REASON],
        brief=judged.brief.text, brief_digest=digest(judged.brief.value),
    )  # fmt: skip


def _changes(facts: Facts, judged: Judged) -> dict[str, Any]:
    """Give what the decision makes of the run. One that was told to end, or that is over, is left as it is."""
    run, decision = facts.run, judged.decision
    if decision == TERMINATE:
        return {}
    if decision in GOES_ON:
        return {
            "resume_due": False, "corrections_seen": run.corrections_count,
            "versions": canonical(pins.kept(facts.before, facts.asked.versions if facts.asked else {}, facts.ours)),
            **(acquiring.CALM if run.attention in (quarantine.DECISION, STALLED) else {}),
        }  # fmt: skip
    if decision == QUARANTINE:
        return quarantine.set_aside_now(judged.reason[:LONGEST_REASON], facts.now) if run.state in RUN_GOING else {}
    if run.state != RUNNING:
        return {}
    again = facts.now + timedelta(seconds=facts.contract.lease_seconds)
    held = {"resume_due": True, "lease_expires_at": None, "watch_at": again}
    if decision == WAIT:
        return held
    told = {
        "attention": quarantine.DECISION,
        "attention_since": facts.now,
        "attention_reason": judged.reason[:LONGEST_REASON],
    }
    return held | told | {"watch_at": None}


def _write(by: Actor, facts: Facts, row: Resumption, changes: Mapping[str, Any]) -> None:
    run = facts.run
    if changes:
        Run.objects.filter(pk=run.pk).update(**changes)
    recorded = {name: value for name, value in changes.items() if name in Run.recorded}
    told = {name: instant(value) if isinstance(value, datetime) else value for name, value in recorded.items()}
    kind = "run.resumed_late" if run.state in OVER else "run.resumed"
    record.write([(run.pk, kind, {**_facts(row), "becomes": told})], by, facts.now)


def _facts(row: Resumption) -> Object:
    return {
        "resumption": str(row.pk), "number": row.number, "checkpoint": str(row.checkpoint_id) if row.checkpoint_id else None,
        "epoch": row.epoch, "versions": row.versions, "steps": row.steps, "decision": row.decision, "reason": row.reason,
        "brief_digest": bytes(row.brief_digest).hex(),
    }  # fmt: skip


def versions(said: Mapping[str, Any]) -> dict[str, str]:
    """Give the versions that a driver runs with. Raises BadVersions."""
    for name, version in said.items():
        fits = (
            isinstance(version, str) and version.strip() and len(version) <= LONGEST_VERSION and version.isprintable()
        )
        if name not in PINNED or not fits:
            raise BadVersions(path=pointer(["versions", name]))
    return dict(said)
