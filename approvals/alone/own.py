"""What an agent asked by itself is its own: nobody else withdraws it, uses it or says what became of it."""

from typing import Any
from uuid import UUID

from approvals.models import Request
from console.http.refusals import NotFound, Refusal
from console.ledger.actors import Actor


class NotAlone(Refusal):
    """This was asked about an effect of a run, which is withdrawn, begun and reported itself."""

    code = "not_alone"
    recorded = False


def held(by: Actor, request_id: UUID) -> Request:
    """Lock a request that this agent asked by itself. Raises NotFound, NotAlone."""
    found = Request.objects.select_for_update(no_key=True).filter(pk=request_id, tenant_id=by.tenant).first()
    if found is None or by.kind != "agent" or found.agent_id != by.principal:
        raise NotFound
    if not found.alone:
        raise NotAlone(effect=str(found.subject), **standing(found))
    return found


def standing(request: Request) -> dict[str, Any]:
    """Say how a request stands: state and version."""
    return {"state": request.state, "version": request.ledger_seq}
