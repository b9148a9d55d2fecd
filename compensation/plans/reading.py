"""What planning needs to know of the effects of locked runs, read for all of them at once."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from compensation.models import WorkItem
from compensation.plans.planning import Known
from compensation.states import DROPPED, ITEM_OPEN
from console.exact import decode
from runs import catalogue
from runs.catalogue import Operation
from runs.compensating.late import of_originals
from runs.models import Effect, Run
from runs.states import IN_VAIN


@dataclass(frozen=True, slots=True)
class Read:
    """The effects of runs as planning looks at them, by run; and what each compensating operation in force takes, by tenant."""

    effects: Mapping[UUID, list[Known]]
    takes: Mapping[UUID, Mapping[str, Collection[str]]]

    def items(self) -> dict[UUID, UUID]:
        """Give the work item that covers an effect already, by effect."""
        return {each.id: each.item for effects in self.effects.values() for each in effects if each.item is not None}


def read(runs: Sequence[Run]) -> Read:
    """Read the effects of these runs, with the contracts that they were accepted under and the work items that cover them."""
    effects = list(Effect.objects.filter(run__in=runs).order_by("run", "number"))
    contracts = catalogue.operations_by_id({effect.operation_id for effect in effects})
    items, late = _covering(runs), of_originals([effect.pk for effect in effects if is_in_vain(effect)])
    found: dict[UUID, list[Known]] = defaultdict(list)
    for effect in effects:
        found[effect.run_id].append(
            known(effect, contracts[effect.operation_id], items.get(effect.pk), late.get(effect.pk, ""))
        )
    wanted: dict[UUID, set[str]] = defaultdict(set)
    for effect in effects:
        undone_by = contracts[effect.operation_id].document.compensation.operation
        if undone_by:
            wanted[effect.tenant_id].add(undone_by)
    return Read(found, {tenant: taken_by(tenant, names) for tenant, names in wanted.items()})


def _covering(runs: Sequence[Run]) -> dict[UUID, WorkItem]:
    """Give the work item that covers each effect; what was dropped covers nothing."""
    found = WorkItem.objects.filter(run__in=runs, effect__isnull=False).exclude(state=DROPPED)
    return {item.effect_id: item for item in found.only("pk", "effect_id", "state") if item.effect_id is not None}


def taken_by(tenant_id: UUID, operations: Iterable[str]) -> dict[str, Collection[str]]:
    """Give the names of the arguments that these operations take, of those that are in force."""
    return {name: _properties(each) for name, each in catalogue.operations(tenant_id, operations).items()}


def _properties(operation: Operation) -> Collection[str]:
    schema: Any = operation.document.arguments.document
    return frozenset(schema.get("properties", ()))


def is_in_vain(effect: Effect) -> bool:
    """Tell whether an effect ended in vain that makes good for no other: what comes late of those that do is their work item's."""
    return effect.state in IN_VAIN and effect.compensates_id is None


def known(effect: Effect, operation: Operation, item: WorkItem | None = None, late: str = "") -> Known:
    """Give an effect as planning looks at it."""
    document = operation.document
    arguments: Any = decode(effect.arguments) if effect.arguments else {}
    return Known(
        id=effect.pk, number=effect.number, operation=effect.operation_name, undoing=document.compensation, state=effect.state,
        key=effect.key, summary=effect.summary, target=effect.target, tier=document.tier, consequential=effect.consequential,
        irreversible=effect.irreversible, reads=document.access == "read", cleanup=effect.cleanup, arguments=arguments,
        result=decode(effect.result) if effect.result else {}, compensates=effect.compensates_id, late=late,
        item=item.pk if item else None, item_open=item is not None and item.state in ITEM_OPEN,
    )  # fmt: skip
