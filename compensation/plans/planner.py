"""Writing plans down: what planning found, as a plan with its work items, in runs that the caller has locked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Max
from uuid_utils.compat import uuid7

from compensation import writing
from compensation.alerts import alarms
from compensation.alerts.plans import waiting
from compensation.models import Plan, WorkItem
from compensation.plans import reading
from compensation.plans.planning import Case, Planned, Planning, plan
from compensation.states import FOR_PLAN, FOR_RECONCILIATION, IN_FORCE, PLANNED, PROPOSED, WAITING
from compensation.working import ending, starting
from console.doorbell import ring_after_commit
from console.ledger.actors import Actor
from runs.compensating import standing, watching
from runs.models import Run
from runs.states import TO_PLAN, TO_UNDO


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody, or something that came to pass, wants made good for in a locked run (`effects` None: all that the cause is for)."""

    run: Run
    cause: str
    reason: str
    effects: frozenset[UUID] | None = None
    plan_first: bool = False


def make_all(by: Actor, wishes: Sequence[Wish], now: datetime) -> dict[UUID, Plan]:
    """Plan what is to be made good for in locked runs, one wish for each, and begin what may begin; gives the plans made, by run."""
    known = reading.read([wish.run for wish in wishes])
    found = [(wish, look(wish, known, now)) for wish in wishes]
    return write(by, [(wish, planning) for wish, planning in found if planning.items], known, now)


def look(wish: Wish, known: reading.Read, now: datetime) -> Planning:
    """Plan without writing anything."""
    takes = known.takes.get(wish.run.tenant_id, {})
    return plan(
        known.effects.get(wish.run.pk, ()),
        Case(cause=wish.cause, reason=wish.reason, now=now, takes=takes, named=wish.effects),
    )


def write(by: Actor, found: Sequence[tuple[Wish, Planning]], known: reading.Read, now: datetime) -> dict[UUID, Plan]:
    """Write down what was planned for locked runs, say that they compensate, and begin what may begin."""
    if not found:
        return {}
    runs = [wish.run for wish, _ in found]
    _watch([each for _, planning in found for each in planning.items])
    plans, items, stand = _numbers(Plan, runs), _numbers(WorkItem, runs), known.items()
    made = [(_plan(by, wish, planning, plans.get(wish.run.pk, 0) + 1, now), planning) for wish, planning in found]
    writing.add(by, [each for each, _ in made], "plan.made", now)
    rows: list[WorkItem] = []
    for each, planning in made:
        rows += _items(each, planning, items.get(each.run_id, 0), stand, now)
    writing.add(by, rows, "item.planned", now)
    opening = [wish.run for wish, _ in found if _opens(wish)]
    if opening:
        standing.stands(by, opening, TO_UNDO, now)
    starting.begin_all(by, runs, now)
    ending.look(by, runs, now)
    ring_after_commit(*[run.pk for run in runs], work=False)
    return {each.run_id: each for each, _ in made}


def _opens(wish: Wish) -> bool:
    """Tell whether the run comes to stand as open; one that is yet to be planned for, because it closes, stays so until that is done."""
    stands = wish.run.compensation
    return stands != TO_UNDO and (stands != TO_PLAN or wish.cause == wish.run.closing_toward)


def _watch(planned: Sequence[Planned]) -> None:
    """Want to hear what becomes of effects of which it is not known yet whether they happened."""
    waited_for = [each.effect for each in planned if each.waits_for == FOR_RECONCILIATION]
    if waited_for:
        watching.watch(waited_for)


def _numbers(model: type[Plan] | type[WorkItem], runs: Sequence[Run]) -> dict[UUID, int]:
    found = model._default_manager.filter(run__in=runs).values("run").annotate(last=Max("number"))
    return {row["run"]: row["last"] for row in found}


def _plan(by: Actor, wish: Wish, planning: Planning, number: int, now: datetime) -> Plan:
    state = PROPOSED if wish.plan_first or planning.approve_first else IN_FORCE
    waits = waiting((each.ladder for each in planning.items), now) if state == PROPOSED else {}
    return Plan(
        id=uuid7(), tenant_id=wish.run.tenant_id, run_id=wish.run.pk, number=number, cause=wish.cause, reason=wish.reason, state=state,
        asked_by=str(by), asked_at=now, ledger_seq=0, ledger_hash=b"", **waits,
    )  # fmt: skip


def _items(of: Plan, planning: Planning, highest: int, stand: Mapping[UUID, UUID], now: datetime) -> list[WorkItem]:
    ids = {each.effect: uuid7() for each in planning.items}
    by_effect = {**stand, **ids}
    return [_item(of, each, number, by_effect, now) for number, each in enumerate(planning.items, highest + 1)]


def _item(of: Plan, each: Planned, number: int, by_effect: Mapping[UUID, UUID], now: datetime) -> WorkItem:
    waits_for, turn = FOR_PLAN if of.state == PROPOSED else each.waits_for, each.turn
    row = WorkItem(
        id=by_effect[each.effect], tenant_id=of.tenant_id, plan_id=of.pk, run_id=of.run_id, number=number, kind=each.kind,
        effect_id=each.effect, operation=each.operation, arguments=each.arguments, summary=each.summary, target=each.target, need=each.need,
        weight=each.weight, state=WAITING if waits_for else PLANNED, waits_for=waits_for, state_reason=each.state_reason, step=each.step,
        after=[by_effect[effect] for effect in turn.few], after_count=turn.count, after_steps=[*turn.steps],
        after_earlier=[*turn.earlier], authority=each.authority, deadline_at=each.deadline_at, expects=each.expects, residue=each.residue,
        verification=each.verification, instructions=each.instructions, checklist=each.checklist, needs_second=each.needs_second,
        ladder=each.ladder, owner_group=each.owner_group, created_at=now, next_alert_at=each.deadline_at,
    )  # fmt: skip
    if alarms.needs_somebody(row):
        row.next_alert_at = alarms.from_now(row, now)["next_alert_at"]
    return row
