"""Resolving what is not confirmed: a person's finding, with evidence, and a second person's word where the contract wants it (R-F4, R-F5).

Everything is decided under the locks of the run and the effect. Where a finding settles an effect, a look that is under way is ended and
the fence raised, so that whatever it brings is late evidence. Nothing else turns unknown into failed."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, canonical
from console.http.refusals import Forbidden, NotFound, ReasonTooLong, Refusal
from console.identity.groups import is_known
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import record
from runs.driving import LONGEST_REASON, ReasonMissing
from runs.models import Attempt, Effect, EvidenceFile, Resolution
from runs.states import (
    ACTS,
    CANNOT_TELL,
    DECLINED,
    FAILED,
    HAPPENED,
    IN_FORCE,
    LOST,
    MUST_BE_UNDONE,
    OVERTAKEN,
    PARTIAL,
    READY,
    RESOLUTION_PROPOSED,
    REST_SETTLED,
    RUNNING,
    STILL_PENDING,
    SUCCEEDED,
    UNKNOWN,
    WITHDRAWN,
)
from runs.unknowns import news, notices
from runs.unknowns.asking import look_of
from runs.unknowns.exits import RETRY, SETTLING, Exit, exits, hands_over_to
from runs.unknowns.findings import BadFinding, Finding, Upload, checked
from runs.unknowns.sentences import SETTLED_MEANWHILE
from runs.unknowns.standing import (
    Held,
    NotUnknown,
    check_unconfirmed,
    hold,
    is_replaced,
    may_act,
    version_of,
)

__all__ = ["Finding", "Upload", "confirm", "decline", "overtake", "resolve", "withdraw"]
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


class FindingDecided(Refusal):
    """This finding is decided; `state` says how."""

    code = "finding_decided"


class FindingOutdated(Refusal):
    """It was done again after this was found, so that the finding does not tell of it any more; find out anew."""

    code = "finding_outdated"


class ExitNotAllowed(Refusal):
    """This way out is not open; `why` says why not."""

    code = "exit_not_allowed"


class AttemptsUsedUp(Refusal):
    """All attempts are used up; trying again takes at least one more, granted with a reason."""

    code = "attempts_used_up"


class SecondPerson(Forbidden):
    """Another member than the one who found it confirms or declines a finding."""

    code = "second_person"


class NotYourFinding(Forbidden):
    """Whoever found it withdraws a finding; others decline it."""

    code = "not_your_finding"


@move("resolve")
def resolve(by: Actor, effect_id: UUID, finding: Finding, *, version: int, key: str) -> dict[str, Any]:
    """Write a finding down; it takes effect at once, or waits for a second person. `version` is the run's as it was seen.

    Raises NotFound, NotAnOperator, NotUnknown, StaleVersion, FindingWaits, ExitNotAllowed, AttemptsUsedUp, BadFinding, BadEvidence."""
    found = checked(finding)
    asked: Object = {"effect": str(effect_id), **found.asked()}
    return once(by, key, "resolve", asked, lambda: _resolve(by, effect_id, found, version), about=effect_id)


def confirm(by: Actor, resolution_id: UUID, *, reason: str = "", key: str) -> dict[str, Any]:
    """Confirm somebody else's finding, which takes effect with that. One whose effect was settled meanwhile is overtaken.

    Raises NotFound, NotAnOperator, SecondPerson, FindingDecided, NotUnknown, FindingOutdated, ExitNotAllowed, AttemptsUsedUp."""
    try:
        return _confirm(by, resolution_id, reason=reason, key=key)
    except (NotUnknown, FindingOutdated):
        _overtake_one(by, resolution_id)
        raise


@move("confirm finding")
def _confirm(by: Actor, resolution_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    asked: Object = {"resolution": str(resolution_id), "reason": _short(reason)}
    act = lambda: _confirmed(by, resolution_id, reason.strip())  # noqa: E731 - the act of `once`
    return once(by, key, "confirm_finding", asked, act, about=_effect_of(by, resolution_id))


@move("decline finding")
def decline(by: Actor, resolution_id: UUID, *, reason: str, key: str) -> dict[str, Any]:
    """Decline somebody else's finding, with a reason; the effect stays as it is.

    Raises NotFound, NotAnOperator, SecondPerson, FindingDecided."""
    if not _short(reason).strip():
        raise ReasonMissing(path="/reason")
    asked: Object = {"resolution": str(resolution_id), "reason": reason}
    act = lambda: _turned_down(by, resolution_id, DECLINED, reason.strip())  # noqa: E731
    return once(by, key, "decline_finding", asked, act, about=_effect_of(by, resolution_id))


@move("withdraw finding")
def withdraw(by: Actor, resolution_id: UUID, *, reason: str = "", key: str) -> dict[str, Any]:
    """Take back one's own finding before it is confirmed. Raises NotFound, NotAnOperator, NotYourFinding, FindingDecided."""
    asked: Object = {"resolution": str(resolution_id), "reason": _short(reason)}
    act = lambda: _turned_down(by, resolution_id, WITHDRAWN, reason.strip())  # noqa: E731
    return once(by, key, "withdraw_finding", asked, act, about=_effect_of(by, resolution_id))


