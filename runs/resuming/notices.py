"""News about runs that do not go on by themselves. Each is posted in the transaction of the move that makes it so."""

from collections.abc import Collection

from console.notices import kinds
from console.notices.audience import owners
from console.notices.posting import post
from runs.contracts.run_type import RunTypeDocument
from runs.models import Resumption, Run


def quarantined(run: Run, contract: RunTypeDocument, reason: str, key: str) -> None:
    """Tell whom the contract names, and operators, that a run was set aside."""
    roles, groups = owners(contract.quarantine_to)
    path = f" {contract.quarantine_path}" if contract.quarantine_path else ""
    _post(
        run,
        kinds.QUARANTINED,
        f"Set aside: {_in_a_line(run.goal)}",
        f"{reason}{path}",
        {"operator", *roles},
        groups,
        key,
    )


def decision_needed(run: Run, reason: str, row: Resumption) -> None:
    """Tell operators that a resume cannot go on without a person's decision."""
    _post(
        run,
        kinds.DECISION,
        f"Decide how it goes on: {_in_a_line(run.goal)}",
        reason,
        {"operator"},
        (),
        f"resumption:{row.pk}",
    )


def _post(
    run: Run, kind: str, title: str, text: str, roles: Collection[str], groups: Collection[str], key: str
) -> None:
    post(
        run.tenant_id,
        kind,
        about=run.pk,
        path=f"/runs/{run.pk}/resume",
        title=title,
        text=text,
        to_roles=roles,
        to_groups=groups,
        key=key,
    )


def _in_a_line(text: str) -> str:
    return " ".join(text.split())
