"""News about work items that people make for each other. Each is posted in the transaction of the move that makes it so."""

from datetime import datetime

from approvals.telling.words import in_a_line
from compensation.alerts.telling import item_path
from compensation.models import Ending, WorkItem
from compensation.states import RESOLVE
from console.clock import instant
from console.ledger.actors import Actor
from console.notices import kinds
from console.notices.audience import owners
from console.notices.posting import post


def handed_over(by: Actor, item: WorkItem, reason: str, now: datetime) -> None:
    """Tell whoever a work item now belongs to (its owner, else its group) that somebody handed it to them."""
    roles, groups = ((), ()) if item.owner_id else owners(item.owner_group)
    post(
        item.tenant_id, kinds.ITEM_HANDED_OVER, about=item.pk, path=item_path(item),
        title=f"Handed to you: {in_a_line(item.summary)}", text=f"{by.name} handed it over, saying: {reason}",
        to_members=[item.owner_id] if item.owner_id else (), to_roles=roles, to_groups=groups,
        but_not=[by.principal], key=f"item:{item.pk}:handed:{instant(now)}",
    )  # fmt: skip


def ending_waits(by: Actor, item: WorkItem, ending: Ending) -> None:
    """Tell operators, admins and the owning group, but not whoever said it, that an ending waits for a second person."""
    roles, groups = owners(item.owner_group)
    what = "was resolved by hand" if ending.ending == RESOLVE else "is to be waived"
    post(
        item.tenant_id, kinds.ENDING_WAITS, about=item.pk, path=item_path(item),
        title=f"Confirm or decline: {in_a_line(item.summary)}",
        text=f"{by.name} says that it {what}. It counts only when a second person confirms it.",
        to_roles={"operator", "admin", *roles}, to_groups=groups, but_not=[by.principal], key=f"ending:{ending.pk}:waits",
    )  # fmt: skip
