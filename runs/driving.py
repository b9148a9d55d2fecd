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
from console.http import reasons
from console.http.refusals import InvalidContent, NotFound, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import catalogue, driver, record
from runs.compensating.guarding import check_not_making_good
from runs.corrections.seen import check_seen
from runs.models import Effect, Run
from runs.states import (
    CLOSING,
    FAILED,
    RUN_OPEN,
    SUCCEEDED,
    SUCCEEDED_WITH_UNRESOLVED,
    TO_PLAN,
    TO_UNDO,
    UNSTARTED,
    WITHDRAWN,
)
from runs.waits import telling, waking

# The gate, and whether something calls for compensation that is not planned yet.
GATE = """select g.*, exists (select from runs_effect e where e.run_id = g.run_id and e.undo_due) as to_undo
          from runs_gate(%s::uuid[]) g"""


class UnresolvedEffects(Refusal):
    """The run cannot be completed: effects are still open, or a required one was not done. They are named."""

    code = "unresolved_effects"


class CompensationOpen(Refusal):
    """The run cannot be completed: what it makes good for is not over."""

    code = "compensation_open"


class NotNamed(InvalidContent):
    """`accept_unresolved` names exactly the effects that are unknown or partial, and this type of run allows it."""

    code = "unresolved_not_named"


class AlreadyBegun(Refusal):
    """This was begun already and can no longer be withdrawn."""

    code = "already_begun"


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
    """Complete the run, if the gate lets it (R-A8). Raises UnresolvedEffects, which names what stands in the way, NotNamed, and
    CompensationOpen."""
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
    why = reasons.given(reason)
    return once(
        by,
        key,
        "fail",
        {"run": str(run_id), "reason": reason},
        lambda: _fail(by, run_id, epoch, version, why),
        about=run_id,
    )


@move("withdraw")
def withdraw(
    by: Actor, effect_id: UUID, *, epoch: int, reason: str, key: str, version: int | None = None
) -> dict[str, Any]:
    """Withdraw an effect that has not begun, with its request; those that wait for it are withdrawn too."""
    reasons.check_length(reason)
    return once(
        by,
        key,
        "withdraw",
        {"effect": str(effect_id), "reason": reason},
        lambda: _withdraw(by, effect_id, epoch, version, reason.strip()),
        about=effect_id,
    )


def _complete(
    by: Actor, run_id: UUID, epoch: int, version: int | None, result: Value, named: set[UUID]
) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    driver.check_going_on(run, now)
    check_seen(run)
    if run.compensation in {TO_PLAN, TO_UNDO}:
        raise CompensationOpen(compensation=run.compensation, state=run.state, version=run.ledger_seq)
    gate = rows(GATE, [[run.pk]])[0]
    if gate["to_undo"]:
        raise CompensationOpen(compensation=TO_PLAN, state=run.state, version=run.ledger_seq)
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
    if run.open_waits:
        waking.drop(by, [run.pk], "the run was completed", now)
    text = canonical(result)
    Run.objects.filter(pk=run.pk).update(
        state=target, result=text, unresolved=sorted(unresolved), ended_at=now, watch_at=None
    )
    record.write(
        [(run.pk, "run.completed", {"to": target, "result": text, "unresolved": _listed(sorted(unresolved))})], by, now
    )
    telling.after_commit([run])
    rows("select runs_children_ended(%s::uuid[], %s)", [[run.pk], now])
    ring_after_commit(run.pk, work=False)
    return {"run": str(run.pk), "state": target, "at": instant(now)}


def _fail(by: Actor, run_id: UUID, epoch: int, version: int | None, reason: str) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    if run.state not in RUN_OPEN | {CLOSING}:
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
    Run.objects.filter(pk__in=going).update(
        state=CLOSING,
        closing_toward=toward,
        closing_reason=reason,
        watch_at=None,
        attention="",
        attention_since=None,
        attention_reason="",
    )
    record.write(entries, by, now)
    if any(run.compensation for run in runs):
        rows("select runs_compensate_anew(%s::uuid[], %s, %s)", [going, str(by), now])
    waiting = list(
        Effect.objects.select_for_update(no_key=True)
        .filter(run_id__in=ids, state__in=UNSTARTED, cleanup=False)
        .order_by("pk")
    )
    end_unstarted(by, waiting, WITHDRAWN, "the run is closing", now)
    waking.drop(by, ids, "the run is closing", now)
    # What is left is clean-up; what had held it back (a resume that was due, a budget, a quarantine) holds it no more.
    due = rows("select runs_unpark(%s::uuid[], %s) as due", [going, now])[0]["due"]
    rows("select runs_finish(%s::uuid[], %s, %s)", [ids, str(by), now])
    telling.after_commit(runs)
    ring_after_commit(*ids, *[effect.pk for effect in waiting], work=due > 0)
    return dict(Run.objects.filter(pk__in=ids).values_list("pk", "state"))


def _withdraw(by: Actor, effect_id: UUID, epoch: int, version: int | None, reason: str) -> dict[str, Any]:
    run_id = Effect.objects.filter(pk=effect_id).values_list("run_id", flat=True).first()
    if run_id is None:
        raise NotFound
    run = driver.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    effect = Effect.objects.select_for_update(no_key=True).get(pk=effect_id)
    check_not_making_good(by, effect, run.ledger_seq)
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
    closing.withdraw_about(by, [effect.pk for effect in effects if effect.request_id], reason, now)


def _listed(ids: list[UUID]) -> list[Value]:
    return [str(effect) for effect in ids]
