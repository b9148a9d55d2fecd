"""Work items that people add by hand, to any run whatever its state: what no contract foresaw, with instructions and a checklist (R-J2)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max
from uuid_utils.compat import uuid7

from compensation.checklists import written
from compensation.deeds.standing import Held, desk_member, operates, receipt
from compensation.deeds.wanted import BadItem, Wanted, checked
from compensation.models import Plan, WorkItem
from compensation.states import BY_HAND, IN_FORCE, MANUAL, PLANNED, REQUIRED
from compensation.working import ending as of_runs
from compensation.working import starting
from compensation.writing import add
from console import clock
from console.exact import Object, Value, canonical
from console.http.refusals import NotFound
from console.identity.groups import is_known
from console.identity.models import Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs.compensating.standing import stands
from runs.contracts.undoing import LADDER, OWNER
from runs.models import Run
from runs.states import TO_PLAN, TO_UNDO
from runs.unknowns.standing import NotAnOperator


@move("add item")
def add_manual(
    by: Actor, run_id: UUID, *, summary: str, instructions: str = "", checklist: Sequence[str] = (), need: str = REQUIRED,
    deadline_seconds: int | None = None, owner_group: str = OWNER, after: Sequence[UUID] = (), needs_second: bool = False, reason: str,
    key: str,
) -> dict[str, Any]:  # fmt: skip
    """Add a work item for people to a run, in a plan of its own. Only who operates does.

    Raises NotFound, NotAnOperator, BadItem, ReasonMissing, ReasonTooLong."""
    wanted = Wanted(
        summary=summary, instructions=instructions, checklist=checklist, need=need, deadline_seconds=deadline_seconds,
        owner_group=owner_group, after=after, needs_second=needs_second, reason=reason,
    )  # fmt: skip
    item = checked(wanted)
    asked: Object = {"run": str(run_id), **item.asked()}
    return once(by, key, "add_item", asked, lambda: _add(by, run_id, item), about=run_id)


def _add(by: Actor, run_id: UUID, wanted: Wanted) -> dict[str, Any]:
    run, member = _held(by, run_id)
    items = WorkItem.objects.filter(run=run)
    if items.filter(pk__in=wanted.after).count() != len(wanted.after):
        raise BadItem("What comes before it are work items of the same run.", path="/after")
    if not is_known(by.tenant, wanted.owner_group):
        raise BadItem("Nobody belongs to this group.", path="/owner_group")
    now = clock.now()
    plan = _plan(by, run, wanted, now)
    highest = items.aggregate(highest=Max("number"))["highest"] or 0
    item = _item(plan, run, wanted, highest + 1, now)
    add(by, [plan], "plan.made", now)
    add(by, [item], "item.planned", now)
    if run.compensation not in {TO_PLAN, TO_UNDO}:  # what is to be planned yet stays so, or it would not be
        stands(by, [run], TO_UNDO, now)
    starting.begin_due(by, run, now)
    of_runs.look(by, [run], now)
    return receipt(Held(run, plan, item, None, member, now), plan=str(plan.pk), number=item.number)


def _held(by: Actor, run_id: UUID) -> tuple[Run, Member]:
    """Lock a run for a member who operates. Raises NotFound, NotAnOperator, BadItem."""
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    member = desk_member(by)
    if member is None or not operates(member):
        raise NotAnOperator("Operators and admins add work items.")
    if run.erased_at is not None:
        raise BadItem("The contents of this run were erased; nothing is added to it any more.", path="/run")
    return run, member


def _plan(by: Actor, run: Run, wanted: Wanted, now: datetime) -> Plan:
    highest = Plan.objects.filter(run=run).aggregate(highest=Max("number"))["highest"] or 0
    return Plan(
        id=uuid7(), tenant_id=run.tenant_id, run_id=run.pk, number=highest + 1, cause=BY_HAND, reason=wanted.reason, state=IN_FORCE,
        asked_by=str(by), asked_at=now, ledger_seq=0, ledger_hash=b"",
    )  # fmt: skip


def _item(plan: Plan, run: Run, wanted: Wanted, number: int, now: datetime) -> WorkItem:
    within = wanted.deadline_seconds
    due = None if within is None else now + timedelta(seconds=within)
    return WorkItem(
        id=uuid7(), tenant_id=run.tenant_id, plan_id=plan.pk, run_id=run.pk, number=number, kind=MANUAL, summary=wanted.summary,
        need=wanted.need, state=PLANNED, after=[*wanted.after], after_count=len(wanted.after),
        deadline_at=due, next_alert_at=due, instructions=wanted.instructions, checklist=written(wanted.checklist),
        needs_second=wanted.needs_second, ladder=_ladder(wanted.owner_group), owner_group=wanted.owner_group, created_at=now,
    )  # fmt: skip


def _ladder(owner: str) -> str:
    """Write the ladder that contracts without one have, with this owner at its foot."""
    rungs: list[Value] = [{"after_seconds": after, "to": owner if to == OWNER else to} for after, to in LADDER]
    return canonical(rungs)
