"""What agents and people do themselves: begun under a permit, kept alive, reported. The same claim, the same record as a worker's (R-C2).

A permit is an attempt with a lease. Who holds it renews it and says in the end what came of it; when the lease ends without a report, the
sweep decides: what writes may have happened, and is unknown."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from django.db.models import Count, Min
from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, Value, canonical, decode
from console.http.refusals import Forbidden, InvalidContent, NotFound, Refusal
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import catalogue, driver
from runs.contracts.executors import AGENT, ALWAYS, DONE, HUMAN, BadResult, Permit
from runs.contracts.operation import OperationDocument
from runs.corrections.seen import check_seen
from runs.effect_keys import effect_key
from runs.limits import budgets, exhausting
from runs.limits.intake import RunExhausted, check_left
from runs.models import Attempt, Effect, Run
from runs.outcome import Step, Tried, after_act
from runs.pausing.standing import check_not_paused
from runs.states import ACT, CLOSING, ENDED, READY, RUNNING
from runs.verifying import verified_first

LONGEST = 4000
OUTCOMES = (
    "succeeded",
    "accepted",
    "partial",
    "rejected",
    "denied",
    "invalid",
    "conflict",
    "transient",
    "overload",
    "not_sent",
    "unknown",
)
TAKE = "select * from runs_take(%s::uuid[], %s::uuid[], %s, %s, %s::uuid[], '{}', %s, array['act'])"
PERMITTED = "select runs_permitted(%s::uuid[], %s::uuid[], %s::bytea[], %s::uuid[], %s, %s) as ids"
SETTLE = """select attempt_id from runs_settle(array[%s]::uuid[], array[%s]::bigint[], array[%s], array[%s], array[%s]::double precision[],
    array[null]::smallint[], array[%s]::boolean[], array[%s], array[%s]::text[], array[%s], array[%s], array[%s], %s, %s)"""
KEEP_LATE = "select runs_keep_late(array[%s]::uuid[], array[%s], array[%s], %s, %s, %s)"
RENEW = """update runs_attempt set lease_expires_at = least(cf_now() + make_interval(secs => %s), %s)
           where id = %s and fence = %s and state = 'running' and lease_expires_at > cf_now() returning lease_expires_at"""


class NotByYou(Forbidden):
    """This is done by somebody else: by a worker, by the agent that drives the run, or by members whom its contract names."""

    code = "not_by_you"


class NotReady(Refusal):
    """This cannot be begun as it stands."""

    code = "not_ready"


class AlreadyHeld(Refusal):
    """Somebody holds this already; it is begun again only when that has come to its end."""

    code = "already_held"


class EffectOutOfTime(Refusal):
    """The deadline of this effect has passed."""

    code = "effect_out_of_time"


class NotPermitted(Refusal):
    """The permission for this does not hold any more; it was not begun."""

    code = "not_permitted"


class AgentInactive(Refusal):
    """The agent that proposed this is not active."""

    code = "agent_inactive"


class NoFreeSlot(Refusal):
    """What this calls has as much in flight as it bears; try again later."""

    code = "no_free_slot"


class PermitOver(Refusal):
    """What was begun with this key has come to its end; whether it may be begun again is asked with a new key."""

    code = "permit_over"


class StaleFence(Refusal):
    """This is not the fence of the attempt; nothing was taken and nothing kept."""

    code = "stale_fence"


class LeaseLost(Refusal):
    """The lease of this attempt has ended; what is reported now is kept as evidence and changes nothing."""

    code = "lease_lost"


class AlreadyReported(Refusal):
    """What came of this attempt was reported already; this is kept as evidence and changes nothing."""

    code = "already_reported"


class OutcomeNotTaken(InvalidContent):
    """The contract does not know this outcome."""

    code = "outcome_not_taken"


class BadReport(InvalidContent):
    """The result is not what the contract says."""

    code = "bad_result"


class EvidenceMissing(InvalidContent):
    """Say how it is known: evidence, in words or as a reference."""

    code = "evidence_missing"


class TooLong(InvalidContent):
    """A reason, a reference and evidence have at most 4,000 characters each."""

    code = "too_long"


@dataclass(frozen=True, slots=True)
class Report:
    """What its performer says came of an attempt."""

    outcome: str
    result: Value = None
    reason: str = ""
    reference: str = ""
    evidence: str = ""

    def asked(self) -> Object:
        """Give what equality of keys compares."""
        return {
            "outcome": self.outcome, "result": self.result, "reason": self.reason, "reference": self.reference, "evidence": self.evidence,
        }  # fmt: skip

    def kept(self, by: Actor) -> str:
        """Give what is kept as evidence: who said what."""
        return canonical({"by": str(by), "name": by.name, **self.asked()})


def begin(by: Actor, effect_id: UUID, *, epoch: int | None, key: str) -> dict[str, Any]:
    """Begin an effect that an agent or a person does, and give the permit; the same key gives the same permit again.

    Raises NotFound, StaleToken, RunEnded, RunOutOfTime, NotByYou, NotReady, AlreadyHeld, EffectOutOfTime, AgentInactive, Paused,
    NotPermitted, NoFreeSlot; PermitOver when what this key began is no longer held. A permission that does not hold any
    more ends the effect, or sends it back to be judged, before this is refused."""
    try:
        return _begin(by, effect_id, epoch=epoch, key=key)
    except NotPermitted:
        _end_unpermitted(by, effect_id)
        raise
    except RunExhausted as refusal:
        exhausting.exhaust_now(by, UUID(refusal.facts["run"]))
        raise


@move("begin")
def _begin(by: Actor, effect_id: UUID, *, epoch: int | None, key: str) -> dict[str, Any]:
    permit = once(by, key, "begin", {"effect": str(effect_id)}, lambda: _begun(by, effect_id, epoch), about=effect_id)
    return _as_it_stands(by, effect_id, epoch, permit) if permit.get("replayed") else permit


def _as_it_stands(by: Actor, effect_id: UUID, epoch: int | None, permit: dict[str, Any]) -> dict[str, Any]:
    """Give a permit again with the lease that it has now: one that is over would be taken for leave to do it once more (R-A6, R-E2)."""
    run, effect = _held(by, effect_id, epoch)
    attempt = Attempt.objects.get(pk=permit["attempt"])
    if attempt.state != RUNNING or attempt.lease_expires_at is None or attempt.lease_expires_at <= clock.now():
        raise PermitOver(
            attempt_state=attempt.state,
            outcome=attempt.outcome,
            state=effect.state,
            fence=effect.fence,
            version=run.ledger_seq,
        )
    return {**permit, "lease_expires_at": instant(attempt.lease_expires_at)}


def _begun(by: Actor, effect_id: UUID, epoch: int | None) -> dict[str, Any]:
    run, effect = _held(by, effect_id, epoch)
    document = catalogue.operations_by_id([effect.operation_id])[effect.operation_id].document
    permit = _permit(by, run, effect, document)
    now = clock.now()
    _check_run(by, run, effect, now)
    _check_ready(run, effect, now)
    check_not_paused(run, effect)
    if run.state != CLOSING and effect.compensates_id is None:  # clean-up is done whatever was used
        check_left(run, budgets.of_run(run.pk, run.limits))
    ends_at = min(now + timedelta(seconds=document.attempt_timeout_seconds), effect.deadline_at)
    seconds = min(permit.lease_seconds, (ends_at - now).total_seconds())
    taken = rows(TAKE, [[effect.pk], [run.pk], str(by), seconds, [uuid7()], by.via])
    if not taken:
        raise _why_not_taken(run, effect, now)
    attempt = Attempt.objects.get(pk=taken[0]["attempt_id"])
    if (
        attempt.lease_expires_at is not None and attempt.lease_expires_at > ends_at
    ):  # by what passed since the clock was read
        attempt.lease_expires_at = ends_at
        attempt.save(update_fields=["lease_expires_at"])
    ring_after_commit(effect.pk, run.pk, work=False)
    return {
        "attempt": str(attempt.pk), "number": attempt.number, "effect": str(effect.pk), "run": str(run.pk),
        "operation": effect.operation_name, "summary": effect.summary, "target": effect.target,
        "arguments": decode(effect.arguments.encode()), "effect_key": effect_key(effect.pk), "fence": attempt.fence,
        "lease_expires_at": instant(attempt.lease_expires_at),
        "ends_at": instant(ends_at), "deadline_at": instant(effect.deadline_at),
    }  # fmt: skip


@move("heartbeat")
def heartbeat(by: Actor, attempt_id: UUID, *, fence: int) -> dict[str, Any]:
    """Renew the lease of an attempt, as long as it lasts. Raises NotFound, NotByYou, StaleFence, LeaseLost, AlreadyReported."""
    attempt, document = _mine(by, attempt_id)
    permit = cast("Permit", document.permit)
    ends_at = min(attempt.started_at + timedelta(seconds=document.attempt_timeout_seconds), attempt.effect.deadline_at)
    _check_lease(attempt, fence, clock.now())
    renewed = rows(RENEW, [permit.lease_seconds, ends_at, attempt.pk, fence])
    if not renewed:
        raise _lost(attempt)
    return {
        "attempt": str(attempt.pk),
        "lease_expires_at": instant(renewed[0]["lease_expires_at"]),
        "ends_at": instant(ends_at),
    }


def report(
    by: Actor, attempt_id: UUID, *, fence: int, outcome: str, result: Value = None, reason: str = "", reference: str = "",
    evidence: str = "", key: str,
) -> dict[str, Any]:  # fmt: skip
    """Say what came of an attempt, once; the receipt tells what it made of the effect. The result is checked against the contract.

    Raises NotFound, NotByYou, StaleFence, OutcomeNotTaken, BadReport, EvidenceMissing, TooLong; LeaseLost or AlreadyReported when it comes
    too late: then it is kept as late evidence."""
    said = Report(outcome, result, reason.strip(), reference.strip(), evidence.strip())
    try:
        return _report(by, attempt_id, said, fence=fence, key=key)
    except (LeaseLost, AlreadyReported):
        _keep_late(by, attempt_id, said)
        raise


@move("report")
def _report(by: Actor, attempt_id: UUID, said: Report, *, fence: int, key: str) -> dict[str, Any]:
    asked: Object = {"attempt": str(attempt_id), "fence": fence, **said.asked()}
    return once(by, key, "report", asked, lambda: _reported(by, attempt_id, fence, said), about=attempt_id)


@move("hand back")
def hand_back(by: Actor, attempt_id: UUID, *, fence: int, reason: str = "", key: str) -> dict[str, Any]:
    """Give back what was not begun after all: nothing was done, and it is ready again, whatever the contract says of retries.

    Raises NotFound, NotByYou, StaleFence, TooLong, LeaseLost, AlreadyReported."""
    said = Report("not_sent", reason=reason.strip())
    asked: Object = {"attempt": str(attempt_id), "fence": fence, "reason": said.reason}
    return once(
        by, key, "hand_back", asked, lambda: _reported(by, attempt_id, fence, said, back=True), about=attempt_id
    )


def _reported(by: Actor, attempt_id: UUID, fence: int, said: Report, *, back: bool = False) -> dict[str, Any]:
    attempt, document = _mine(by, attempt_id)
    said = said if back else _checked(document, said)
    _check_lengths(said)
    Run.objects.select_for_update(no_key=True).get(pk=attempt.run_id)
    effect = Effect.objects.select_for_update(no_key=True).get(pk=attempt.effect_id)
    attempt, now = Attempt.objects.select_related("effect").get(pk=attempt.pk), clock.now()
    _check_lease(attempt, fence, now)
    step = Step(READY, 0.0, said.reason) if back else _step(document, effect, said, now)
    sent = False if said.outcome == "not_sent" else None
    late = rows(
        SETTLE,
        [
            attempt.pk, fence, said.outcome, step.state, step.delay, sent, step.reason,
            None if said.result is None else canonical(said.result), said.reference, said.kept(by), step.next, str(by), by.via,
        ],
    )  # fmt: skip
    if late:
        raise _lost(attempt)
    ring_after_commit(effect.pk, effect.run_id)
    now_stands = Effect.objects.get(pk=effect.pk)
    return {
        "attempt": str(attempt.pk), "effect": str(effect.pk), "outcome": said.outcome, "state": now_stands.state,
        "reason": now_stands.state_reason, "next_attempt_at": instant(now_stands.next_attempt_at), "at": instant(now),
    }  # fmt: skip


@move("keep late report")
def _keep_late(by: Actor, attempt_id: UUID, said: Report) -> None:
    """Keep what was said too late. Whoever crashes before this has given no answer, and is asked again."""
    attempt, _ = _mine(by, attempt_id)
    Run.objects.select_for_update(no_key=True).get(pk=attempt.run_id)
    rows(KEEP_LATE, [attempt.pk, said.outcome, said.kept(by), str(by), by.via, clock.now()])
    ring_after_commit(attempt.effect_id, attempt.run_id, work=False)


@move("end unpermitted")
def _end_unpermitted(by: Actor, effect_id: UUID) -> None:
    """Judge the permission again and let what does not hold have its consequence; the refused move took that back with itself."""
    effect = Effect.objects.get(pk=effect_id)
    Run.objects.select_for_update(no_key=True).get(pk=effect.run_id)
    effect = Effect.objects.select_for_update(no_key=True).get(pk=effect_id)
    if effect.state == READY:
        asked = [effect.request_id] if effect.request_id else None
        digests = [bytes(effect.effect_digest)] if effect.request_id else None
        granted = [effect.pk] if effect.grant_id else None
        rows(PERMITTED, [[effect.pk], asked, digests, granted, str(by), clock.now()])
        ring_after_commit(effect.pk, effect.run_id, work=False)


def _held(by: Actor, effect_id: UUID, epoch: int | None) -> tuple[Run, Effect]:
    """Lock the effect and its run, as whoever wants to begin it: the run's driver, with its epoch, or a member."""
    run_id = Effect.objects.filter(pk=effect_id).values_list("run_id", flat=True).first()
    if run_id is None:
        raise NotFound
    if by.kind == "agent":
        run = driver.hold(by, run_id, epoch=-1 if epoch is None else epoch)
    else:
        run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    return run, Effect.objects.select_for_update(no_key=True).get(pk=effect_id)


