"""A contract whose target has a reader, and what workers do about it, one step at a time."""

from typing import Any
from uuid import UUID

from approvals.deciding.voting import approve
from approvals.models import Request
from console.database import rows
from console.exact import Value, canonical
from runs.target_reading import KEEP, TAKE
from tests.cast import inside
from tests.shop import Shop, draft, operation
from tests.work import LEASE, WORKER, Row

MAX_AGE = 60
READER = f"""  read:
    method: GET
    url: "{{dependency.base_url}}/payees/{{to}}"
    attempt_timeout_seconds: 2
    max_age_seconds: {MAX_AGE}
    outcomes:
      - {{when: {{path: status, op: eq, value: 200}}, outcome: succeeded, result: {{limit: "{{body.limit}}", name: "{{body.name}}"}}}}
      - {{when: {{path: status, op: eq, value: 404}}, outcome: absent}}
retry: """
CONTRACT = operation("pay", version=2).replace("retry: ", READER, 1) + 'state_version: {from: "{body.version}"}\n'
BOB = {"name": "Bob", "limit": "500"}


def with_reader(shop: Shop) -> Shop:
    """Put the contract with a reader in force."""
    refused = [applied for applied in shop.apply(CONTRACT) if applied.faults]
    assert not refused, refused
    return shop


def asked(shop: Shop, amount: str = "250", *, key: str = "dear", **more: Any) -> tuple[UUID, Request]:
    """Have something asked about a target that has a reader."""
    run = shop.accept(draft(key, amount, **more))
    return run, shop.request(run, key)


def take(most: int = 16, without: list[UUID] | None = None) -> list[Row]:
    """Take due readings in hand, as a shift does."""
    with inside():
        return rows(TAKE, [most, LEASE, without or []])


def keep(taken: list[Row], version: str = "v1", state: Value = None, *, fault: str = "", delay: float = 0.0) -> None:
    """Write the same down for each."""
    n = len(taken)
    text = "" if fault else canonical(BOB if state is None else state)
    with inside():
        rows(
            KEEP,
            [
                [row["request_id"] for row in taken], [row["taken_at"] for row in taken], ["" if fault else version] * n, [text] * n,
                [fault] * n, [delay] * n, WORKER,
            ],
        )  # fmt: skip


def read(version: str = "v1", state: Value = None) -> int:
    """Read what is due; gives how many were."""
    taken = take()
    keep(taken, version, state)
    return len(taken)


def stored(request: Request) -> Request:
    """Read a request anew."""
    with inside():
        return Request.objects.get(pk=request.pk)


def say_yes(shop: Shop, request: Request, version: str = "v1", *, by: str = "ann", key: str = "") -> dict[str, Any]:
    """Approve what is shown, in the state that is shown."""
    digest, named = request.subject_digest.hex(), key or f"yes-{by}-{request.pk}-{version}"
    return approve(shop.actor(by), request.pk, shown_digest=digest, shown_target=version, reason="Fine.", key=named)
