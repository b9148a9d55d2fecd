"""The row of a standing approval, held for a move, and what a receipt says of it."""

from typing import Any
from uuid import UUID

from approvals.models import Grant
from console.clock import instant
from console.http.refusals import NotFound, Refusal
from console.ledger.actors import Actor


class GrantClosed(Refusal):
    """This standing approval has ended, or was decided already."""

    code = "grant_closed"


def hold(by: Actor, grant_id: UUID) -> Grant:
    """Lock a grant of the actor's tenant. Raises NotFound."""
    found = Grant.objects.select_for_update(no_key=True).filter(pk=grant_id, tenant_id=by.tenant).first()
    if found is None:
        raise NotFound
    return found


def check_state(grant: Grant, states: frozenset[str]) -> None:
    """Refuse what a grant's state does not allow. Raises GrantClosed."""
    if grant.state not in states:
        raise GrantClosed(
            state=grant.state, version=grant.ledger_seq, reason=grant.ended_reason, at=instant(grant.ended_at or grant.confirmed_at)
        )  # fmt: skip


def receipt(word: str, grant: Grant, **more: Any) -> dict[str, Any]:
    """Say what became of a grant."""
    return {"receipt": word, "grant": str(grant.pk), "state": grant.state, **more}
