"""Telling people of work items and plans that need them: in the transaction that makes the news, once each, and webhooks with them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from approvals.telling.words import at, in_a_line
from compensation.models import Plan, WorkItem
from console.notices import kinds
from console.notices.audience import Audience, audience, owners
from console.notices.posting import News, post_all
from runs.contracts.undoing import OWNER
from runs.models import Run

Told = TypeVar("Told", Plan, WorkItem)
APPROVES_PLANS = "operators"


def item_path(item: WorkItem) -> str:
    """Give the page of a work item."""
    return f"/compensation/{item.pk}"


def plan_path(plan: Plan) -> str:
    """Give the page of a plan."""
    return f"/compensation/plans/{plan.pk}"


def needs_somebody(told: Sequence[tuple[WorkItem, str]]) -> None:
    """Tell the groups that have these items now, and whoever claimed them: `told` gives for each what makes its key."""
    _post(kinds.COMPENSATION_NEEDS, told, "Needs somebody")


def escalated(told: Sequence[tuple[WorkItem, str]]) -> None:
    """Tell the groups to which these items have passed, and whoever claimed them."""
    _post(kinds.COMPENSATION_ESCALATED, told, "Yours now")


def to_approve(plans: Iterable[Plan]) -> None:
    """Tell once of each plan that waits for approval."""
    for tenant_id, mine in _by_tenant(list(plans)).items():
        to = audience(tenant_id, *owners(APPROVES_PLANS), ())
        goals = dict(Run.objects.filter(pk__in=[plan.run_id for plan in mine]).values_list("pk", "goal"))
        post_all(tenant_id, kinds.COMPENSATION_PLAN, [
            News(
                about=plan.pk, title=f"A plan to approve: {in_a_line(goals[plan.run_id])}",
                text="What was done in this run is to be made good for, and nothing of it begins before somebody approves the plan.",
                path=plan_path(plan), key=f"plan:{plan.pk}:to_approve", to=to, state=plan.state,
            )
            for plan in mine
        ])  # fmt: skip


def still_to_approve(told: Sequence[tuple[Plan, str]]) -> None:
    """Tell a further group of each plan that nobody has decided yet."""
    goals = dict(Run.objects.filter(pk__in=[plan.run_id for plan, _ in told]).values_list("pk", "goal"))
    for plan, group in told:
        post_all(plan.tenant_id, kinds.COMPENSATION_PLAN, [
            News(
                about=plan.pk, title=f"Nobody has decided about a plan: {in_a_line(goals[plan.run_id])}",
                text=f"It waits since {at(plan.asked_at)}. Nothing of it begins before somebody approves it, and silence approves nothing.",
                path=plan_path(plan), key=f"plan:{plan.pk}:to_approve:{plan.level}", to=audience(plan.tenant_id, *owners(group), ()),
                state=plan.state,
            )
        ])  # fmt: skip


def _post(kind: str, told: Sequence[tuple[WorkItem, str]], how: str) -> None:
    to: dict[tuple[UUID, str, UUID | None], Audience] = {}
    for tenant_id, mine in _by_tenant([item for item, _ in told]).items():
        keys = {item.pk: key for item, key in told}
        for item in mine:
            if _whom(item) not in to:
                roles, groups = owners(item.owner_group or OWNER)
                to[_whom(item)] = audience(tenant_id, roles, groups, [item.owner_id] if item.owner_id else [])
        news = [_news(item, how, keys[item.pk], to[_whom(item)]) for item in mine]
        post_all(tenant_id, kind, news)


def _whom(item: WorkItem) -> tuple[UUID, str, UUID | None]:
    return item.tenant_id, item.owner_group, item.owner_id


def _news(item: WorkItem, how: str, key: str, to: Audience) -> News:
    return News(
        about=item.pk, title=f"{how}: {in_a_line(item.summary)}", text=_text(item), path=item_path(item), key=f"work_item:{item.pk}:{key}",
        to=to, state=item.state, deadline_at=item.deadline_at,
    )  # fmt: skip


def _text(item: WorkItem) -> str:
    why = in_a_line(item.state_reason) or "It is not done yet."
    return f"{why} {_until(item.deadline_at)}What was done before is not made good for until it is done, or a person says otherwise."


def _until(deadline: datetime | None) -> str:
    return f"It was to be done by {at(deadline)}. " if deadline else ""


def _by_tenant(found: Sequence[Told]) -> dict[UUID, list[Told]]:
    sorted_: dict[UUID, list[Told]] = {}
    for each in found:
        sorted_.setdefault(each.tenant_id, []).append(each)
    return sorted_
