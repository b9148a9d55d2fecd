"""A plan that waits for somebody's word before anything of it runs: approved, or declined, by another than who asked for it (R-J1)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from compensation import entries
from compensation.deeds.standing import desk_member, operates
from compensation.models import Plan, WorkItem
from compensation.states import ASKED, DECLINED, DROPPED, IN_FORCE, ITEM_OPEN, PROPOSED, REQUIRED
from compensation.working import ending as of_runs
from compensation.working import moving, starting
from compensation.working.mirroring import Stand
from compensation.working.moving import Moved
from compensation.writing import Change, changed, write
from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http import reasons
from console.http.refusals import NotFound, Refusal
from console.identity.models import Agent, Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs.compensating.standing import stands
from runs.models import Run
from runs.states import CLOSING, TO_PLAN
from runs.unknowns.seconding import SecondPerson
from runs.unknowns.standing import NotAnOperator

NOT_APPROVED: Final = "Its plan was declined."


class PlanDecided(Refusal):
    """This plan is decided; `state` says how."""

    code = "plan_decided"


@move("approve plan")
def approve_plan(by: Actor, plan_id: UUID, *, reason: str = "", version: int | None = None, key: str) -> dict[str, Any]:
    """Put a plan in force, with which its work items begin. `version` is the plan's as it was seen; None: whichever.

    Raises NotFound, NotAnOperator, SecondPerson, PlanDecided, StaleVersion, ReasonTooLong."""
    reasons.check_length(reason)
    asked: Object = {"plan": str(plan_id), "reason": reason}
    return once(by, key, "approve_plan", asked, lambda: _approve(by, plan_id, reason.strip(), version), about=plan_id)


@move("decline plan")
def decline_plan(by: Actor, plan_id: UUID, *, reason: str, version: int | None = None, key: str) -> dict[str, Any]:
    """Decline a plan, with a reason; nothing of it begins, and what it was to make good for without being asked is left to people.

    Raises NotFound, NotAnOperator, PlanDecided, StaleVersion, ReasonMissing, ReasonTooLong."""
    why = reasons.given(reason)
    asked: Object = {"plan": str(plan_id), "reason": why}
    return once(by, key, "decline_plan", asked, lambda: _decline(by, plan_id, why, version), about=plan_id)


def may_approve(member: Member, plan: Plan, items: Sequence[WorkItem]) -> bool:
    """Tell whether a member may put a plan in force: who operates, but where an item needs two people not whoever asked for the plan."""
    return operates(member) and not (any(item.needs_second for item in items) and asked_for(member, plan.asked_by))


def _approve(by: Actor, plan_id: UUID, reason: str, version: int | None) -> dict[str, Any]:
    run, plan, items, member = _held(by, plan_id)
    now = clock.now()
    if not may_approve(member, plan, items):
        raise SecondPerson("Another member than the one who asked for this plan approves it.", **_standing(plan))
    _check_waits(plan)
    entries.check_seen(plan, version, _standing(plan))
    write(by, [_decided(plan, "plan.approved", IN_FORCE, member, reason, now)], now)
    starting.begin_due(by, run, now)
    of_runs.look(by, [run], now)
    return _receipt(run, plan, now)


def _decline(by: Actor, plan_id: UUID, reason: str, version: int | None) -> dict[str, Any]:
    run, plan, items, member = _held(by, plan_id)
    now = clock.now()
    _check_waits(plan)
    entries.check_seen(plan, version, _standing(plan))
    write(by, [_decided(plan, "plan.declined", DECLINED, member, reason, now)], now)
    dropped = Stand(DROPPED, reason=NOT_APPROVED)
    moving.move(by, [Moved(item, dropped) for item in items if _is_left(plan, item)], now)
    starting.begin_due(by, run, now)
    if run.state == CLOSING and plan.cause != run.closing_toward and run.compensation != TO_PLAN:
        # What the closing itself calls for has its own plan: the no to another does not speak for it.
        stands(by, [run], TO_PLAN, now)
    of_runs.look(by, [run], now)
    return _receipt(run, plan, now)


def _decided(plan: Plan, kind: str, to: str, member: Member, reason: str, now: datetime) -> Change:
    who: dict[str, Any] = {"decided_by_id": member.pk, "decided_at": now, "decided_reason": reason}
    return changed(plan, kind, state=to, next_alert_at=None, **who)


def _is_left(plan: Plan, item: WorkItem) -> bool:
    """Tell whether a work item goes with its plan. A no to the plan waives nothing that has to be made good for, asked for or not."""
    return item.state in ITEM_OPEN and (plan.cause == ASKED or item.need != REQUIRED)


def _held(by: Actor, plan_id: UUID) -> tuple[Run, Plan, list[WorkItem], Member]:
    """Lock a plan with its run and its items for a member who operates. Raises NotFound, NotAnOperator."""
    run_id = Plan.objects.filter(pk=plan_id, tenant_id=by.tenant).values_list("run_id", flat=True).first()
    if run_id is None:
        raise NotFound
    run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    plan = Plan.objects.select_related("decided_by__user").select_for_update(no_key=True, of=("self",)).get(pk=plan_id)
    items = list(WorkItem.objects.filter(plan=plan).order_by("pk").select_for_update(no_key=True))
    member = desk_member(by)
    if member is None or not operates(member):
        raise NotAnOperator("Operators and admins approve and decline plans.")
    return run, plan, items, member


def asked_for(member: Member, asked_by: str) -> bool:
    """Tell whether a member asked for a plan, themselves or by an agent that they answer for. `asked_by` is an actor of the record."""
    kind, _, name = asked_by.partition(":")
    if kind == "agent":
        return Agent.objects.filter(pk=name, owner=member).exists()
    return kind == "member" and name == str(member.pk)


def _check_waits(plan: Plan) -> None:
    if plan.state != PROPOSED:
        by = plan.decided_by
        raise PlanDecided(
            by=by.user.name if by else None, at=instant(plan.decided_at), reason=plan.decided_reason, **_standing(plan)
        )


def _standing(plan: Plan) -> dict[str, Any]:
    return {"plan": str(plan.pk), "state": plan.state, "version": plan.ledger_seq}


def _receipt(run: Run, plan: Plan, now: datetime) -> dict[str, Any]:
    ring_after_commit(plan.pk, run.pk)
    version = Plan.objects.values_list("ledger_seq", flat=True).get(pk=plan.pk)
    return {"plan": str(plan.pk), "run": str(run.pk), "state": plan.state, "version": version, "at": instant(now)}
