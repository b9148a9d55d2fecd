"""Asking for compensation, of a run or of effects of it: by its driver, operators and administrators, as contracts say (R-J1, CMP-03)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from compensation.models import Plan, WorkItem
from compensation.plans import capacity, planner, reading, refusing
from compensation.plans.planner import Wish
from compensation.plans.planning import Planned, Planning
from compensation.states import ASKED
from console import clock
from console.clock import instant
from console.exact import Object, decode
from console.http import reasons
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs.models import Effect, Run


@move("compensate")
def ask(
    by: Actor, run_id: UUID, *, effects: list[UUID] | None, reason: str, key: str, epoch: int | None = None, version: int | None = None,
    plan_first: bool = False, preview: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Have effects of a run made good for (None: all that happened in it), and give the plan with its work items.

    `preview` shows the plan and writes nothing. Raises NotFound, StaleToken, StaleVersion, ReasonMissing, EffectsNotNamed,
    MayNotCompensate, AlreadyCompensated, CompensationOfCompensation, NotCompensable."""
    why = reasons.given(reason)
    refusing.check_named(effects)
    if preview:
        return _preview(by, run_id, effects, why)
    asked: Object = {
        "run": str(run_id), "effects": None if effects is None else sorted(map(str, effects)), "reason": why, "plan_first": plan_first,
    }  # fmt: skip
    return once(
        by, key, "compensate", asked, lambda: _ask(by, run_id, effects, why, epoch, version, plan_first), about=run_id
    )


def _ask(
    by: Actor, run_id: UUID, effects: list[UUID] | None, reason: str, epoch: int | None, version: int | None, plan_first: bool
) -> dict[str, Any]:  # fmt: skip
    run = capacity.hold(by, run_id, epoch=epoch, version=version)
    now = clock.now()
    wish = _wish(run, effects, reason, plan_first=plan_first)
    known = reading.read([run])
    planning = _looked(by, wish, known, now)
    refusing.check(run, planning, named=effects is not None)
    made = planner.write(by, [(wish, planning)], known, now)[run.pk]
    return _receipt(made, now)


def _preview(by: Actor, run_id: UUID, effects: list[UUID] | None, reason: str) -> dict[str, Any]:
    run = capacity.find(by, run_id)
    now = clock.now()
    planning = _looked(by, _wish(run, effects, reason), reading.read([run]), now)
    of = dict(Effect.objects.filter(run=run).values_list("pk", "number"))
    left = [
        {"effect": str(each.effect), "number": of[each.effect], "why": each.why, "item": str(each.item) if each.item else None}
        for each in planning.left
    ]  # fmt: skip
    return {
        "run": str(run.pk), "preview": True, "approve_first": planning.approve_first,
        "items": [_shown(each, of) for each in planning.items], "left": left, "at": instant(now),
    }  # fmt: skip


def _wish(run: Run, effects: list[UUID] | None, reason: str, *, plan_first: bool = False) -> Wish:
    return Wish(run, ASKED, reason, None if effects is None else frozenset(effects), plan_first=plan_first)


def _looked(by: Actor, wish: Wish, known: reading.Read, now: datetime) -> Planning:
    """Plan for somebody, who may ask for all of it."""
    effects = {each.id: each for each in known.effects.get(wish.run.pk, ())}
    refusing.check_in_run(wish, effects.keys())
    planning = planner.look(wish, known, now)
    capacity.check(by, [effects[each.effect] for each in planning.items])
    return planning


def _receipt(made: Plan, now: datetime) -> dict[str, Any]:
    """Tell what came of it; what could begin has begun."""
    items = [
        {
            "item": str(each.pk), "number": each.number, "effect": str(each.effect_id), "operation": each.operation, "state": each.state,
            "waits_for": each.waits_for, "acting": str(each.acting_id) if each.acting_id else None,
        }
        for each in WorkItem.objects.filter(plan=made.pk).order_by("number")
    ]  # fmt: skip
    run = Run.objects.values("state", "compensation", "ledger_seq").get(pk=made.run_id)
    return {
        "run": str(made.run_id), "plan": str(made.pk), "number": made.number, "plan_state": made.state, "items": items,
        "state": run["state"], "compensation": run["compensation"], "version": run["ledger_seq"], "at": instant(now),
    }  # fmt: skip


def _shown(each: Planned, numbers: dict[UUID, int]) -> dict[str, Any]:
    """Show an item as it would be planned."""
    return {
        "effect": str(each.effect), "number": numbers[each.effect], "kind": each.kind, "operation": each.operation, "summary": each.summary,
        "target": each.target, "arguments": decode(each.arguments) if each.arguments else None, "need": each.need, "weight": each.weight,
        "waits_for": each.waits_for, "reason": each.state_reason, "after": [str(effect) for effect in each.turn.few],
        "after_count": each.turn.count,
        "authority": each.authority, "deadline_at": instant(each.deadline_at), "expects": decode(each.expects) if each.expects else [],
        "residue": decode(each.residue) if each.residue else [], "verification": each.verification, "instructions": each.instructions,
        "needs_second": each.needs_second, "owner_group": each.owner_group,
    }  # fmt: skip
