"""Which policy governs an operation, and what it says of one intent. What nothing governs is denied."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from approvals.bench import Bench, Facts
from approvals.models import Coverage, Policy, Request
from approvals.policy_asks import Ask
from approvals.policy_document import DENY, EVERY, Judgement, PolicyDocument, read_policy
from approvals.policy_facts import Spend


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the policy in force says: verdict, by which version and rule, whom it asks, and what it would count as spent."""

    verdict: str
    policy_id: UUID | None
    rule: str
    reason: str
    ask: Ask | None
    spends: tuple[Spend, ...] = ()


NOTHING_GOVERNS = Ruling(DENY, None, "", "No policy governs this operation.", None)


def rulings(
    tenant_id: UUID, intents: Sequence[Facts], subjects: Collection[UUID] = (), *, hold: bool = True
) -> list[Ruling]:
    """Judge each intent by the policy in force, in their order, within the caller's transaction, which holds what they are about.

    The facts are operation, target, arguments, run_type, agent, owner, tier and irreversible; the time and what was spent are added here,
    where a policy speaks of them, once the tenant's sums are held. `subjects` are judged anew, and do not count beside themselves; without
    `hold` nothing is promised of the sums, for those who only ask."""
    names = {str(intent["operation"]) for intent in intents}
    covered = Coverage.objects.filter(tenant_id=tenant_id, operation__in=[*names, EVERY]).select_related("policy")
    governing = {each.operation: each.policy for each in covered}
    policies = [governing.get(str(intent["operation"])) or governing.get(EVERY) for intent in intents]
    documents = {policy.pk: document_of(policy) for policy in policies if policy is not None}
    bench = Bench(tenant_id, list(documents.values()), hold=hold)
    wanted = [
        bench.wants(documents[policy.pk], intent) if policy else ()
        for policy, intent in zip(policies, intents, strict=True)
    ]
    bench.open([each for found in wanted for each in found or ()], subjects)
    return [
        NOTHING_GOVERNS if policy is None else _ruling(policy, bench.judge(documents[policy.pk], intent, found), found or ())
        for policy, intent, found in zip(policies, intents, wanted, strict=True)
    ]  # fmt: skip


def _ruling(policy: Policy, judgement: Judgement, found: tuple[Spend, ...]) -> Ruling:
    return Ruling(judgement.verdict, policy.pk, judgement.rule, judgement.reason, judgement.ask, found)


def asked(request: Request) -> Ask | None:
    """Give what the request's rule asks, by the version that it stands on; None where that version asks nothing by this name."""
    return ask_of(document_of(request.policy), request.rule)


def ask_of(document: PolicyDocument, rule: str) -> Ask | None:
    """Give what a rule asks; None where there is no rule of this name, or it asks nobody."""
    return next((each.ask for each in document.rules if each.name == rule), None)


def governs(policy_id: UUID, operation: str) -> bool:
    """Tell whether this version still governs the operation: in force, and no other policy took the operation from its `*`."""
    found = Policy.objects.filter(pk=policy_id, superseded_at=None).exclude(displaced__contains=[operation])
    return found.exists()


def document_of(policy: Policy) -> PolicyDocument:
    """Give the policy's document, read once per process (a version never changes)."""
    return _document(policy.pk, policy.document)


@lru_cache(maxsize=512)
def _document(policy_id: UUID, text: str) -> PolicyDocument:
    return read_policy(text)
