"""Telling a parent of its child's end at once, and not at the clock's next pass."""

from collections.abc import Sequence
from uuid import UUID

from console import database
from console.database import transaction
from console.ledger.actors import system
from runs.models import Run

BY = system("clock")


def after_commit(runs: Sequence[Run]) -> None:
    """Tell the parents of those of these runs that have ended once this transaction has committed; what fails then is left to the clock."""
    children: dict[UUID, list[UUID]] = {}
    for run in runs:
        if run.parent_id is not None:
            children.setdefault(run.tenant_id, []).append(run.pk)
    if children:
        database.after_commit(lambda: _tell(children))


def _tell(children: dict[UUID, list[UUID]]) -> None:
    from runs.waits.children import tell_due  # noqa: PLC0415 - a parent that fails by its child is closed as any run is

    for tenant, ended in children.items():
        with transaction(tenant):
            tell_due(BY, len(ended), ended)
