"""Who may ask for compensation: the run's driver, operators and administrators, each where the contracts name them (`who`)."""

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from compensation.plans.planning import Known
from console.http.refusals import Forbidden, MissingToken, NotFound
from console.ledger.actors import Actor
from runs import driver
from runs.cancelling.standing import roles
from runs.erasing import AlreadyErased
from runs.models import Run

DRIVER: Final = "driver"
ROLES: Final = frozenset({"operator", "admin"})


class MayNotCompensate(Forbidden):
    """The contract lets others ask for this to be made good for."""

    code = "may_not_compensate"


def hold(by: Actor, run_id: UUID, *, epoch: int | None, version: int | None) -> Run:
    """Lock a run for whoever wants something made good for in it: a driver with its token, while the run has not ended.

    Raises NotFound, MissingToken, StaleToken, StaleVersion, AlreadyErased."""
    run = _run(by, run_id, Run.objects.select_for_update(no_key=True))
    if by.kind == "agent" and run.ended_at is None:
        if epoch is None:
            raise MissingToken
        driver.check_held(by, run, epoch, version)
    driver.check_version(run, version)
    return run


def find(by: Actor, run_id: UUID) -> Run:
    """Give a run to whoever may see what would be made good for. Raises NotFound, AlreadyErased."""
    return _run(by, run_id, Run.objects)


def _run(by: Actor, run_id: UUID, among: Any) -> Run:
    found: Run | None = among.filter(pk=run_id, tenant_id=by.tenant).first()
    if found is None or (by.kind == "agent" and by.id not in {found.agent_id, found.driver_id}):
        raise NotFound
    if found.erased_at is not None:
        raise AlreadyErased(state=found.state, version=found.ledger_seq)
    return found


def check(by: Actor, effects: Iterable[Known]) -> None:
    """Refuse whom a contract of these effects does not name. Raises MayNotCompensate."""
    mine = capacities(by)
    if by.kind == "system":
        return
    if not mine:
        raise MayNotCompensate("Drivers ask for it, operators and administrators.")
    for each in effects:
        if not mine & each.undoing.who:
            raise MayNotCompensate(effect=str(each.id), number=each.number, who=sorted(each.undoing.who))


def capacities(by: Actor) -> frozenset[str]:
    """Say as what somebody asks: as the driver, or by their roles as they are now."""
    return frozenset({DRIVER}) if by.kind == "agent" else ROLES & {*roles(by)}
