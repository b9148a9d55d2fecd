"""Work items of the shop as a plan makes them, put there by themselves: for tests of what becomes of them once they are planned."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from compensation.models import Plan, WorkItem
from compensation.states import ASKED, EFFECT, IN_FORCE, MANUAL, PLANNED, REQUIRED
from compensation.working import starting
from compensation.writing import add
from console import clock
from console.exact import canonical
from runs import catalogue
from runs.compensating.standing import stands
from runs.models import Effect, Run
from runs.states import TO_UNDO
from tests.cast import inside
from tests.compensation.undoing import WHY, items_of
from tests.shop import Shop

After = Mapping[str, tuple[str, ...]]


@contextmanager
def held(run: UUID) -> Iterator[Run]:
    """Be in a transaction that has locked the run."""
    with inside():
        yield Run.objects.select_for_update(no_key=True).get(pk=run)


def plan(
    shop: Shop, run: UUID, *keys: str, state: str = IN_FORCE, after: After | None = None, begin: bool = True, **more: Any
) -> list[WorkItem]:  # fmt: skip
    """Plan that effects of a run are made good for, as a planner does, and begin what is due; gives the items, in order."""
    with held(run) as locked:
        now = clock.now()
        made = Plan(
            id=uuid7(), tenant_id=locked.tenant_id, run=locked, number=Plan.objects.filter(run=run).count() + 1, cause=ASKED, reason=WHY,
            state=state, asked_by=str(shop.bot), asked_at=now, ledger_seq=0, ledger_hash=b"",
        )  # fmt: skip
        add(shop.bot, [made], "plan.made", now)
        items = _items(made, list(keys), after or {}, more)
        for item in items:
            item.created_at = now
            item.next_alert_at = item.deadline_at
        add(shop.bot, items, "item.planned", now)
        stands(shop.bot, [locked], TO_UNDO, now)
        if begin:
            starting.begin_due(shop.bot, locked, now)
    return items_of(run)


def _items(made: Plan, keys: list[str], after: After, more: dict[str, Any]) -> list[WorkItem]:
    effects = {each.key: each for each in Effect.objects.filter(run=made.run_id, key__in=keys)}
    contracts = catalogue.operations_by_id({each.operation_id for each in effects.values()})
    highest = WorkItem.objects.filter(run=made.run_id).count()
    ids = {key: uuid7() for key in keys}
    items = []
    for number, key in enumerate(keys, highest + 1):
        effect = effects[key]
        undoing = contracts[effect.operation_id].document.compensation
        columns = {
            "need": REQUIRED, "operation": undoing.operation or "", "kind": EFFECT if undoing.operation else MANUAL,
            "owner_group": undoing.owner, "needs_second": undoing.second_person, "instructions": undoing.instructions,
            "residue": canonical([*undoing.residue]) if undoing.residue else "",
            "ladder": canonical([{"after_seconds": each.after_seconds, "to": each.to} for each in undoing.ladder]),
        }  # fmt: skip
        items.append(
            WorkItem(
                id=ids[key], tenant_id=made.tenant_id, plan=made, run_id=made.run_id, number=number, effect=effect,
                summary=f"Make good for: {effect.summary}", target=effect.target, state=PLANNED,
                after=[ids[each] for each in after.get(key, ())], **columns | more,
            )
        )  # fmt: skip
    return items


def stood(run: UUID) -> dict[str, tuple[str, str]]:
    """Give where each item of a run stands, by the key of what it makes good for: its state, and what it waits for."""
    return {each.effect.key: (each.state, each.waits_for) for each in items_of(run) if each.effect is not None}


def acting(run: UUID, key: str) -> Effect:
    """Read the acting effect of the item that makes good for this one."""
    found = next(each for each in items_of(run) if each.effect is not None and each.effect.key == key)
    assert found.acting is not None, (found.state, found.state_reason)
    return found.acting
