"""Erasing a run's contents: a move with authority and reason. The run, its keys, its digests, its times and its outcomes remain."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from approvals import erasing as of_requests
from approvals.alone import retaining
from approvals.fold import BOOK as REQUESTS
from approvals.models import Request
from approvals.states import PENDING
from console import clock
from console.clock import instant
from console.exact import Object, Value
from console.http import keys
from console.http.refusals import Forbidden, InvalidContent, NotFound, Refusal
from console.identity.models import Member
from console.ledger import erasing
from console.ledger.actors import Actor
from console.ledger.erasing import ERASED, NOTHING
from console.ledger.moves import move
from console.ledger.verification import Finding, check
from console.notices import erasing as of_notices
from runs import record
from runs.cancelling import erasing as of_cancellations
from runs.checkpoints import erasing as of_checkpoints
from runs.corrections import erasing as of_corrections
from runs.fold import BOOK
from runs.models import Attempt, Callback, Effect, EvidenceFile, Resolution, Run, Wait
from runs.pausing import erasing as pauses
from runs.resuming import erasing as of_resumes
from runs.signals import erasing as of_signals
from runs.states import OPEN, PARTIAL, RUN_ENDED, RUNNING, TO_PLAN, TO_UNDO
from runs.waits import erasing as of_waits

LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Gone:
    """How many payloads a room above erased, and the ids that receipts and notices of them are about."""

    payloads: int
    about: list[UUID]


@dataclass(frozen=True, slots=True)
class Above:
    """What a room above keeps of runs: what of it is open still, whether its record holds, and how it lets go of it.

    `keeps` says the first in SQL, of the run `r`, for whoever looks for runs that may go."""

    keeps: str
    open: Callable[[Run], list[str]]
    findings: Callable[[Run], list[Finding]]
    erase: Callable[[Actor, Run, str, datetime], Gone]


ABOVE: list[Above] = []  # of the rooms above, which name themselves when they are opened


class NotAnAdmin(Forbidden):
    """Only an admin erases, holds and releases; retention does by the policy in the settings."""

    code = "not_an_admin"


class ReasonMissing(InvalidContent):
    """Say why, in at most 500 characters; the reason stays in the record for ever."""

    code = "reason_missing"


class NotToErase(Refusal):
    """This run is not to be erased: it goes on, or holds what is open, unknown or half done, or a key of it is good, or it is on hold."""

    code = "not_to_erase"
    recorded = False


class AlreadyErased(Refusal):
    """The contents of this run were erased before."""

    code = "already_erased"
    recorded = False


class DoesNotHold(Refusal):
    """The record of this does not hold, and erasing would hide how. `manage.py verify` names what was altered."""

    code = "record_does_not_hold"


@move("erase")
def erase(by: Actor, run_id: UUID, *, reason: str) -> dict[str, Any]:
    """Erase the contents of a finished run, in one transaction. Raises NotAnAdmin, NotToErase, AlreadyErased, DoesNotHold."""
    reason = checked(by, reason)
    run = _hold(by, run_id)
    now = clock.now()
    effects, requests = _held_parts(run)
    _check_finished(run, effects, requests, now)
    findings = [
        *check(BOOK, [run]),
        *(found for room in ABOVE for found in room.findings(run)),
        *check(REQUESTS, requests),
    ]
    if findings:
        raise DoesNotHold(first=str(findings[0]), findings=len(findings))
    above = [room.erase(by, run, reason, now) for room in ABOVE]
    about = [pk for gone in above for pk in gone.about]
    payloads = sum(gone.payloads for gone in above) + of_requests.erase(by, requests, reason, now)
    payloads += _erase(by, run, reason, now)
    of_notices.erase_about(run.tenant_id, [run.pk, *(effect.pk for effect in effects), *about])
    _bury_receipts(run, effects, requests, about)
    return {
        "run": str(run.pk),
        "at": instant(now),
        "effects": len(effects),
        "requests": len(requests),
        "payloads": payloads,
    }


@move("erase alone")
def erase_alone(by: Actor, before: datetime, passed: set[UUID], limit: int, *, reason: str) -> int:
    """Erase what agents asked and did by themselves and what was over at an instant, at most so many, in one transaction; gives how many.

    What does not hold is `passed` over from then on. Raises NotAnAdmin, DoesNotHold."""
    reason = checked(by, reason)
    requests = retaining.held(by.tenant, before, passed, limit)
    findings = check(REQUESTS, requests)
    if findings:
        broken = {finding.stream for finding in findings}
        passed |= {request.pk for request in requests if request.stream() in broken} or {one.pk for one in requests}
        raise DoesNotHold(first=str(findings[0]), findings=len(findings))
    of_requests.erase(by, requests, reason, clock.now())
    keys.bury_about(by.tenant, [request.pk for request in requests])
    return len(requests)


@move("hold")
def hold(by: Actor, run_id: UUID, *, reason: str) -> None:
    """Keep a run's contents, whatever retention says, until they are released."""
    _set_hold(by, run_id, checked(by, reason), reason.strip())


@move("release")
def release(by: Actor, run_id: UUID, *, reason: str) -> None:
    """Let retention have the run again."""
    _set_hold(by, run_id, checked(by, reason), "")


def _set_hold(by: Actor, run_id: UUID, reason: str, held: str) -> None:
    run = _hold(by, run_id)
    if run.erased_at is not None:
        raise AlreadyErased(erased_at=run.erased_at)
    Run.objects.filter(pk=run.pk).update(hold=held)
    record.write([(run.pk, "run.held", {"hold": held, "reason": reason})], by, clock.now())