def _permit(by: Actor, run: Run, effect: Effect, document: OperationDocument) -> Permit:
    """Give what the contract allows to whom; NotByYou for everybody else."""
    permit = document.permit
    if permit is None or {AGENT: "agent", HUMAN: "member"}[effect.executor] != by.kind:
        raise NotByYou(executor=effect.executor, state=effect.state, version=run.ledger_seq)
    if effect.executor == HUMAN:
        check_may_do(by, permit)
    return permit


def check_may_do(by: Actor, permit: Permit) -> None:
    """Refuse members whom the contract does not name. Raises NotByYou."""
    member = Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True).first()
    if member is None or not (set(permit.groups) & set(member.groups) if permit.groups else "operator" in member.roles):
        raise NotByYou(groups=list(permit.groups))


def _check_run(by: Actor, run: Run, effect: Effect, now: datetime) -> None:
    """Refuse what its run does not let begin now, as a claim does: clean-up is done while the run closes, and a person's part while it
    waits, perhaps for just that. A driver whose run waits has it go on first."""
    if effect.compensates_id is not None:
        driver.check_not_set_aside(run)
    elif not (run.state == CLOSING and effect.cleanup):
        driver.check_going_on(run, now, may_wait=by.kind == "member")
    if by.kind == "agent":
        check_seen(run)


