"""Who may cancel what: the run's driver with its token, and members whose role the contract names."""

from uuid import UUID

from console.http.refusals import Forbidden, NotFound
from console.identity.models import Member
from console.ledger.actors import Actor
from runs import driver
from runs.cancelling.rule import DRIVER, Rule
from runs.models import Run


class MayNotCancel(Forbidden):
    """The contract lets others cancel this."""

    code = "may_not_cancel"


class NotAnOperator(Forbidden):
    """Only an operator does this."""

    code = "not_an_operator"


def hold(by: Actor, run_id: UUID, *, epoch: int | None, version: int | None) -> Run:
    """Lock a run for whoever wants to cancel in it. Raises NotFound, StaleToken (of an agent that does not drive it), StaleVersion."""
    if by.kind == "agent":
        return driver.hold(by, run_id, epoch=-1 if epoch is None else epoch, version=version)
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    driver.check_version(run, version)
    return run


def check(by: Actor, rule: Rule) -> None:
    """Refuse whom the contract does not name. Raises MayNotCancel."""
    if by.kind == "system" or (by.kind == "agent" and DRIVER in rule.who):
        return
    if by.kind == "member" and any(role in rule.who for role in roles(by)):
        return
    raise MayNotCancel(who=sorted(rule.who))


def may(member: Member, rule: Rule) -> bool:
    """Tell whether a member's role is one that the contract names."""
    return member.active and any(role in rule.who for role in member.roles)


def check_operator(by: Actor) -> None:
    """Refuse everybody but operators. Raises NotAnOperator."""
    if by.kind != "system" and "operator" not in roles(by):
        raise NotAnOperator


def roles(by: Actor) -> list[str]:
    """Give the roles of a member as they are now; nobody else has one."""
    if by.kind != "member":
        return []
    found = Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True).first()
    return list(found.roles) if found else []
