"""What is paused now, and what that stops: read by pages, by the API, and by whoever would begin, ask or approve something."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import Case, Q, QuerySet, When

from approvals.policies import Ruling
from approvals.policy_document import ASK, DENY
from console.clock import instant
from console.http.refusals import Refusal
from runs.models import Effect, Pause, Run
from runs.pausing.sentences import STOPPED

WIDEST = Case(
    *[When(scope=scope, then=place) for place, scope in enumerate(("tenant", "run_type", "operation", "run"))]
)
Place = tuple[Any, UUID]
SCOPE_RUN, SCOPE_OPERATION, SCOPE_RUN_TYPE, SCOPE_TENANT = "run", "operation", "run_type", "tenant"


class Paused(Refusal):
    """This is paused. It can be begun when the pause is lifted; what was begun before goes on."""

    code = "paused"


class EmergencyStop(Refusal):
    """Everything of this tenant is stopped: nothing is approved until an administrator lifts the emergency stop."""

    code = "emergency_stop"


def standing(tenant_id: UUID) -> "QuerySet[Pause]":
    """Give the pauses that stand, the widest first, then the latest."""
    found = Pause.objects.filter(tenant_id=tenant_id, lifted_at=None, run__ended_at=None)
    return found.select_related("run", "paused_by__user").order_by("-emergency", WIDEST, "-paused_at", "-id")


def wide(tenant_id: UUID) -> "QuerySet[Pause]":
    """Give the standing pauses of more than one run."""
    return standing(tenant_id).exclude(scope=SCOPE_RUN)


def count_paused_runs(tenant_id: UUID, most: int) -> int:
    """Count the runs that are paused each for itself, up to `most`."""
    return Pause.objects.filter(tenant_id=tenant_id, scope=SCOPE_RUN, lifted_at=None, run__ended_at=None)[:most].count()


def history(tenant_id: UUID, before: Place | None, limit: int, *, only_standing: bool = False) -> list[Pause]:
    """Give all pauses, the latest first; `before` is (paused at, id)."""
    found = Pause.objects.filter(tenant_id=tenant_id)
    if only_standing:
        found = found.filter(lifted_at=None)
    if before is not None:
        at, pause_id = before
        found = found.filter(paused_at__lte=at).exclude(paused_at=at, id__gte=pause_id)
    found = found.select_related("run", "paused_by__user", "lifted_by__user")
    return list(found.order_by("-paused_at", "-id")[:limit])


def one(tenant_id: UUID, pause_id: UUID) -> Pause | None:
    """Give one pause, standing or lifted."""
    found = Pause.objects.select_related("run", "paused_by__user", "lifted_by__user")
    return found.filter(tenant_id=tenant_id, pk=pause_id).first()


def stopping(run: Run, operations: Iterable[str] = ()) -> list[Pause]:
    """Give the standing pauses that stop something of a run: its own, its type's, the tenant's, and those of these operations."""
    return list(standing(run.tenant_id).filter(_over(run) | Q(scope=SCOPE_OPERATION, name__in=list(operations))))


def of_run(run: Run) -> list[Pause]:
    """Give what a run's page tells of: the standing pauses over what it has not begun."""
    unstarted = Effect.objects.filter(run=run, ended_at=None).values_list("operation_name", flat=True).distinct()
    return stopping(run, unstarted)


def check_not_paused(run: Run, effect: Effect) -> None:
    """Refuse to begin what is paused; the run is locked. Raises Paused."""
    found = stopping(run, [effect.operation_name])
    if found:
        raise Paused(**facts(found[0]), state=effect.state, version=run.ledger_seq)


def emergency(tenant_id: UUID) -> Pause | None:
    """Give the emergency stop that stands in a tenant."""
    return Pause.objects.filter(tenant_id=tenant_id, scope=SCOPE_TENANT, emergency=True, lifted_at=None).first()


def check_no_emergency(tenant_id: UUID) -> None:
    """Refuse what an emergency stop forbids. Raises EmergencyStop."""
    found = emergency(tenant_id)
    if found is not None:
        raise EmergencyStop(**facts(found))


def emergencies() -> list[UUID]:
    """Give the tenants in which everything is stopped."""
    found = Pause.objects.filter(scope=SCOPE_TENANT, emergency=True, lifted_at=None)
    return list(found.values_list("tenant_id", flat=True))


def unasked(tenant_id: UUID, found: list[Ruling]) -> list[Ruling]:
    """Give rulings as they stand while an emergency stop does: whoever would be asked is not, and it is denied."""
    if all(ruling.verdict != ASK for ruling in found) or emergency(tenant_id) is None:
        return found
    return [replace(ruling, verdict=DENY, reason=STOPPED) if ruling.verdict == ASK else ruling for ruling in found]


def facts(pause: Pause) -> dict[str, Any]:
    """Say of a pause what a refusal carries."""
    return {
        "pause": str(pause.pk), "scope": pause.scope, "name": pause.name, "emergency": pause.emergency, "reason": pause.reason,
        "since": instant(pause.paused_at),
    }  # fmt: skip


def _over(run: Run) -> Q:
    return Q(scope=SCOPE_TENANT) | Q(scope=SCOPE_RUN, run=run) | Q(scope=SCOPE_RUN_TYPE, name=run.run_type.name)
