"""News about waits, for drivers that listen by webhook and for people who have to look. Posted in the transaction that makes them."""

from collections.abc import Collection, Sequence
from uuid import UUID

from console.notices import kinds
from console.notices.posting import Told, post, tell_endpoints
from runs.models import Run

Overdue = tuple[UUID, UUID, UUID, str, str | None]  # (tenant, run, wait, its name, when it expired)


def woken(run_ids: Collection[UUID], at: str | None) -> None:
    """Tell endpoints that take it which runs go on."""
    if not run_ids:
        return
    found = Run.objects.filter(pk__in=run_ids).order_by("pk").values_list("pk", "tenant_id", "goal", "ledger_seq")
    by_tenant: dict[UUID, list[Told]] = {}
    for pk, tenant, goal, seq in found:
        told = Told(
            about=pk, title=f"Goes on: {_in_a_line(goal)}", text=f"What it waited for came, at {at}. Its driver takes it up.",
            path=f"/runs/{pk}", key=f"run:{pk}:woken:{seq}",
        )  # fmt: skip
        by_tenant.setdefault(tenant, []).append(told)
    for tenant, news in by_tenant.items():
        tell_endpoints(tenant, kinds.RUN_WOKEN, news)


def overdue(expired: Sequence[Overdue]) -> None:
    """Tell operators which runs wait in vain."""
    goals = (
        dict(Run.objects.filter(pk__in=[run for _, run, *_ in expired]).values_list("pk", "goal")) if expired else {}
    )
    for tenant, run, wait, name, at in expired:
        post(
            tenant, kinds.OVERDUE_WAIT, about=run, path=f"/runs/{run}", title=f"Waits in vain: {_in_a_line(goals[run])}",
            text=f"What it waits for ({name}) had not come at {at}. It waits on: have it go on without, or end it.", to_roles=["operator"],
            key=f"wait:{wait}:overdue",
        )  # fmt: skip


def _in_a_line(text: str) -> str:
    return " ".join(text.split())[:160]
