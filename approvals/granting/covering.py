"""Which standing approval covers an intent: judged when the effect is, and judged again under the grant's lock when it is begun."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from uuid import UUID

from approvals.granting.terms import ANY, kept
from approvals.granting.words import fill, too_wide, words_of
from approvals.models import Grant, GrantUse
from approvals.policy_asks import Ask
from approvals.states import ACTIVE, RETURNED
from console.exact import Object, Value, decode
from console.exact.conditions import Condition, evaluate, parse
from console.exact.decimals import decimal_string
from console.exact.paths import ABSENT, follow
from console.identity.models import Member


@dataclass(frozen=True, slots=True)
class Intent:
    """What somebody would have to approve: what it is, whose agent asks, and what the rule asks. `holds_unit`: it began under a grant."""

    subject: UUID
    operation: str
    agent_id: UUID
    owner_id: UUID
    run_type: str
    target: str
    arguments: Object
    ask: Ask
    holds_unit: bool = False


@dataclass(slots=True)
class Left:
    """What a grant seems to have left, as intents are covered one after the other; its lock decides."""

    uses: int
    amount: Decimal | None
    at_this_pace: int | None

    def take(self, amount: Decimal) -> bool:
        """Take a unit, if there is one."""
        if self.uses < 1 or self.at_this_pace == 0 or (self.amount is not None and amount > self.amount):
            return False
        self.uses -= 1
        self.amount = None if self.amount is None else self.amount - amount
        self.at_this_pace = None if self.at_this_pace is None else self.at_this_pace - 1
        return True


def covering(tenant_id: UUID, intents: Sequence[Intent], now: datetime) -> dict[UUID, UUID]:
    """Give, for each subject that a standing approval covers, the narrowest that does."""
    asked = [intent for intent in intents if intent.ask.grants is not None]
    if not asked:
        return {}
    grants = in_force(tenant_id, {intent.operation for intent in asked}, now)
    if not grants:
        return {}
    vouched = _vouched(grants)
    held = _held(intent.subject for intent in asked if intent.holds_unit)
    lefts = {grant.pk: left(grant, now) for grant in grants}
    covered: dict[UUID, UUID] = {}
    for intent in asked:
        for grant in grants:
            if grant.pk in vouched and stands_for(grant, intent) and _has_room(grant, intent, held, lefts[grant.pk]):
                covered[intent.subject] = grant.pk
                break
    return covered


def in_force(tenant_id: UUID, operations: Iterable[str], now: datetime) -> list[Grant]:
    """Give the grants that are in force for operations, the narrowest first."""
    found = Grant.objects.filter(
        tenant_id=tenant_id, operation__in=list(operations), state=ACTIVE, starts_at__lte=now, ends_at__gt=now
    )
    return sorted(found, key=narrowness)


def narrowness(grant: Grant) -> tuple[object, ...]:
    """Order grants: one agent before any, one type of run before any, one target before many, a longer beginning before a shorter, with a
    condition before without; then what ends first, and in the end by id, so that it is always the same one."""
    begins = grant.target_pattern.endswith(ANY)
    return (
        grant.agent_id is None, not grant.run_type, begins, -len(grant.target_pattern), not grant.constraint, grant.ends_at, str(grant.pk)
    )  # fmt: skip


def stands_for(grant: Grant, intent: Intent) -> bool:
    """Tell whether a grant may stand in for what is asked about an intent: it fits, is no wider than the rule allows, and the two words
    that it stands by are all that the rule asks, said by nobody who answers for the agent."""
    bounds = intent.ask.grants
    words = words_of(grant)
    return (
        bounds is not None
        and not too_wide(bounds, grant)
        and fits(grant, intent.operation, intent.agent_id, intent.run_type, intent.target, intent.arguments)
        and all(word.member != intent.owner_id for word in words)
        and fill(intent.ask, words)
    )


def fits(grant: Grant, operation: str, agent_id: UUID, run_type: str, target: str, arguments: Object) -> bool:
    """Tell whether an intent is within what a grant names; its units are looked at apart."""
    return (
        grant.operation == operation
        and grant.agent_id in {None, agent_id}
        and grant.run_type in {"", run_type}
        and _is_target(grant.target_pattern, target)
        and (not grant.constraint or evaluate(_condition(grant.constraint), {"arguments": arguments}))
        and amount_of(grant, arguments) is not None
    )


def amount_of(grant: Grant, arguments: Object) -> Decimal | None:
    """Give the exact amount that a grant adds up: zero where it keeps no sum, None where there is none that can be kept."""
    if not grant.amount_path:
        return Decimal(0)
    found: Value | object = follow(arguments, tuple(grant.amount_path.split(".")[1:]))
    if isinstance(found, str):
        found = decimal_string(found)
    if found is ABSENT or isinstance(found, bool) or not isinstance(found, int | Decimal):
        return None
    return kept(Decimal(found))


def left(grant: Grant, now: datetime) -> Left:
    """Give what a grant has left at this moment."""
    at_this_pace = None
    if grant.rate_most is not None and grant.rate_seconds is not None:
        since = now - timedelta(seconds=grant.rate_seconds)
        at_this_pace = (
            grant.rate_most - GrantUse.objects.filter(grant=grant, reserved_at__gt=since)[: grant.rate_most].count()
        )
    amount = None if grant.amount_most is None else grant.amount_most - grant.amount_taken
    return Left(grant.uses_most - grant.uses_taken, amount, at_this_pace)


def _has_room(grant: Grant, intent: Intent, held: dict[UUID, UUID], left: Left) -> bool:
    """Tell whether a grant has a unit for an intent. What has begun under a grant has its unit, of that grant and of no other."""
    if intent.subject in held:
        return held[intent.subject] == grant.pk
    amount = amount_of(grant, intent.arguments)
    return amount is not None and left.take(amount)


def _held(subjects: Iterable[UUID]) -> dict[UUID, UUID]:
    wanted = list(subjects)
    if not wanted:
        return {}
    return dict(GrantUse.objects.filter(subject__in=wanted).exclude(state=RETURNED).values_list("subject", "grant_id"))


def _vouched(grants: Sequence[Grant]) -> set[UUID]:
    """Give the grants whose two people could still say what they said; approvals/sql/grants.sql says the same, and a test compares."""
    people: dict[UUID, set[str]] = defaultdict(set)
    ids = {word.member for grant in grants for word in words_of(grant)}
    for member in Member.objects.filter(pk__in=ids, active=True):
        people[member.pk] = {*member.groups, *(f"role:{role}" for role in member.roles)}
    return {grant.pk for grant in grants if all(word.said_as <= people[word.member] for word in words_of(grant))}


def _is_target(pattern: str, target: str) -> bool:
    return target.startswith(pattern[:-1]) if pattern.endswith(ANY) else target == pattern


@lru_cache(maxsize=1024)
def _condition(text: str) -> Condition:
    return parse(decode(text.encode()))
