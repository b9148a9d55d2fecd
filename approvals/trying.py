"""Trying a policy on what is there: what pending and past requests would become if it were in force. Nothing is written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from approvals.bench import Bench, Facts
from approvals.comparing import Stand, change
from approvals.models import Coverage, Policy, Request
from approvals.policies import ask_of, document_of
from approvals.policy_document import ALLOW, ASK, DENY, EVERY, Judgement, PolicyDocument
from approvals.states import APPROVED, PENDING
from console.exact import Object, decode

MOST_PENDING: Final = 10_000
MOST_PAST: Final = 1_000
MOST_PAST_BY_SUMS: Final = 100  # each of these is one more query
NOBODY_GOVERNS: Final = Judgement(DENY, "", None, "No policy would govern this operation.")


@dataclass(frozen=True, slots=True)
class Tried:
    """Something that is judged already, its facts as they were kept, and how it stands."""

    id: UUID
    kind: str  # request or effect
    subject: UUID
    facts: Facts
    summary: str
    state: str
    at: datetime
    stands: Stand


@dataclass(frozen=True, slots=True)
class Outcome:
    """What would become of it."""

    tried: Tried
    change: str
    after: Judgement


class Governing:
    """Which document would govern an operation if the candidate were in force."""

    def __init__(self, tenant_id: UUID, candidate: PolicyDocument) -> None:
        self.tenant_id, self.candidate = tenant_id, candidate
        covered = Coverage.objects.filter(tenant_id=tenant_id).select_related("policy")
        self.before = {each.operation: each.policy for each in covered}
        others = {name: policy for name, policy in self.before.items() if policy.name != candidate.name}
        self.after: dict[str, PolicyDocument] = {name: document_of(policy) for name, policy in others.items()}
        self.after |= dict.fromkeys(candidate.operations, candidate)

    def concerned(self) -> list[UUID]:
        """Give the versions in force that the candidate replaces or takes operations from: what stands on them may be judged anew."""
        mine = [policy.pk for policy in self.before.values() if policy.name == self.candidate.name]
        theirs = [self.before[name].pk for name in (*self.candidate.operations, EVERY) if name in self.before]
        return list({*mine, *theirs})

    def of(self, operation: str) -> PolicyDocument | None:
        """Give the document that would govern the operation."""
        return self.after.get(operation) or self.after.get(EVERY)

    def is_changed(self, operation: str) -> bool:
        """Tell whether the operation would be governed by another document than now."""
        now, then = self.before.get(operation) or self.before.get(EVERY), self.of(operation)
        return then is self.candidate or (now is not None and now.name == self.candidate.name)


def outcomes(governing: Governing, tried: Sequence[Tried]) -> list[Outcome]:
    """Judge what is pending, as of now."""
    found = [each for each in tried if governing.is_changed(str(each.facts["operation"]))]
    documents = {each.id: governing.of(str(each.facts["operation"])) for each in found}
    bench = Bench(governing.tenant_id, [document for document in documents.values() if document])
    wanted = {each.id: bench.wants(document, each.facts) for each in found if (document := documents[each.id])}
    bench.open([spend for spends in wanted.values() for spend in spends or ()], [each.subject for each in found])
    told = []
    for each in found:
        document = documents[each.id]
        after = NOBODY_GOVERNS if document is None else bench.judge(document, each.facts, wanted[each.id])
        told.append(_outcome(each, after))
    return told


def outcomes_then(governing: Governing, tried: Iterable[Tried]) -> list[Outcome]:
    """Judge what is past, each as of when it was asked."""
    told = []
    for each in tried:
        document = governing.of(str(each.facts["operation"]))
        if not governing.is_changed(str(each.facts["operation"])):
            continue
        if document is None:
            told.append(_outcome(each, NOBODY_GOVERNS))
            continue
        bench = Bench(governing.tenant_id, [document], at=each.at)
        wanted = bench.wants(document, each.facts)
        bench.open(wanted or (), [each.subject])
        told.append(_outcome(each, bench.judge(document, each.facts, wanted)))
    return told


def _outcome(tried: Tried, after: Judgement) -> Outcome:
    return Outcome(tried, change(tried.stands, Stand(after.verdict, after.ask)), after)


def pending(policy_ids: Sequence[UUID], limit: int) -> list[Tried]:
    """Give what stands on these versions and waits, or is approved and unused; along the index."""
    found = Request.objects.filter(policy_id__in=policy_ids, state__in=[PENDING, APPROVED], erased_at=None)
    return _tried(found[:limit])


def past(tenant_id: UUID, limit: int) -> list[Tried]:
    """Give the last that were decided or ended, whatever they were about."""
    found = Request.objects.filter(tenant_id=tenant_id, erased_at=None).exclude(state=PENDING)
    return _tried(found.order_by("-decided_at", "-id")[:limit])


def _tried(found: "QuerySet[Request]") -> list[Tried]:
    requests = list(found.select_related("agent__owner__user").defer("reason", "target_state"))
    policies = Policy.objects.in_bulk({request.policy_id for request in requests})
    return [_of_request(request, policies) for request in requests]


def _of_request(request: Request, policies: Mapping[UUID, Policy]) -> Tried:
    ask = ask_of(document_of(policies[request.policy_id]), request.rule)
    return Tried(
        request.pk, "request", request.subject, facts_of(request), request.summary, request.state, request.created_at,
        Stand(ASK, ask) if ask else Stand(ALLOW),
    )  # fmt: skip


def facts_of(request: Request) -> Object:
    """Give what a policy may look at, as a request kept it; the time and what was spent are added when it is judged."""
    shown: Any = decode(request.shown, 128)
    return {
        "operation": request.operation, "target": request.target, "arguments": decode(request.arguments, 128), "tier": request.tier,
        "irreversible": request.irreversible, "agent": request.agent.name, "owner": request.agent.owner.user.name,
        "run_type": shown.get("run_type", "") if isinstance(shown, dict) else "",
    }  # fmt: skip
