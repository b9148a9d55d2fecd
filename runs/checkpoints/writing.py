"""Writing a checkpoint: what the driver kept and what the record says then, in one transaction (R-G1, R-G2)."""

import hashlib
from datetime import timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import BadJSON, Object, Value, canonical, decode
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from console.telemetry.counting import count
from runs import catalogue, driver, record
from runs.checkpoints import dropping, facts, sealing
from runs.checkpoints.authoritative import schedule, told
from runs.checkpoints.claims import contradictions
from runs.checkpoints.draft import JSON, CheckpointDraft
from runs.driver import ResumeFirst, RunEnded, RunStopped
from runs.models import Checkpoint, Run
from runs.states import QUARANTINED, RUN_ENDED


class CheckpointTooLarge(Refusal):
    """The state is larger than the run type's contract allows; `most` says how many bytes it may have."""

    code = "checkpoint_too_large"
    status = 413


@move("checkpoint")
def keep(
    by: Actor, run_id: UUID, *, epoch: int, draft: CheckpointDraft, key: str, version: int | None = None
) -> dict[str, Any]:
    """Keep a checkpoint of the driver's. Raises StaleToken, StaleVersion, CheckpointTooLarge, NoKeys, RunEnded, RunStopped, ResumeFirst."""
    asked: Object = {
        "run": str(run_id), "schema_version": draft.schema_version, "versions": draft.versions, "media_type": draft.media_type,
        "state": None if draft.content is None else hashlib.sha256(draft.content).hexdigest(), "artifacts": [*draft.artifacts],
        "note": draft.note, "boundary": draft.boundary,
    }  # fmt: skip
    return once(by, key, "checkpoint", asked, lambda: _keep(by, run_id, epoch, version, draft), about=run_id)


def _keep(by: Actor, run_id: UUID, epoch: int, version: int | None, draft: CheckpointDraft) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    _check_may_keep(run)
    content, rule = draft.content, catalogue.run_type(run.run_type_id).document.checkpoint
    if content is not None and len(content) > rule.max_bytes:
        raise CheckpointTooLarge(most=rule.max_bytes, bytes=len(content))
    now = clock.now()
    sealed, name = (None, "") if content is None else sealing.seal(content)
    known = facts.now(run)
    text = canonical({**told(known), "schedule": schedule(run)})
    wrong = contradictions(_value(draft), known.of["effect"], known.requests)
    number = 1 + max((int(str(each["number"])) for each in known.of["checkpoint"].values()), default=0)
    made = Checkpoint(
        id=uuid7(), tenant_id=run.tenant_id, run_id=run.pk, number=number, boundary=draft.boundary, epoch=run.epoch, seq=run.ledger_seq,
        written_at=now, written_by=str(by), schema_version=draft.schema_version, versions=_text(draft.versions), authoritative=text,
        authoritative_digest=_digest(text.encode()), state=sealed, state_digest=None if content is None else _digest(content),
        state_size=0 if content is None else len(content), media_type=draft.media_type, artifacts=_text(draft.artifacts), note=draft.note,
        contradictions=_text(wrong), sealed_with=name,
        drop_at=None if content is None or rule.keep_seconds is None else now + timedelta(seconds=rule.keep_seconds),
    )  # fmt: skip
    made.save(force_insert=True)
    record.write([(run.pk, "checkpoint.written", _facts(made))], by, now)
    dropping.beyond(by, run, made.number - rule.keep, now)
    count("checkpoint_contradictions", len(wrong))
    ring_after_commit(run.pk, work=False)
    version = Run.objects.values_list("ledger_seq", flat=True).get(pk=run.pk)
    return {
        "run": str(run.pk), "number": number, "version": version, "at": instant(now), "seq": made.seq,
        "authoritative_digest": made.authoritative_digest.hex(), "state_digest": _hex(made.state_digest), "contradictions": [*wrong],
    }  # fmt: skip


def _check_may_keep(run: Run) -> None:
    """A run that waits, closes or has run out may be kept; one that has ended, is set aside or was not resumed may not."""
    stands: Object = {"state": run.state, "version": run.ledger_seq}
    if run.state in RUN_ENDED:
        raise RunEnded(**stands)
    if run.state == QUARANTINED:
        raise RunStopped(attention=run.attention, reason=run.attention_reason, **stands)
    if run.resume_due:
        raise ResumeFirst(epoch=run.epoch, **stands)


def _facts(made: Checkpoint) -> Object:
    return {
        "checkpoint": str(made.pk), "number": made.number, "boundary": made.boundary, "epoch": made.epoch, "seq": made.seq,
        "schema_version": made.schema_version, "versions": made.versions, "authoritative_digest": made.authoritative_digest.hex(),
        "state_digest": _hex(made.state_digest), "state_size": made.state_size,
        "media_type": made.media_type, "artifacts": made.artifacts, "note": made.note, "contradictions": made.contradictions,
    }  # fmt: skip


def _value(draft: CheckpointDraft) -> Value:
    """Read what the state says, where it is JSON; a text may be JSON too."""
    if draft.content is None:
        return None
    try:
        return decode(draft.content, levels=128)
    except BadJSON:
        if draft.media_type == JSON:
            raise
        return None


def _text(value: Any) -> str:
    return canonical(value) if value else ""


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _hex(digest: bytes | memoryview | None) -> str | None:
    return None if digest is None else digest.hex()