def overtake(by: Actor, limit: int) -> int:
    """Mark findings whose effect was settled by something else, or done again, within the caller's transaction; gives how many."""
    due = _outdated()
    ids = list(due.order_by("proposed_at").values_list("pk", "run_id")[:limit])
    if not ids:
        return 0
    run_ids = _locked_runs([run_id for _, run_id in ids])
    found = due.filter(pk__in=[pk for pk, _ in ids], run_id__in=run_ids).order_by("pk")
    return _overtaken(by, list(found.select_for_update(of=("self",))), clock.now())


def _outdated() -> "QuerySet[Resolution]":
    """Give the findings that wait although their effect is settled, or was acted on since they were made."""
    acted = Attempt.objects.filter(
        effect_id=OuterRef("effect_id"), kind__in=ACTS, started_at__gt=OuterRef("proposed_at")
    )
    unconfirmed = Q(effect__state=UNKNOWN) | Q(effect__state=PARTIAL, effect__reconciled_at=None)
    return Resolution.objects.filter(~unconfirmed | Exists(acted), state=RESOLUTION_PROPOSED)


def _resolve(by: Actor, effect_id: UUID, finding: Finding, version: int) -> dict[str, Any]:
    held = hold(by, effect_id)
    check_unconfirmed(held, (PARTIAL,) if finding.exit == REST_SETTLED else (UNKNOWN,))
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
    way = _way(held, finding.exit, finding.then, finding.extra_attempts)
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
        entries += _take_effect(held, resolution)
        notices.passed_on(by, held.effect, resolution, held.now)
    return _recorded(by, held, resolution, entries)


def _confirmed(by: Actor, resolution_id: UUID, reason: str) -> dict[str, Any]:
    held, resolution = _held(by, resolution_id)
    if resolution.proposed_by_id == by.principal:
        raise SecondPerson(**held.standing)
    _check_open(resolution, held)
    check_unconfirmed(held, (PARTIAL,) if resolution.exit == REST_SETTLED else (UNKNOWN,))
    if any(attempt.kind in ACTS and attempt.started_at > resolution.proposed_at for attempt in held.attempts):
        raise FindingOutdated(**held.standing)
    _way(held, resolution.exit, resolution.then, resolution.extra_attempts)
    if not may_act(resolution.proposed_by, held.effect, held.document):
        raise ExitNotAllowed(
            why="Whoever found this may not act on it any more; decline it and find out anew.", **held.standing
        )
    _decide(resolution, IN_FORCE, by, reason, held.now)
    entries = [(held.run.pk, "resolution.confirmed", _word(resolution)), *_take_effect(held, resolution)]
    notices.passed_on(by, held.effect, resolution, held.now)
    return _recorded(by, held, resolution, entries)


def _turned_down(by: Actor, resolution_id: UUID, state: str, reason: str) -> dict[str, Any]:
    held, resolution = _held(by, resolution_id)
    own = resolution.proposed_by_id == by.principal
    if state == WITHDRAWN and not own:
        raise NotYourFinding(**held.standing)
    if state == DECLINED and own:
        raise SecondPerson("Take back your own finding instead.", **held.standing)
    _check_open(resolution, held)
    _decide(resolution, state, by, reason, held.now)
    return _recorded(by, held, resolution, [(held.run.pk, f"resolution.{state}", _word(resolution))])


