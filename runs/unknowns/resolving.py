"""Resolving what is not confirmed: a person's finding, with evidence, and a second person's word where the contract wants it (R-F4, R-F5).

Everything is decided under the locks of the run and the effect. Where a finding settles an effect, a look that is under way is ended and
the fence raised, so that whatever it brings is late evidence. Nothing else turns unknown into failed."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Max
from uuid_utils.compat import uuid7

from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, canonical
from console.http.refusals import Refusal
from console.identity.groups import is_known
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import record
from runs.models import Attempt, Effect, EvidenceFile, Resolution
from runs.states import (
    ACTS,
    CANNOT_TELL,
    FAILED,
    HAPPENED,
    IN_FORCE,
    LOST,
    MUST_BE_UNDONE,
    PARTIAL,
    READY,
    RESEND,
    RESOLUTION_PROPOSED,
    REST_SETTLED,
    RUNNING,
    STILL_PENDING,
    SUCCEEDED,
)
from runs.unknowns import news, notices
from runs.unknowns.asking import look_of
from runs.unknowns.exits import RETRY, SETTLING, Exit, exits, hands_over_to
from runs.unknowns.findings import BadFinding, Finding, checked
from runs.unknowns.sentences import SETTLED_MEANWHILE
from runs.unknowns.standing import (
    Held,
    check_unconfirmed,
    hold,
    is_replaced,
    version_of,
)

FURTHEST: Final = timedelta(days=90)
BECOMES: Final = {HAPPENED: SUCCEEDED, MUST_BE_UNDONE: SUCCEEDED, RETRY: READY}
BECAUSE: Final = {
    HAPPENED: "A person found that it happened.",
    MUST_BE_UNDONE: "A person found that it happened, and it must be undone.",
    RETRY: "A person found that it did not happen; it is tried again with the same key.",
    "give_up": "A person found that it did not happen, and gave it up.",
}


class FindingWaits(Refusal):
    """Somebody's finding about this waits for a second person: confirm, decline or withdraw it first."""

    code = "finding_waits"


class ExitNotAllowed(Refusal):
    """This way out is not open; `why` says why not."""

    code = "exit_not_allowed"


class AttemptsUsedUp(Refusal):
    """All attempts are used up; trying again takes at least one more, granted with a reason."""

    code = "attempts_used_up"


@move("resolve")
def resolve(by: Actor, effect_id: UUID, finding: Finding, *, version: int, key: str) -> dict[str, Any]:
    """Write a finding down; it takes effect at once, or waits for a second person. `version` is the run's as it was seen.

    Raises NotFound, NotAnOperator, NotUnknown, StaleVersion, FindingWaits, ExitNotAllowed, AttemptsUsedUp, BadFinding, BadEvidence."""
    found = checked(finding)
    asked: Object = {"effect": str(effect_id), **found.asked()}
    return once(by, key, "resolve", asked, lambda: _resolve(by, effect_id, found, version), about=effect_id)


def _resolve(by: Actor, effect_id: UUID, finding: Finding, version: int) -> dict[str, Any]:
    held = hold(by, effect_id)
    check_unconfirmed(held)
    if (finding.exit == REST_SETTLED) != (held.effect.state == PARTIAL):
        why = f"It is not a way out of what is {held.effect.state}."
        raise ExitNotAllowed(f"This way out is not open. {why}", why=why, **held.standing)
    news.check(held, version)
    waiting = (
        Resolution.objects.filter(effect=held.effect, state=RESOLUTION_PROPOSED)
        .select_related("proposed_by__user")
        .first()
    )
    if waiting is not None:
        raise FindingWaits(
            resolution=str(waiting.pk), exit=waiting.exit, by=waiting.proposed_by.user.name, since=instant(waiting.proposed_at),
            **held.standing,
        )  # fmt: skip
    way = way_out(held, finding.exit, finding.then, finding.extra_attempts)
    _check_moment(finding.look_again_at, held.now)
    if (
        finding.to_group
        and finding.to_group != hands_over_to(held.document)
        and not is_known(by.tenant, finding.to_group)
    ):
        raise BadFinding("Nobody belongs to this group.", path="/to_group")
    resolution = _written(by, held, finding, way)
    files = _kept(by, held, resolution, finding)
    entries: list[tuple[UUID, str, Object]] = [(held.run.pk, "resolution.made", _told(resolution, files))]
    if way.needs_second:
        notices.finding_waits(by, held.effect, resolution)
    else:
        entries += take_effect(held, resolution)
        notices.passed_on(by, held.effect, resolution, held.now)
    return recorded(by, held, resolution, entries)


