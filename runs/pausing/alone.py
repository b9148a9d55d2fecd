"""What an agent does by itself while something may be stopped: nothing is asked in an emergency, and nothing begun under a pause."""

from typing import Any
from uuid import UUID

from approvals.alone import asking, using
from approvals.alone.draft import Draft
from approvals.models import Request
from console.ledger.actors import Actor
from runs import catalogue
from runs.pausing.standing import SCOPE_OPERATION, SCOPE_TENANT, EmergencyStop, Paused, check_no_emergency, facts, wide


def ask_alone(by: Actor, draft: Draft, *, key: str) -> dict[str, Any]:
    """Ask. Raises EmergencyStop, and what approvals.alone.asking raises."""
    return asking.ask_alone(by, draft, key=key, unless=check_no_emergency, known=_with_its_contract)


def consume(by: Actor, request_id: UUID, *, digest: str, key: str) -> dict[str, Any]:
    """Use an approval. Raises EmergencyStop, Paused, and what approvals.alone.using raises."""
    return using.consume(by, request_id, digest=digest, key=key, unless=_check_not_stopped)


def _with_its_contract(tenant_id: UUID, draft: Draft) -> Draft:
    """Take the tier and the finality of the contract that has the operation's name, where there is one."""
    contract = catalogue.operations(tenant_id, [draft.operation]).get(draft.operation)
    if contract is None:
        return draft
    return draft.at_least(contract.document.tier, irreversible=contract.document.irreversible)


def _check_not_stopped(request: Request) -> None:
    over = [
        pause
        for pause in wide(request.tenant_id)
        if pause.scope == SCOPE_TENANT or _is_of(pause.scope, pause.name, request)
    ]
    if over:
        stopped = EmergencyStop if over[0].emergency else Paused
        raise stopped(**facts(over[0]), state=request.state, version=request.ledger_seq)


def _is_of(scope: str, name: str, request: Request) -> bool:
    return scope == SCOPE_OPERATION and name == request.operation