def checked(by: Actor, reason: str) -> str:
    """Give the reason of one who may. Raises NotAnAdmin, ReasonMissing."""
    if by.kind == "member":
        admins = Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True, roles__contains=["admin"])
        if not admins.exists():
            raise NotAnAdmin
    elif by.kind != "system":
        raise NotAnAdmin
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise ReasonMissing(path="/reason")
    return reason.strip()


def _hold(by: Actor, run_id: UUID) -> Run:
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    return run


def _held_parts(run: Run) -> tuple[list[Effect], list[Request]]:
    """Lock the run's effects and everything that was ever asked about them, in this order."""
    effects = list(Effect.objects.filter(run=run).order_by("pk").select_for_update(no_key=True))
    asked = Request.objects.filter(subject__in=[effect.pk for effect in effects], tenant_id=run.tenant_id)
    return effects, list(asked.order_by("pk").select_for_update(no_key=True))


def _check_finished(run: Run, effects: list[Effect], requests: list[Request], now: datetime) -> None:
    if run.erased_at is not None:
        raise AlreadyErased(erased_at=run.erased_at)
    open_effects = [str(effect.pk) for effect in effects if effect.state in OPEN or _is_half_done(effect)]
    good_until = max([run.key_expires_at, *(effect.key_expires_at for effect in effects)])
    pending = any(request.state == PENDING for request in requests)
    in_flight = Attempt.objects.filter(run=run, state=RUNNING).exists()
    open_effects += [pk for room in ABOVE for pk in room.open(run)]
    going = run.state not in RUN_ENDED or run.compensation in (TO_PLAN, TO_UNDO)
    if going or open_effects or pending or in_flight or run.hold or good_until > now:
        raise NotToErase(state=run.state, open=open_effects, hold=run.hold, keys_good_until=instant(good_until))


def _is_half_done(effect: Effect) -> bool:
    """Say whether a part of it was done, which somebody may have to write about yet, required or not."""
    return effect.state == PARTIAL and effect.reconciled_at is None


def _bury_receipts(run: Run, effects: list[Effect], requests: list[Request], about: list[UUID]) -> None:
    """Take what answers to keys say of the run; the keys are refused from now on, and what they did is never done anew."""
    attempts = Attempt.objects.filter(run=run).values_list("pk", flat=True)
    waits = Wait.objects.filter(run=run).values_list("pk", flat=True)
    keys.bury_about(run.tenant_id, [run.pk, *(row.pk for row in [*effects, *requests]), *attempts, *waits, *about])


def _erase(by: Actor, run: Run, reason: str, now: datetime) -> int:
    Run.objects.filter(pk=run.pk).update(
        goal=ERASED,
        closing_reason="",
        result=None,
        lease_holder="",
        attention_reason="",
        versions="",
        residue="",
        erased_at=now,
    )
    effects = Effect.objects.filter(run=run)
    effects.update(
        summary=ERASED,
        target=ERASED,
        arguments=NOTHING,
        reason="",
        state_reason="",
        operation_reference="",
        result=None,
        expects="",
    )
    Attempt.objects.filter(run=run).update(reason="", evidence=None, late_evidence=None)
    Callback.objects.filter(run=run).update(body=None, note="")
    heard: dict[UUID | None, dict[str, Value]] = defaultdict(dict)
    for callback in Callback.objects.filter(run=run).order_by("received_at", "pk"):
        heard[callback.effect_id][str(callback.pk)] = erasing.remains(callback)
    tried: dict[UUID, dict[str, Value]] = defaultdict(dict)
    for attempt in Attempt.objects.filter(run=run).order_by("started_at", "pk"):
        tried[attempt.effect_id][str(attempt.pk)] = erasing.remains(attempt)
    found = _erase_findings(run)
    left = Run.objects.get(pk=run.pk)
    entries: list[tuple[UUID, str, Object]] = [
        (run.pk, "run.erased", {"reason": reason, "remains": erasing.remains(left), **of_waits.erase(run)}),
    ]
    for one in effects.order_by("number"):
        parts: Object = {"attempts": {**tried[one.pk]}, "callbacks": heard[one.pk], **found[one.pk]}
        entries.append((run.pk, "effect.remains", {"effect": str(one.pk), "remains": erasing.remains(one), **parts}))
    entries += of_checkpoints.erase(run, now)
    entries += of_cancellations.erase(run)
    entries += of_corrections.erase(run)
    entries += of_resumes.erase(run)
    entries += of_signals.erase(run)
    record.write(entries, by, now)
    pauses.erase(by, run.pk, now)
    return erasing.erase(run.tenant_id, [(run.stream(), run.ledger_seq + 1)], now)


def _erase_findings(run: Run) -> dict[UUID, Object]:
    """Erase what people wrote of what they found, and the files beside it; gives what remains, by effect."""
    Resolution.objects.filter(run=run).update(
        evidence=ERASED, link="", reason="", result=None, reference="", decided_reason=""
    )
    EvidenceFile.objects.filter(run=run).update(content=None, name=ERASED)
    left: dict[UUID, dict[str, dict[str, Value]]] = defaultdict(lambda: {"resolutions": {}, "files": {}})
    for resolution in Resolution.objects.filter(run=run).order_by("pk"):
        left[resolution.effect_id]["resolutions"][str(resolution.pk)] = erasing.remains(resolution)
    for file in EvidenceFile.objects.filter(run=run).order_by("pk"):
        left[file.effect_id]["files"][str(file.pk)] = erasing.remains(file)
    return defaultdict(dict, {effect: {**parts} for effect, parts in left.items()})
