"""Which rules of the policy in force a standing approval may stand in for, and whether they let it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from approvals.granting.terms import ANY
from approvals.granting.words import PEOPLE, Word, fill, proven, sits, too_wide
from approvals.models import Coverage, Grant, Policy
from approvals.policies import document_of
from approvals.policy_asks import Ask
from approvals.policy_document import ASK, EVERY, PolicyDocument, Rule
from console.exact import decode
from console.exact.conditions import AllOf, AnyOf, Condition, Not, Undecided, parse, satisfiable
from console.http.refusals import Forbidden, InvalidContent, Refusal
from console.identity.step_up import StepUpNeeded


class NothingToStandInFor(Refusal):
    """No rule of the policy in force asks people about this and lets a standing approval stand in for them."""

    code = "no_grants_here"


class GrantTooWide(InvalidContent):
    """The policy does not let a standing approval be as wide as this."""

    code = "grant_too_wide"


class TooManyAsked(Refusal):
    """The policy asks more people for this than the two by whose words a standing approval stands."""

    code = "too_many_asked"


class NotVouching(Forbidden):
    """Your word and that of whoever proposed this do not make up what the policy asks."""

    code = "not_vouching"


@dataclass(frozen=True, slots=True)
class StandIn:
    """A rule that a grant may stand in for, with what it asks."""

    rule: str
    ask: Ask


def stands_in_for(grant: Grant, agent: str) -> tuple[Policy, list[StandIn], list[str]]:
    """Give the policy that governs the grant's operation, its rules that the grant may stand in for, and the names of those it may not.

    Raises NothingToStandInFor."""
    governing = {
        row.operation: row.policy
        for row in Coverage.objects.filter(
            tenant_id=grant.tenant_id, operation__in=[grant.operation, EVERY]
        ).select_related("policy")
    }
    policy = governing.get(grant.operation) or governing.get(EVERY)
    asking = list(asking_rules(document_of(policy), grant, agent)) if policy else []
    found = [StandIn(rule.name, rule.ask) for rule in asking if rule.ask and rule.ask.grants]
    if policy is None or not found:
        raise NothingToStandInFor
    return policy, found, [rule.name for rule in asking if not (rule.ask and rule.ask.grants)]


def asking_rules(policy: PolicyDocument, grant: Grant, agent: str) -> Iterator[Rule]:
    """Give the rules that may ask people about something that the grant covers. What cannot be excluded counts."""
    given = tuple(_given(grant, agent))
    earlier: list[Condition] = []
    for rule in policy.rules:
        if rule.then == ASK and _possible(AllOf((*given, rule.when, Not(AnyOf(tuple(earlier)))))):
            yield rule
        earlier.append(rule.when)


def _given(grant: Grant, agent: str) -> Iterator[Condition]:
    yield parse({"path": "operation", "op": "eq", "value": grant.operation})
    if agent:
        yield parse({"path": "agent", "op": "eq", "value": agent})
    if grant.run_type:
        yield parse({"path": "run_type", "op": "eq", "value": grant.run_type})
    begins = grant.target_pattern.endswith(ANY)
    pattern = grant.target_pattern[:-1] if begins else grant.target_pattern
    yield parse({"path": "target", "op": "prefix" if begins else "eq", "value": pattern})
    if grant.constraint:
        yield parse(decode(grant.constraint.encode()))


def _possible(condition: Condition) -> bool:
    try:
        return satisfiable(condition)
    except Undecided:
        return True


def check_bounds(grant: Grant, found: Sequence[StandIn]) -> None:
    """Refuse a grant that is wider than one of the rules allows, or for which two words are too few. Raises GrantTooWide, TooManyAsked."""
    for each in found:
        if each.ask.quorum > PEOPLE:
            raise TooManyAsked(rule=each.rule, asked=each.ask.quorum)
        bounds = each.ask.grants
        place = too_wide(bounds, grant) if bounds else ""
        if bounds and place:
            amount = f", and a sum of {bounds.amount_path} up to {bounds.amount_most}" if bounds.amount_path else ""
            raise GrantTooWide(
                f"The rule {each.rule} allows {bounds.uses:,} uses within {bounds.within_seconds:,} seconds{amount}.",
                path=f"/{place}", rule=each.rule, uses=bounds.uses, within_seconds=bounds.within_seconds,
                amount_path=bounds.amount_path, amount_most=str(bounds.amount_most) if bounds.amount_most is not None else None,
            )  # fmt: skip


def check_words(words: Sequence[Word], found: Sequence[StandIn]) -> None:
    """Refuse the last of these words where a rule would not ask that person; and both, where they are not all that a rule asks.

    Raises NotVouching, StepUpNeeded."""
    for each in found:
        if not any(sits(words[-1], panel) for panel in each.ask.panels):
            told = "The policy asks approvers of other groups about this."
            raise NotVouching(told, rule=each.rule, groups=list(each.ask.groups))
        if not proven(words[-1], each.ask):
            raise StepUpNeeded(rule=each.rule, within_seconds=each.ask.step_up_within_seconds)
        if len(words) == PEOPLE and not fill(each.ask, words):
            raise NotVouching(rule=each.rule, groups=list(each.ask.groups), asked=each.ask.quorum)
