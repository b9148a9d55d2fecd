"""Which policy governs an operation, and what it says of one intent. What nothing governs is denied."""

from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from approvals.models import Coverage, Policy
from approvals.policy_document import DENY, EVERY, Ask, PolicyDocument, judge, read_policy
from console.exact import Value


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the policy in force says: verdict, by which version and rule, and whom it asks."""

    verdict: str
    policy_id: UUID | None
    rule: str
    reason: str
    ask: Ask | None


NOTHING_GOVERNS = Ruling(DENY, None, "", "No policy governs this operation.", None)


def rulings(tenant_id: UUID, intents: list[dict[str, Value]]) -> list[Ruling]:
    """Judge each intent (facts: operation, target, arguments, run_type, agent, tier, irreversible) by the policy in force."""
    names = {str(intent["operation"]) for intent in intents}
    governing = {
        covered.operation: covered.policy
        for covered in Coverage.objects.filter(tenant_id=tenant_id, operation__in=[*names, EVERY]).select_related(
            "policy"
        )
    }
    return [_ruling(governing.get(str(intent["operation"])) or governing.get(EVERY), intent) for intent in intents]


def _ruling(policy: Policy | None, intent: dict[str, Value]) -> Ruling:
    if policy is None:
        return NOTHING_GOVERNS
    judgement = judge(document_of(policy), intent)
    return Ruling(judgement.verdict, policy.pk, judgement.rule, judgement.reason, judgement.ask)


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