def _check_ready(run: Run, effect: Effect, now: datetime) -> None:
    standing: dict[str, Any] = {"state": effect.state, "version": run.ledger_seq}
    if effect.attempts.filter(state=RUNNING).exists():
        raise AlreadyHeld(**standing)
    if effect.state != READY:
        raise NotReady(**standing)
    if effect.deadline_at <= now:
        raise EffectOutOfTime(deadline_at=instant(effect.deadline_at), **standing)
    if not run.agent.active and effect.compensates_id is None:
        raise AgentInactive(**standing)
    if effect.next_attempt_at is not None and effect.next_attempt_at > now:
        raise NotReady("This is tried again later.", next_attempt_at=instant(effect.next_attempt_at), **standing)


def _why_not_taken(run: Run, effect: Effect, now: datetime) -> Refusal:
    stands = Effect.objects.get(pk=effect.pk)
    if stands.state != READY:
        return NotPermitted(reason=stands.state_reason, state=stands.state, version=run.ledger_seq)
    return NoFreeSlot(dependency=effect.dependency_name, state=effect.state, version=run.ledger_seq)


def _mine(by: Actor, attempt_id: UUID) -> tuple[Attempt, OperationDocument]:
    """Give an attempt that this principal began, with its contract. Raises NotFound, NotByYou."""
    attempt = Attempt.objects.select_related("effect").filter(pk=attempt_id).first()
    if attempt is None:
        raise NotFound
    operation_id = attempt.effect.operation_id
    document = catalogue.operations_by_id([operation_id])[operation_id].document
    if attempt.worker != str(by) or document.permit is None:
        raise NotByYou(executor=attempt.effect.executor)
    return attempt, document