def _held(by: Actor, resolution_id: UUID) -> tuple[Held, Resolution]:
    held = hold(by, _effect_of(by, resolution_id))
    found = Resolution.objects.select_related("proposed_by__user").select_for_update(of=("self",))
    return held, found.get(pk=resolution_id)


def _effect_of(by: Actor, resolution_id: UUID) -> UUID:
    found = Resolution.objects.filter(pk=resolution_id, tenant_id=by.tenant).values_list("effect_id", flat=True).first()
    if found is None:
        raise NotFound
    return found


def _check_open(resolution: Resolution, held: Held) -> None:
    if resolution.state != RESOLUTION_PROPOSED:
        decided = resolution.decided_by
        raise FindingDecided(
            finding=resolution.state, by=decided.user.name if decided else None, at=instant(resolution.decided_at),
            reason=resolution.decided_reason, **held.standing,
        )  # fmt: skip


def _way(held: Held, name: str, then: str, extra: int) -> Exit:
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


def _take_effect(held: Held, resolution: Resolution) -> list[tuple[UUID, str, Object]]:
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
        }  # fmt: skip
        facts |= {
            "to": to, "reason": changes["state_reason"], "fence": changes["fence"], "outcome": changes["outcome"],
            "granted": changes["attempts_granted"], "result": resolution.result, "reference": resolution.reference,
        }  # fmt: skip
    elif exit_ == STILL_PENDING:
        step = look_of(held.document)
        if step:
            changes = {"next_attempt_at": resolution.look_again_at, "next_step": step}
        facts["look_again_at"] = instant(resolution.look_again_at)
    elif exit_ == CANNOT_TELL:
        group = resolution.to_group or hands_over_to(held.document)
        changes = {"owner_id": None, "owner_group": group, "owned_at": held.now, "escalated_at": held.now}
        facts["group"] = group
    else:
        changes = {"reconciled_at": held.now}
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


def _recorded(by: Actor, held: Held, resolution: Resolution, entries: list[tuple[UUID, str, Object]]) -> dict[str, Any]:
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


def _decide(resolution: Resolution, state: str, by: Actor, reason: str, now: datetime) -> None:
    resolution.state, resolution.decided_by_id, resolution.decided_at, resolution.decided_reason = (
        state, by.principal, now, reason,
    )  # fmt: skip
    resolution.save(update_fields=["state", "decided_by", "decided_at", "decided_reason"])


def _word(resolution: Resolution) -> Object:
    return {
        "resolution": str(resolution.pk), "effect": str(resolution.effect_id), "exit": resolution.exit, "then": resolution.then,
        "by": str(resolution.decided_by_id) if resolution.decided_by_id else None, "reason": resolution.decided_reason,
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


@move("overtake finding")
def _overtake_one(by: Actor, resolution_id: UUID) -> None:
    """Mark one finding whose effect was settled by something else; the refused move took that back with itself."""
    effect_id = _effect_of(by, resolution_id)
    run_id = Effect.objects.values_list("run_id", flat=True).get(pk=effect_id)
    _locked_runs([run_id], wait=True)
    found = _outdated().filter(pk=resolution_id).select_for_update(of=("self",))
    _overtaken(by, list(found), clock.now())


def _locked_runs(run_ids: list[UUID], *, wait: bool = False) -> list[UUID]:
    waiting = "" if wait else " skip locked"
    sql = f"select id from runs_run where id = any (%s::uuid[]) order by id for no key update{waiting}"  # noqa: S608 - constants
    return [row["id"] for row in rows(sql, [list(set(run_ids))])]


def _overtaken(by: Actor, found: list[Resolution], now: datetime) -> int:
    if not found:
        return 0
    Resolution.objects.filter(pk__in=[each.pk for each in found]).update(state=OVERTAKEN, decided_at=now)
    record.write([(each.run_id, "resolution.overtaken", _word(each)) for each in found], by, now)
    ring_after_commit(*[each.effect_id for each in found], work=False)
    return len(found)


def _next_fence(effect: Effect) -> int:
    return int(rows("select cf_next_fence(%s) as fence", [effect.fence])[0]["fence"])


def _short(reason: str) -> str:
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLong(path="/reason")
    return reason
