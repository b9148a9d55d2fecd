"""What the facts of a request amount to: the reducers of its stream; and what the policies in force amount to."""

from collections.abc import Iterator

from approvals.models import Coverage, Decision, Policy, Request
from approvals.policy_document import EVERY
from approvals.states import APPROVED, CONSUMED, DENIED, EXPIRED, LAPSED, PENDING, REROUTED, WITHDRAWN
from console.database import snapshot
from console.ledger.folding import Fact, Folded, Reducer
from console.ledger.verification import Book, Finding, Table

COPIED = (
    "subject", "subject_digest", "operation", "summary", "target", "arguments", "shown", "reason", "tier", "irreversible", "rule", "groups",
    "quorum", "decide_by", "use_within_seconds",
)  # fmt: skip


def _opened(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "request", request, agent_id=says["agent"], owner_id=says["owner"], policy_id=says["policy"], state=PENDING,
        closing_reason="", use_by=None, created_at=fact.at, decided_at=None, consumed_at=None, erased_at=None,
        **{name: says[name] for name in COPIED},
    )  # fmt: skip


def _decided(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "decision", says["decision"], request_id=request, member_id=says["member"], verdict=says["verdict"], reason=says["reason"],
        shown_digest=says["shown_digest"], via=says["via"], at=fact.at,
    )  # fmt: skip


def _approved(folded: Folded, request: str, fact: Fact) -> None:
    folded.set(fact, "request", request, state=APPROVED, use_by=fact.says["use_by"], decided_at=fact.at)


def _consumed(folded: Folded, request: str, fact: Fact) -> None:
    folded.set(fact, "request", request, state=CONSUMED, consumed_at=fact.at)


def _closed(state: str) -> Reducer:
    def reduce(folded: Folded, request: str, fact: Fact) -> None:
        decided_at = folded.get("request", request, "decided_at") or fact.at
        folded.set(fact, "request", request, state=state, closing_reason=fact.says["reason"], decided_at=decided_at)

    return reduce


def _erased(folded: Folded, request: str, fact: Fact) -> None:
    """Take what remains: the facts before are erased, so this one says everything anew."""
    folded.set(fact, "request", request, **fact.says["remains"])
    for decision, remains in fact.says["decisions"].items():
        folded.set(fact, "decision", decision, **remains)


REDUCERS: dict[str, Reducer] = {
    "request.opened": _opened,
    "request.decided": _decided,
    "request.approved": _approved,
    "request.consumed": _consumed,
    "request.erased": _erased,
    **{f"request.{state}": _closed(state) for state in (DENIED, EXPIRED, LAPSED, REROUTED, WITHDRAWN)},
}
BOOK = Book(
    "request",
    Request,
    REDUCERS,
    [Table("request", Request, "id", Request.recorded), Table("decision", Decision, "request_id", Decision.recorded)],
)


def coverage_findings() -> Iterator[Finding]:
    """Compare which policy governs what with the policies in force, whose rows are accounted for by the tenants' streams."""
    with snapshot():
        policies = list(Policy.objects.filter(superseded_at=None))
        covered = list(Coverage.objects.all())
    told = {(policy.tenant_id, operation): policy.pk for policy in policies for operation in policy.operations}
    stored = {(row.tenant_id, row.operation): row.policy_id for row in covered}
    for place in sorted(told.keys() | stored.keys(), key=str):
        if told.get(place) != stored.get(place):
            detail = f"the policies in force say {told.get(place)}, stored {stored.get(place)}"
            yield Finding(f"tenant:{place[0]}", 0, f"coverage {place[1]}", detail)
    for policy in policies:
        named = sorted(name for tenant, name in told if tenant == policy.tenant_id and name != EVERY)
        expected = named if EVERY in policy.operations else []
        if policy.displaced != expected:
            yield Finding(
                f"tenant:{policy.tenant_id}",
                0,
                f"policy {policy.pk} displaced",
                f"derived {expected}, stored {policy.displaced}",
            )
