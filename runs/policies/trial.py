"""A dry run: what everything that is pending, and what came lately, would become under a policy that is not in force yet."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast
from uuid import UUID

from approvals.comparing import ASKED, CHANGES, DENIED, MORE, OTHERS, RELEASED, SAME, TERMS, Stand
from approvals.models import Policy
from approvals.policies import ask_of, document_of
from approvals.policy_document import PolicyDocument
from approvals.trying import (
    MOST_PAST,
    MOST_PAST_BY_SUMS,
    MOST_PENDING,
    Governing,
    Outcome,
    Tried,
    outcomes,
    outcomes_then,
    past,
    pending,
)
from console.exact import Object, decode
from runs import catalogue
from runs.models import Effect, Run
from runs.proposals import facts_for_policy
from runs.states import BLOCKED, READY

MOST_RUNS: Final = 200
PENDING_SAYS: Final = {
    SAME: ("stays as it is", "stay as they are"),
    RELEASED: ("would be released without asking", "would be released without asking"),
    DENIED: ("would be denied", "would be denied"),
    MORE: ("would need more approvers", "would need more approvers"),
    OTHERS: ("would be asked of other people", "would be asked of other people"),
    TERMS: ("would be asked anew, on other terms", "would be asked anew, on other terms"),
    ASKED: ("would be asked about", "would be asked about"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Count:
    """How many would become the same, with the sentence that says it."""

    change: str
    number: int
    says: str


@dataclass(frozen=True, slots=True)
class Trial:
    """What a dry run found; `whole` says whether all that is pending was looked at."""

    pending: list[Outcome]
    past: list[Outcome]
    whole: bool

    @property
    def pending_counts(self) -> list[Count]:
        """Count what is pending by what would become of it."""
        return _counts(self.pending, "pending")

    @property
    def past_counts(self) -> list[Count]:
        """Count what came lately by what would have become of it."""
        return _counts(self.past, "past")

    def changed(self, limit: int) -> list[Outcome]:
        """Give the pending that would not stay as they are, the gravest first."""
        found = [each for each in self.pending if each.change != SAME]
        return sorted(found, key=lambda each: (CHANGES.index(each.change), each.tried.at))[:limit]


def trial(tenant_id: UUID, candidate: PolicyDocument) -> Trial:
    """Try a valid policy. Within the caller's transaction, which may be one that only reads."""
    governing = Governing(tenant_id, candidate)
    concerned = governing.concerned()
    waiting = [*pending(concerned, MOST_PENDING + 1), *_unasked(concerned, MOST_PENDING + 1)]
    lately = [*past(tenant_id, MOST_PAST), *_allowed(tenant_id)]
    lately = [each for each in lately if each.state != "approved"]
    lately.sort(key=lambda each: each.at, reverse=True)
    return Trial(
        outcomes(governing, waiting[:MOST_PENDING]),
        outcomes_then(governing, lately[: MOST_PAST_BY_SUMS if candidate.spend else MOST_PAST]),
        len(waiting) <= MOST_PENDING,
    )


def _unasked(policy_ids: Sequence[UUID], limit: int) -> list[Tried]:
    """Give effects that nobody was asked about and that are not begun; those that people were asked about are their requests."""
    found = Effect.objects.filter(state__in=[BLOCKED, READY], policy_id__in=policy_ids, request=None)
    return _tried(list(found[:limit]))


def _allowed(tenant_id: UUID) -> list[Tried]:
    """Give the effects of the last runs that were judged without asking anybody, and are over."""
    latest = Run.objects.filter(tenant_id=tenant_id, erased_at=None).order_by("-created_at", "-id")
    found = Effect.objects.filter(run_id__in=list(latest.values_list("pk", flat=True)[:MOST_RUNS]), request=None)
    return _tried(list(found.exclude(ended_at=None).exclude(policy=None)[:MOST_PAST]))


def _tried(effects: list[Effect]) -> list[Tried]:
    runs = Run.objects.select_related("agent__owner__user").in_bulk({effect.run_id for effect in effects})
    operations = catalogue.operations_by_id({effect.operation_id for effect in effects})
    policies = Policy.objects.in_bulk({effect.policy_id for effect in effects if effect.policy_id})
    found = []
    for effect in effects:
        run = runs[effect.run_id]
        facts = facts_for_policy(
            operations[effect.operation_id], effect.target, cast("Object", decode(effect.arguments.encode())),
            catalogue.run_type(run.run_type_id), run.agent,
        )  # fmt: skip
        ask = ask_of(document_of(policies[effect.policy_id]), effect.rule) if effect.policy_id else None
        stands = Stand(effect.verdict, ask)
        found.append(
            Tried(effect.pk, "effect", effect.pk, facts, effect.summary, effect.state, effect.created_at, stands)
        )
    return found


def _counts(found: Sequence[Outcome], which: str) -> list[Count]:
    numbers = Counter(each.change for each in found)
    return [Count(each, numbers[each], _says(each, numbers[each], which)) for each in CHANGES if numbers[each]]


def _says(change: str, number: int, which: str) -> str:
    says = PENDING_SAYS[change][number != 1]
    if which == "past":
        says = says.replace("stays as it is", "would have been judged the same").replace(
            "stay as they are", "would have been judged the same"
        )
        says = says.replace("would be", "would have been").replace("would need", "would have needed")
    return f"{number:,} {which} {says}"