def way_out(held: Held, name: str, then: str, extra: int) -> Exit:
    """Give the way out that is taken. Raises ExitNotAllowed, AttemptsUsedUp."""
    replaced = is_replaced(held.effect)
    ways = exits(held.effect, held.attempts, held.document, held.now, replaced=replaced)
    way = next(each for each in ways if (each.name, each.then) == (name, then))
    if not way.allowed:
        raise ExitNotAllowed(f"This way out is not open. {way.why_not}", why=way.why_not, **held.standing)
    if way.needs_extra and not extra:
        allowed = held.document.retry.attempts + held.effect.attempts_granted
        raise AttemptsUsedUp(attempts_allowed=allowed, attempts_left=0, **held.standing)
    return way


def _check_moment(at: datetime | None, now: datetime) -> None:
    if at is not None and not now < at <= now + FURTHEST:
        raise BadFinding("It is looked at again within 90 days from now.", path="/look_again_at")


def _written(by: Actor, held: Held, finding: Finding, way: Exit) -> Resolution:
    last = Resolution.objects.filter(effect=held.effect).aggregate(last=Max("number"))["last"] or 0
    return Resolution.objects.create(
        id=uuid7(), tenant_id=held.run.tenant_id, run=held.run, effect=held.effect, number=last + 1, exit=finding.exit, then=finding.then,
        evidence=finding.evidence, link=finding.link, reason=finding.reason,
        result=None if finding.result is None else canonical(finding.result), reference=finding.reference,
        look_again_at=finding.look_again_at, extra_attempts=finding.extra_attempts, to_group=finding.to_group,
        needs_second=way.needs_second, state=RESOLUTION_PROPOSED if way.needs_second else IN_FORCE, proposed_by_id=by.principal,
        proposed_at=held.now, decided_at=None if way.needs_second else held.now, decided_reason="",
    )  # fmt: skip


def _kept(by: Actor, held: Held, resolution: Resolution, finding: Finding) -> list[EvidenceFile]:
    return EvidenceFile.objects.bulk_create(
        EvidenceFile(
            id=uuid7(), tenant_id=held.run.tenant_id, run=held.run, effect=held.effect, resolution=resolution, name=file.name,
            media_type=file.media_type, size=len(file.content), digest=file.digest, content=file.content, uploaded_by_id=by.principal,
            uploaded_at=held.now,
        )
        for file in finding.files
    )  # fmt: skip


def take_effect(held: Held, resolution: Resolution) -> list[tuple[UUID, str, Object]]:
    """Let a finding have its consequence for the effect, and give what is to be recorded of it."""
    effect, exit_, then = held.effect, resolution.exit, resolution.then
    facts: Object = {
        "effect": str(effect.pk), "resolution": str(resolution.pk), "exit": exit_, "then": then, "to": effect.state, "fence": effect.fence,
    }  # fmt: skip
    entries: list[tuple[UUID, str, Object]] = []
    changes: dict[str, Any] = {}
    if exit_ in SETTLING and exit_ != REST_SETTLED:
        entries += _end_attempts(held)
        to = BECOMES.get(then or exit_, FAILED)
        happened = to == SUCCEEDED
        changes = {
            "state": to, "state_reason": BECAUSE[then or exit_], "fence": _next_fence(effect),
            "outcome": "succeeded" if happened else "absent",
            "ended_at": None if to == READY else held.now, "next_attempt_at": held.now if to == READY else None, "next_step": "",
            "attempts_granted": effect.attempts_granted + resolution.extra_attempts,
            "result": effect.result if resolution.result is None else resolution.result,
            "operation_reference": resolution.reference or effect.operation_reference,
            "undo_due": effect.undo_due or exit_ == MUST_BE_UNDONE,
        }  # fmt: skip
        facts |= {
            "to": to, "reason": changes["state_reason"], "fence": changes["fence"], "outcome": changes["outcome"],
            "granted": changes["attempts_granted"], "result": resolution.result, "reference": resolution.reference,
        }  # fmt: skip
    elif exit_ == STILL_PENDING:
        step = look_of(held.document, [attempt.kind for attempt in held.attempts])
        if step:
            changes = {"next_attempt_at": resolution.look_again_at, "next_step": step}
        elif effect.next_step == RESEND:
            changes = {"next_attempt_at": resolution.look_again_at}
        facts["look_again_at"] = instant(resolution.look_again_at)
    elif exit_ == CANNOT_TELL:
        group = resolution.to_group or hands_over_to(held.document)
        changes = {"owner_id": None, "owner_group": group, "owned_at": held.now}
        facts["group"] = group
    else:
        changes = {"reconciled_at": held.now, "objective_at": None, "next_alert_at": None}
    if changes:
        Effect.objects.filter(pk=effect.pk).update(**changes)
        for name, value in changes.items():
            setattr(effect, name, value)
    return [*entries, (held.run.pk, "effect.resolved", facts)]