def _check_lease(attempt: Attempt, fence: int, now: datetime) -> None:
    _check_fence(attempt, fence)
    if attempt.state == ENDED:
        raise AlreadyReported(state=attempt.effect.state, outcome=attempt.outcome, at=instant(attempt.ended_at))
    if attempt.lease_expires_at is None or attempt.lease_expires_at <= now:
        raise _lost(attempt)


def _check_fence(attempt: Attempt, fence: int) -> None:
    if attempt.fence != fence:
        raise StaleFence(state=attempt.effect.state, attempt_state=attempt.state)


def _lost(attempt: Attempt) -> LeaseLost:
    return LeaseLost(
        state=attempt.effect.state, attempt_state=attempt.state, fence=attempt.effect.fence,
        lease_expires_at=instant(attempt.lease_expires_at)
    )  # fmt: skip


def _checked(document: OperationDocument, said: Report) -> Report:
    """Hold a report against its contract, and give it with the result as it is kept."""
    permit = cast("Permit", document.permit)
    if said.outcome not in permit.reports.outcomes | ALWAYS:
        raise OutcomeNotTaken(path="/outcome", outcome=said.outcome, taken=sorted(permit.reports.outcomes | ALWAYS))
    if permit.evidence_required and said.outcome in DONE and not (said.evidence or said.reference):
        raise EvidenceMissing(path="/evidence")
    try:
        result = permit.reports.take(said.outcome, said.result)
    except BadResult as bad:
        first = bad.faults[0]
        errors = [{"path": fault.path, "code": fault.code, "detail": fault.message} for fault in bad.faults]
        raise BadReport(first.message, path=first.path, errors=errors) from None
    return Report(said.outcome, result, said.reason, said.reference, said.evidence)


def _check_lengths(said: Report) -> None:
    for name in ("reason", "reference", "evidence"):
        if len(getattr(said, name)) > LONGEST:
            raise TooLong(path=f"/{name}")


def _step(document: OperationDocument, effect: Effect, said: Report, now: datetime) -> Step:
    acts = Attempt.objects.filter(effect=effect, kind=ACT).aggregate(acts=Count("pk"), first_at=Min("started_at"))
    tried = Tried(acts["acts"], acts["first_at"], now, effect.deadline_at, granted=effect.attempts_granted)
    return verified_first(after_act(said.outcome, said.reason, document.retry, tried), effect.state, document.verify)
