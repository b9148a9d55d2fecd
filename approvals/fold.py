"""What the facts of a request amount to: the reducers of its stream; and what the policies in force amount to."""

from collections.abc import Iterator

from approvals.models import BreakGlass, Coverage, Decision, Policy, Request
from approvals.policy_document import EVERY
from approvals.states import APPROVED, CONSUMED, DENIED, EXPIRED, LAPSED, PENDING, REROUTED, REVOKED, WITHDRAWN
from console.database import snapshot
from console.exact import Object
from console.ledger.folding import Fact, Folded, Reducer
from console.ledger.verification import Book, Finding, Table

COPIED = (
    "subject", "subject_digest", "operation", "summary", "target", "arguments", "shown", "reason", "tier", "irreversible", "rule", "groups",
    "quorum", "decide_by", "use_within_seconds",
)  # fmt: skip

# what a request is opened with since 0.2.0, and what it was like before
LATER: Object = {
    "panels": "", "deadline_at": None, "finish_within_seconds": None, "finish_then": "", "alone": False, "key": "",
    "read_within_seconds": None,
}  # fmt: skip
NOT_YET: Object = {
    "extensions": 0, "escalated_at": None, "finish_by": None, "narrowing": "", "to_fit": False, "overran_at": None, "target_version": "",
    "target_state": "", "target_read_at": None, "break_glass_id": None, "outcome": "", "outcome_detail": "", "outcome_at": None,
}  # fmt: skip

# what a request is bound to anew when something is proposed that fits what its approvers tightened
FITTED = ("subject", "subject_digest", "summary", "arguments", "shown")
# and where what fits falls under another rule than was asked by
BY_ANOTHER_RULE = ("rule", "panels", "groups", "quorum")


def _opened(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "request", request, agent_id=says["agent"], owner_id=says["owner"], policy_id=says["policy"], state=PENDING,
        closing_reason="", use_by=None, created_at=fact.at, decided_at=None, consumed_at=None, erased_at=None,
        revises_id=says.get("revises"), asker_id=says.get("asker"), **{name: says[name] for name in COPIED},
        **{name: says.get(name, default) for name, default in LATER.items()}, **NOT_YET,
    )  # fmt: skip


def _decided(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "decision", says["decision"], request_id=request, member_id=says["member"], verdict=says["verdict"], reason=says["reason"],
        shown_digest=says["shown_digest"], via=says["via"], at=fact.at, voice_id=says.get("voice"), delegation_id=says.get("delegation"),
        constraints=says.get("constraints", ""), alternative=says.get("alternative", ""), seen=says.get("seen", ""),
        stepped_up_at=says.get("stepped_up_at"), withdrawn_at=None, withdrawn_reason="",
    )  # fmt: skip
    _narrowed(folded, request, fact)


def _narrowed(folded: Folded, request: str, fact: Fact) -> None:
    if "narrowing" in fact.says:
        folded.set(fact, "request", request, narrowing=fact.says["narrowing"])


def _vote_withdrawn(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(fact, "decision", says["decision"], withdrawn_at=fact.at, withdrawn_reason=says["reason"])
    _narrowed(folded, request, fact)


def _target_read(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "request", request, target_version=says["version"], target_state=says["state"], target_read_at=says["read_at"]
    )  # fmt: skip


def _approved(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "request", request, state=APPROVED, use_by=says["use_by"], decided_at=fact.at, to_fit=says.get("to_fit", False)
    )  # fmt: skip


def _reruled(folded: Folded, request: str, fact: Fact) -> None:
    folded.set(fact, "request", request, policy_id=fact.says["policy"], rule=fact.says["rule"])


def _glass_broken(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "request", request, state=APPROVED, use_by=says["use_by"], decided_at=fact.at, break_glass_id=says["glass"]
    )  # fmt: skip
    folded.set(
        fact, "glass", says["glass"], request_id=request, member_id=says["member"], target=says["target"], reason=says["reason"],
        opened_at=fact.at, ends_at=says["ends_at"], ended_at=None, reviewed_by_id=None, reviewed_at=None, review="", justified=None,
    )  # fmt: skip


def _glass_ended(folded: Folded, request: str, fact: Fact) -> None:
    folded.set(fact, "glass", fact.says["glass"], ended_at=fact.says["ended_at"])


def _glass_reviewed(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "glass", says["glass"], reviewed_by_id=says["member"], reviewed_at=fact.at, review=says["review"],
        justified=says["justified"],
    )  # fmt: skip


def _consumed(folded: Folded, request: str, fact: Fact) -> None:
    folded.set(fact, "request", request, state=CONSUMED, consumed_at=fact.at, finish_by=fact.says.get("finish_by"))


def _outcome(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(fact, "request", request, outcome=says["outcome"], outcome_detail=says["detail"], outcome_at=fact.at)


def _copied(*names: str) -> Reducer:
    def reduce(folded: Folded, request: str, fact: Fact) -> None:
        folded.set(fact, "request", request, **{name: fact.says[name] for name in names})

    return reduce


def _escalated(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    folded.set(fact, "request", request, groups=says["groups"], panels=says["panels"], escalated_at=fact.at)


def _fitted(folded: Folded, request: str, fact: Fact) -> None:
    says = fact.says
    named = (*FITTED, *(name for name in BY_ANOTHER_RULE if name in says))
    folded.set(fact, "request", request, to_fit=False, **{name: says[name] for name in named})


def _overran(folded: Folded, request: str, fact: Fact) -> None:
    folded.set(fact, "request", request, overran_at=fact.at)


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
    for glass, remains in fact.says.get("glasses", {}).items():
        folded.set(fact, "glass", glass, **remains)


REDUCERS: dict[str, Reducer] = {
    "request.opened": _opened,
    "request.decided": _decided,
    "request.vote_withdrawn": _vote_withdrawn,
    "request.extended": _copied("decide_by", "extensions"),
    "request.escalated": _escalated,
    "request.approved": _approved,
    "request.reruled": _reruled,
    "request.fitted": _fitted,
    "request.consumed": _consumed,
    "request.overran": _overran,
    "request.target_read": _target_read,
    "request.outcome": _outcome,
    "request.glass_broken": _glass_broken,
    "request.glass_ended": _glass_ended,
    "request.glass_reviewed": _glass_reviewed,
    "request.erased": _erased,
    **{f"request.{state}": _closed(state) for state in (DENIED, EXPIRED, LAPSED, REROUTED, REVOKED, WITHDRAWN)},
}
BOOK = Book(
    "request",
    Request,
    REDUCERS,
    [
        Table("request", Request, "id", Request.recorded),
        Table("decision", Decision, "request_id", Decision.recorded),
        Table("glass", BreakGlass, "request_id", BreakGlass.recorded),
    ],
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