def _end_attempts(held: Held) -> list[tuple[UUID, str, Object]]:
    """End what is under way: its answer would tell of an effect that is settled, and is kept as late evidence when it comes."""
    entries: list[tuple[UUID, str, Object]] = []
    for attempt in held.attempts:
        if attempt.state != RUNNING:
            continue
        outcome = "unknown" if attempt.kind in ACTS else "not_sent"
        Attempt.objects.filter(pk=attempt.pk, state=RUNNING).update(
            state=LOST, outcome=outcome, reason=SETTLED_MEANWHILE, ended_at=held.now, lease_expires_at=None
        )
        facts: Object = {
            "attempt": str(attempt.pk), "effect": str(held.effect.pk), "outcome": outcome, "to": held.effect.state, "sent": attempt.sent,
            "reason": SETTLED_MEANWHILE,
        }  # fmt: skip
        entries.append((held.run.pk, "attempt.lost", facts))
    return entries


def recorded(by: Actor, held: Held, resolution: Resolution, entries: list[tuple[UUID, str, Object]]) -> dict[str, Any]:
    """Record what was decided, let follow what follows, and give the receipt."""
    run, effect, in_force = held.run, held.effect, resolution.state == IN_FORCE
    record.write(entries, by, held.now)
    if in_force and resolution.exit in SETTLING:
        rows("select runs_after_endings(%s::uuid[], %s, %s)", [[run.pk], str(by), held.now])
    ring_after_commit(effect.pk, run.pk, work=in_force)
    return {
        "resolution": str(resolution.pk), "effect": str(effect.pk), "exit": resolution.exit, "then": resolution.then,
        "finding": resolution.state, "needs_second": resolution.needs_second, "state": Effect.objects.get(pk=effect.pk).state,
        "version": version_of(run), "at": instant(held.now),
    }  # fmt: skip


def _told(resolution: Resolution, files: list[EvidenceFile]) -> Object:
    """Tell a finding as it was made, with the digest of each file."""
    kept: Any = {
        str(file.pk): {"name": file.name, "media_type": file.media_type, "size": file.size, "digest": file.digest.hex()} for file in files
    }  # fmt: skip
    return {
        "resolution": str(resolution.pk), "effect": str(resolution.effect_id), "number": resolution.number, "exit": resolution.exit,
        "then": resolution.then, "evidence": resolution.evidence, "link": resolution.link, "reason": resolution.reason,
        "result": resolution.result, "reference": resolution.reference, "look_again_at": instant(resolution.look_again_at),
        "extra_attempts": resolution.extra_attempts, "to_group": resolution.to_group, "needs_second": resolution.needs_second,
        "state": resolution.state, "by": str(resolution.proposed_by_id), "files": kept,
    }  # fmt: skip


def _next_fence(effect: Effect) -> int:
    return int(rows("select cf_next_fence(%s) as fence", [effect.fence])[0]["fence"])
