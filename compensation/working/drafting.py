"""Drafting the effects that make good for others, from the contracts that the originals were accepted under."""

from collections.abc import Sequence
from typing import Any

from compensation.models import Plan, WorkItem
from runs import catalogue
from runs.compensating import filling
from runs.contracts.operation import OperationDocument
from runs.contracts.templates import CannotFill
from runs.drafts import EffectDraft
from runs.models import Effect


class CannotBegin(Exception):
    """An effect cannot be drafted; the message says why, to people."""


class Drafter:
    """Drafts for work items; what it reads of the record it reads once for all of them."""

    def __init__(self, items: Sequence[WorkItem]) -> None:
        self.effects = Effect.objects.in_bulk({item.effect_id for item in items if item.effect_id})
        self.originals = catalogue.operations_by_id({effect.operation_id for effect in self.effects.values()})
        self.plans = Plan.objects.in_bulk({item.plan_id for item in items})
        self.acting: dict[tuple[Any, str], OperationDocument] = {}
        for tenant_id in {item.tenant_id for item in items}:
            named = catalogue.operations(tenant_id, {item.operation for item in items if item.tenant_id == tenant_id})
            self.acting |= {(tenant_id, name): operation.document for name, operation in named.items()}

    def draft(self, item: WorkItem, *, supersedes: Effect | None = None, expects: str | None = None) -> EffectDraft:
        """Draft the next try of an item. Raises CannotBegin."""
        acting = self.acting.get((item.tenant_id, item.operation))
        if acting is None:
            raise CannotBegin(f"It could not be begun: the operation {item.operation} is not in force any more.")
        effect = self.effects[item.effect_id]
        plan = self.plans[item.plan_id]
        undoing = self.originals[effect.operation_id].document.compensation
        facts = filling.facts_of(effect, plan.reason or plan.cause)
        try:
            takes: Any = acting.arguments.document.get("properties", {})
            arguments = filling.with_room(undoing, filling.arguments(undoing, facts, takes), takes)
            expected = filling.expects(undoing, facts) if expects is None else expects
        except CannotFill as why:
            raise CannotBegin(f"It could not be begun: {why}.") from None
        return EffectDraft(
            key=f"compensates:{effect.pk}:{item.tries + 1}", operation=item.operation, arguments=arguments,
            target=None if acting.target is not None else effect.target, reason=_reason(plan, effect), required=False,
            supersedes=None if supersedes is None else supersedes.pk, cleanup=True, compensates=effect.pk, expects=expected,
        )  # fmt: skip


def _reason(plan: Plan, effect: Effect) -> str:
    why = f": {plan.reason}" if plan.reason else ""
    return f"Makes good for effect {effect.number}{why}"[:2000]
