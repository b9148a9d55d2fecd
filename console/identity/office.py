"""A tenant's office: whose row is locked for each change of its people and agents, who may make one, and how it is told."""

from uuid import UUID

from django.db.models import Model

from console.exact import Object
from console.http.refusals import Forbidden, NotFound
from console.identity.models import Agent, Member, Tenant
from console.ledger.actors import Actor
from console.ledger.folding import plain


class NotAdministrator(Forbidden):
    """Only an administrator of this tenant does that."""

    code = "not_administrator"


class NotAnswerable(Forbidden):
    """Only an administrator, an operator or the agent's owner does that."""

    code = "not_answerable"


def hold(tenant_id: UUID) -> Tenant:
    """Lock the tenant whose administration changes. Raises NotFound."""
    tenant = Tenant.objects.select_for_update(no_key=True).filter(pk=tenant_id).first()
    if tenant is None:
        raise NotFound
    return tenant


def check_administers(by: Actor) -> None:
    """Check that the actor administers its tenant, as it stands now; the tenant is held. Raises NotAdministrator."""
    if not _stands(by, "admin"):
        raise NotAdministrator


def check_answers(by: Actor, agent: Agent) -> None:
    """Check that the actor may stop an agent or its keys; starting again is the administrator's alone. Raises NotAnswerable."""
    if not _stands(by, "admin", "operator") and not (by.id == agent.owner_id and _stands(by)):
        raise NotAnswerable


def _stands(by: Actor, *roles: str) -> bool:
    """Tell whether the actor is the system, or an active member with one of the roles (without roles: whoever is active)."""
    if by.kind != "member":
        return by.kind == "system"
    members = Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True)
    return (members.filter(roles__overlap=list(roles)) if roles else members).exists()


def told(row: Model, columns: tuple[str, ...]) -> Object:
    """Tell a row's recorded columns as the facts of its making."""
    return {"id": str(row.pk), **{column: plain(getattr(row, column)) for column in columns}}
