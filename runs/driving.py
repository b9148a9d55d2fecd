"""What a driver says of its run: it is done, it failed, this effect is not wanted any more. Each once per key, each with the epoch."""

from datetime import datetime
from typing import Any
from uuid import UUID

from approvals import closing
from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, Value, canonical
from console.http.refusals import InvalidContent, NotFound, ReasonTooLong, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import catalogue, driver, record
from runs.models import Effect, Run
from runs.states import CLOSING, FAILED, SUCCEEDED, SUCCEEDED_WITH_UNRESOLVED, UNSTARTED, WITHDRAWN

LONGEST_REASON = 2000


class UnresolvedEffects(Refusal):
    """The run cannot be completed: effects are still open, or a required one was not done. They are named."""

    code = "unresolved_effects"


class NotNamed(InvalidContent):
    """`accept_unresolved` names exactly the effects that are unknown or partial, and this type of run allows it."""

    code = "unresolved_not_named"


class AlreadyBegun(Refusal):
    """This was begun already and can no longer be withdrawn."""

    code = "already_begun"


class ReasonMissing(InvalidContent):
    """Say why."""

    code = "reason_missing"


@move("complete")
def complete(
    by: Actor,
    run_id: UUID,
    *,
    epoch: int,
    result: Value,
    accept_unresolved: list[UUID],
    key: str,
    version: int | None = None,
) -> dict[str, Any]:
    """Complete the run, if the gate lets it (R-A8). Raises UnresolvedEffects, which names what stands in the way, and NotNamed."""
    asked: Object = {
        "run": str(run_id),
        "result": result,
        "accept_unresolved": [str(effect) for effect in accept_unresolved],
    }
    return once(
        by,
        key,
        "complete",
        asked,
        lambda: _complete(by, run_id, epoch, version, result, set(accept_unresolved)),
        about=run_id,
    )


@move("fail")
def fail(by: Actor, run_id: UUID, *, epoch: int, reason: str, key: str, version: int | None = None) -> dict[str, Any]:
    """Give the run up: what has not begun is withdrawn; it ends as failed once nothing is in flight or unknown."""
    _check_length(reason)
    if not reason.strip():
        raise ReasonMissing(path="/reason")
    return once(
        by,
        key,
        "fail",
        {"run": str(run_id), "reason": reason},
        lambda: _fail(by, run_id, epoch, version, reason.strip()),
        about=run_id,
    )


@move("withdraw")
def withdraw(
    by: Actor, effect_id: UUID, *, epoch: int, reason: str, key: str, version: int | None = None
) -> dict[str, Any]:
    """Withdraw an effect that has not begun, with its request; those that wait for it are withdrawn too."""
    _check_length(reason)
    return once(
        by,
        key,
        "withdraw",
        {"effect": str(effect_id), "reason": reason},
        lambda: _withdraw(by, effect_id, epoch, version, reason.strip()),
        about=effect_id,
    )


def _check_length(reason: str) -> None:
    if len(reason) > LONGEST_REASON:
        raise ReasonTooLong(path="/reason")


def _complete(
    by: Actor, run_id: UUID, epoch: int, version: int | None, result: Value, named: set[UUID]
) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    driver.check_going_on(run, now)
    gate = rows("select * from runs_gate(%s::uuid[])", [[run.pk]])[0]
    allowed = catalogue.run_type(run.run_type_id).document.complete_with_unresolved
    unresolved = set(gate["unresolved"])
    if named and (not allowed or not named <= unresolved):
        raise NotNamed(path="/accept_unresolved", unresolved=_listed(gate["unresolved"]), allowed=allowed)
    if gate["unstarted"] or gate["in_flight"] or gate["unmet"] or unresolved - named:
        raise UnresolvedEffects(
            open=_listed(gate["unstarted"] + gate["in_flight"]), unresolved=_listed(gate["unresolved"]), not_done=_listed(gate["unmet"]),
            state=run.state, version=run.ledger_seq,
        )  # fmt: skip
    target = SUCCEEDED_WITH_UNRESOLVED if unresolved else SUCCEEDED
    text = canonical(result)
    Run.objects.filter(pk=run.pk).update(state=target, result=text, unresolved=sorted(unresolved), ended_at=now)
    record.write(
        [(run.pk, "run.completed", {"to": target, "result": text, "unresolved": _listed(sorted(unresolved))})], by, now
    )
    ring_after_commit(run.pk, work=False)
    return {"run": str(run.pk), "state": target, "at": instant(now)}


def _fail(by: Actor, run_id: UUID, epoch: int, version: int | None, reason: str) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    if run.state != CLOSING:
        driver.check_going_on(run, now)
    state = close(by, [run], toward=FAILED, reason=reason, now=now)
    return {"run": str(run.pk), "state": state[run.pk], "at": instant(now)}


def close(by: Actor, runs: list[Run], *, toward: str, reason: str, now: datetime) -> dict[UUID, str]:
    """Bring locked runs to their end: withdraw what has not begun, and end those in which nothing is in flight or unknown.

    Gives each run's state."""
    ids = [run.pk for run in runs]
    entries: list[tuple[UUID, str, Object]] = [
        (run.pk, "run.closing", {"toward": toward, "reason": reason}) for run in runs if run.state != CLOSING
    ]
    going = [run.pk for run in runs if run.state != CLOSING]
    Run.objects.filter(pk__in=going).update(state=CLOSING, closing_toward=toward, closing_reason=reason)
    record.write(entries, by, now)
    waiting = list(
        Effect.objects.select_for_update(no_key=True).filter(run_id__in=ids, state__in=UNSTARTED).order_by("pk")
    )
    end_unstarted(by, waiting, WITHDRAWN, "the run is closing", now)
    rows("select runs_finish(%s::uuid[], %s, %s)", [ids, str(by), now])
    ring_after_commit(*ids, *[effect.pk for effect in waiting], work=False)
    return dict(Run.objects.filter(pk__in=ids).values_list("pk", "state"))


def _withdraw(by: Actor, effect_id: UUID, epoch: int, version: int | None, reason: str) -> dict[str, Any]:
    run_id = Effect.objects.filter(pk=effect_id).values_list("run_id", flat=True).first()
    if run_id is None:
        raise NotFound
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    effect = Effect.objects.select_for_update(no_key=True).get(pk=effect_id)
    if effect.state not in UNSTARTED:
        raise AlreadyBegun(state=effect.state, version=run.ledger_seq)
    end_unstarted(by, [effect], WITHDRAWN, reason or "the agent withdrew it", now)
    rows("select runs_after_endings(%s::uuid[], %s, %s)", [[run.pk], str(by), now])
    ring_after_commit(effect.pk, run.pk)
    return {"effect": str(effect.pk), "state": WITHDRAWN, "at": instant(now)}


def end_unstarted(by: Actor, effects: list[Effect], state: str, reason: str, now: datetime) -> None:
    """End locked effects that have not begun, as withdrawn or expired, and withdraw the requests they asked."""
    if not effects:
        return
    Effect.objects.filter(pk__in=[effect.pk for effect in effects]).update(
        state=state, state_reason=reason, ended_at=now, next_attempt_at=None
    )
    entries: list[tuple[UUID, str, Object]] = [
        (effect.run_id, f"effect.{state}", {"effect": str(effect.pk), "to": state, "reason": reason})
        for effect in effects
    ]
    record.write(entries, by, now)
    closing.withdraw(by, [effect.request_id for effect in effects if effect.request_id], reason, now)


def _listed(ids: list[UUID]) -> list[Value]:
    return [str(effect) for effect in ids]
