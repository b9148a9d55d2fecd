"""Cancelling an effect, a run, or a run with all that it started: asked for once, told at once, and proven when nothing is open."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from console import clock
from console.clock import instant
from console.crashpoint import crashpoint
from console.exact import Object
from console.http import reasons
from console.http.refusals import InvalidContent, NotFound, Refusal
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver
from runs.cancelling import standing, stopping, tree
from runs.cancelling.rule import EFFECT, IMMEDIATE, RUN, TREE, Rule, rule_of_effect, rule_of_run
from runs.compensating.guarding import check_not_making_good
from runs.models import Cancellation, Effect, Run
from runs.states import CANCELLATION_MODES, CANCELLED, CLOSING, OPEN, RUN_OPEN

HARDER: Final = {"graceful": 0, IMMEDIATE: 1}
WIDER: Final = {RUN: 0, TREE: 1}


class AlreadyOver(Refusal):
    """This effect is over; there is nothing to cancel."""

    code = "already_over"


class BadCancellation(InvalidContent):
    """A cancellation is of a run or its tree, graceful or immediate."""

    code = "bad_cancellation"


class NotClosing(Refusal):
    """This run is not being cancelled."""

    code = "not_closing"


def cancel_run(
    by: Actor, run_id: UUID, *, reason: str, key: str, scope: str | None = None, mode: str | None = None, epoch: int | None = None,
    version: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Cancel a run, and with scope `tree` all that it started; what nobody says is as its contract has it.

    Raises NotFound, StaleToken, MayNotCancel, RunEnded, ReasonMissing, BadCancellation. A wish that stands already is joined."""
    receipt = _cancel_run(by, run_id, scope=scope, mode=mode, reason=reason, key=key, epoch=epoch, version=version)
    crashpoint("cancel.after_request")
    tree.stop_children(by, UUID(receipt["cancellation"]))
    return receipt if receipt.get("replayed") else stands_now(by, receipt)


@move("cancel")
def _cancel_run(
    by: Actor,
    run_id: UUID,
    *,
    scope: str | None,
    mode: str | None,
    reason: str,
    key: str,
    epoch: int | None,
    version: int | None,
) -> dict[str, Any]:
    said = reasons.given(reason)
    if scope not in {None, RUN, TREE} or mode not in {None, *CANCELLATION_MODES}:
        raise BadCancellation(path="/scope" if scope not in {None, RUN, TREE} else "/mode")
    asked: Object = {"run": str(run_id), "scope": scope, "mode": mode, "reason": said}
    return once(by, key, "cancel", asked, lambda: _run(by, run_id, scope, mode, said, epoch, version), about=run_id)


@move("cancel effect")
def cancel_effect(
    by: Actor, effect_id: UUID, *, reason: str, key: str, mode: str | None = None, epoch: int | None = None,
    version: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Cancel an effect: withdrawn if it has not begun, else asked to stop where its contract has a call for that, and found out.

    Raises NotFound, StaleToken, MayNotCancel, AlreadyOver, ReasonMissing, BadCancellation."""
    said = reasons.given(reason)
    if mode not in {None, *CANCELLATION_MODES}:
        raise BadCancellation(path="/mode")
    asked: Object = {"effect": str(effect_id), "mode": mode, "reason": said}
    return once(
        by, key, "cancel_effect", asked, lambda: _effect(by, effect_id, mode, said, epoch, version), about=effect_id
    )


@move("finish cancelling")
def stopped(by: Actor, run_id: UUID, *, epoch: int, key: str) -> dict[str, Any]:
    """Say as the driver that the clean-up is done: the run need not wait for the rest of its time. Raises StaleToken, NotClosing."""
    return once(by, key, "stopped", {"run": str(run_id)}, lambda: _stopped(by, run_id, epoch), about=run_id)


def _run(
    by: Actor, run_id: UUID, scope: str | None, mode: str | None, reason: str, epoch: int | None, version: int | None
) -> dict[str, Any]:
    run = standing.hold(by, run_id, epoch=epoch, version=version)
    rule = rule_of_run(run)
    standing.check(by, rule)
    now = clock.now()
    scope, mode = scope or rule.scope, mode or rule.mode
    if run.state not in RUN_OPEN and not (run.state == CLOSING and run.closing_toward == CANCELLED):
        raise driver.RunEnded(state=run.state, version=run.ledger_seq)
    stands = _joined(run, scope, mode)
    made = stands or stopping.stop(by, run, scope=scope, mode=mode, reason=reason, now=now)
    return _receipt(made, now, joined=stands is not None)


def _joined(run: Run, scope: str, mode: str) -> Cancellation | None:
    """Give the wish that stands already and asks for no less."""
    standing_ones = Cancellation.objects.filter(run=run, effect=None, state__in=stopping.OPEN).order_by("number")
    return next(
        (each for each in standing_ones if HARDER[each.mode] >= HARDER[mode] and WIDER[each.scope] >= WIDER[scope]),
        None,
    )


def _effect(
    by: Actor, effect_id: UUID, mode: str | None, reason: str, epoch: int | None, version: int | None
) -> dict[str, Any]:
    run_id = Effect.objects.filter(pk=effect_id, tenant_id=by.tenant).values_list("run_id", flat=True).first()
    if run_id is None:
        raise NotFound
    run = standing.hold(by, run_id, epoch=epoch, version=version)
    effect = Effect.objects.select_for_update(no_key=True).get(pk=effect_id)
    rule: Rule = rule_of_effect(effect)
    standing.check(by, rule)
    check_not_making_good(by, effect, run.ledger_seq)
    now = clock.now()
    if effect.state not in OPEN:
        raise AlreadyOver(state=effect.state, version=run.ledger_seq)
    stands = Cancellation.objects.filter(effect=effect, state__in=stopping.OPEN).order_by("number").first()
    made = stands or stopping.stop_effect(by, run, effect, mode=mode or rule.mode, reason=reason, now=now)
    return _receipt(made, now, joined=stands is not None)


def _stopped(by: Actor, run_id: UUID, epoch: int) -> dict[str, Any]:
    run = driver.hold(by, run_id, epoch=epoch)
    if run.state != CLOSING or run.closing_toward != CANCELLED:
        raise NotClosing(state=run.state, version=run.ledger_seq)
    now = clock.now()
    stopping.cut_grace(by, run, now)
    tree.look(by, list(Cancellation.objects.filter(run=run, effect=None, state__in=stopping.OPEN)), now)
    last = Cancellation.objects.filter(run=run, effect=None).order_by("-number")[0]
    return _receipt(last, now, joined=True)


def stands_now(by: Actor, receipt: dict[str, Any]) -> dict[str, Any]:
    """Give a receipt with what became of it since: children that were stopped meanwhile may have let it end."""
    found = tree.read(by, UUID(receipt["cancellation"]))
    return {**receipt, "state": found.run.state, "cancellation_state": found.state}


def _receipt(made: Cancellation, now: datetime, *, joined: bool) -> dict[str, Any]:
    state = Run.objects.values_list("state", flat=True).get(pk=made.run_id)
    about: dict[str, Any] = {}
    if made.scope == EFFECT and made.effect_id:
        about = {
            "effect": str(made.effect_id),
            "effect_state": Effect.objects.values_list("state", flat=True).get(pk=made.effect_id),
        }
    return {
        "run": str(made.run_id), **about, "cancellation": str(made.pk), "number": made.number, "scope": made.scope, "mode": made.mode,
        "state": state, "cancellation_state": made.state, "grace_until": instant(made.grace_until), "joined": joined, "at": instant(now),
    }  # fmt: skip
