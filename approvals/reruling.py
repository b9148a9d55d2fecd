"""Requests that a later version of their policy asks in the same words: they stand under it, with what people have said so far."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import cast
from uuid import UUID

from approvals import record
from approvals.models import Policy, Request
from approvals.policies import Ruling, ask_of, document_of
from approvals.policy_document import ASK
from approvals.states import APPROVED, CONSUMED, PENDING
from console.bulk import update
from console.ledger.actors import Actor

OPEN = (PENDING, APPROVED, CONSUMED)


def hold(request_ids: Collection[UUID]) -> dict[UUID, Request]:
    """Lock requests, within the caller's transaction, and give them with the policies that they stand on."""
    found = Request.objects.filter(pk__among=request_ids).order_by("pk").select_for_update(no_key=True)
    held = {
        request.pk: request for request in found.only("id", "state", "policy_id", "rule", "subject", "subject_digest")
    }
    policies = Policy.objects.in_bulk({request.policy_id for request in held.values()})
    for request in held.values():
        request.policy = policies[request.policy_id]
    return held


def may_stand(request: Request, ruling: Ruling) -> bool:
    """Tell whether exactly what the request asked is what the ruling asks: the same people, clocks and terms."""
    return (
        request.state in OPEN
        and ruling.verdict == ASK
        and ruling.ask is not None
        and ask_of(document_of(request.policy), request.rule) == ruling.ask
    )


def rerule(by: Actor, held: Mapping[UUID, Request], standing: Mapping[UUID, Ruling], now: datetime) -> None:
    """Let held requests stand under the versions that ruled; votes, clocks and state stay as they are."""
    moved = [(held[request_id], ruling) for request_id, ruling in standing.items()]
    for request, ruling in moved:
        request.policy_id, request.rule = cast("UUID", ruling.policy_id), ruling.rule
    update([request for request, _ in moved], ("policy", "rule"))
    record.write(
        [
            (request.pk, "request.reruled", {"policy": str(ruling.policy_id), "rule": ruling.rule})
            for request, ruling in moved
        ],
        by,
        now,
    )
