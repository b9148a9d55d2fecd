"""Chains of requests: each names the one before it, and what took its place is found by that."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from approvals import telling
from approvals.models import Request
from approvals.states import REROUTED
from console.ledger.actors import Actor

TARGET_CHANGED = "the target changed"  # as approvals/sql/target.sql writes it


def revision_of(request: Request) -> Request | None:
    """Give the request that took the place of this one: the last in its chain, or None while it is the last itself."""
    found, seen = request, {request.pk}
    while later := Request.objects.filter(revises=found.pk).order_by("-created_at", "-id").first():
        if later.pk in seen:
            break
        seen.add(later.pk)
        found = later
    return None if found.pk == request.pk else found


def tell_of_drift(by: Actor, tenant_id: UUID, asked: Sequence[Request], now: datetime) -> None:
    """Tell those who were told of a request whose target changed that another took its place; a worker that reads tells nobody."""
    before = [request.revises_id for request in asked if request.revises_id]
    if not before:
        return
    drifted = list(
        Request.objects.filter(pk__in=before, state=REROUTED, closing_reason=TARGET_CHANGED).select_related("agent")
    )
    if drifted:
        telling.ended(by, drifted, REROUTED, TARGET_CHANGED, now)
