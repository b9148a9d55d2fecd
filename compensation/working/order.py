"""What comes before a work item and is not over yet: the steps of its plan and of plans before it, and items by name."""

from collections.abc import Callable, Iterable
from uuid import UUID

from compensation.models import WorkItem
from compensation.states import ITEM_OPEN, NEEDS_SOMEBODY

Step = tuple[UUID, str]  # of a plan, or of a run


class Ahead:
    """The items of runs that are not over, so that an item is kept by one look for each step, however many items the step has."""

    def __init__(self, not_over: Iterable[WorkItem]) -> None:
        self.by_id: dict[UUID, WorkItem] = {}
        self.of_plan: dict[Step, WorkItem] = {}
        self.of_run: dict[Step, WorkItem] = {}
        self.failed_of_plan: dict[Step, WorkItem] = {}
        self.failed_of_run: dict[Step, WorkItem] = {}
        for item in sorted(not_over, key=lambda each: each.number):
            self._add(item)

    def _add(self, item: WorkItem) -> None:
        self.by_id[item.pk] = item
        if not item.step:
            return
        self.of_plan.setdefault((item.plan_id, item.step), item)
        self.of_run.setdefault((item.run_id, item.step), item)
        if item.state in NEEDS_SOMEBODY:
            self.failed_of_plan.setdefault((item.plan_id, item.step), item)
            self.failed_of_run.setdefault((item.run_id, item.step), item)

    def of(self, item: WorkItem) -> WorkItem | None:
        """Give the first that keeps an item, rather one that somebody has to see to; None where its turn has come.

        Items of plans before have lower numbers than all of its own plan, and later plans higher ones."""
        failed = self._of(item, self.failed_of_run, self.failed_of_plan, lambda each: each.state in NEEDS_SOMEBODY)
        return failed or self._of(item, self.of_run, self.of_plan, lambda _: True)

    def _of(
        self, item: WorkItem, of_run: dict[Step, WorkItem], of_plan: dict[Step, WorkItem], named: Callable[[WorkItem], bool]
    ) -> WorkItem | None:  # fmt: skip
        earlier = (of_run.get((item.run_id, step)) for step in item.after_earlier)
        before = [each for each in earlier if each and each.number < item.number and each.plan_id != item.plan_id]
        mine = [each for step in item.after_steps if (each := of_plan.get((item.plan_id, step)))]
        by_name = [each for pk in item.after if (each := self.by_id.get(pk)) and named(each)]
        return next(iter([*before, *mine, *by_name]), None)


def read(items: Iterable[WorkItem]) -> list[WorkItem]:
    """Read the open items of these items' runs, among which is what comes before them; nothing where nothing does."""
    runs = {each.run_id for each in items if each.after}
    return list(WorkItem.objects.filter(run__in=runs, state__in=ITEM_OPEN).order_by("run", "number")) if runs else []
