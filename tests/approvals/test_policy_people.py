"""A policy that nobody could satisfy is refused: enough different people for all panels together, besides the agent's owner."""

from uuid import UUID

import pytest

from approvals.policy_asks import Panel
from approvals.policy_people import Person, short_of
from tests.shop import Shop

FINANCE, LEGAL = Panel(("finance",), 1), Panel(("legal",), 1)


def person(number: int, *groups: str, roles: tuple[str, ...] = ("approver",)) -> Person:
    return Person(UUID(int=number), f"person {number}", frozenset(roles), frozenset(groups))


def test_one_person_in_both_groups_does_not_satisfy_two_panels() -> None:
    both = person(1, "finance", "legal")
    assert short_of([FINANCE, LEGAL], [both]) == ((FINANCE, LEGAL), 1)
    assert short_of([FINANCE, LEGAL], [both, person(2, "legal")]) is None


def test_it_is_the_panels_together_that_count() -> None:
    """Each of the three has two people, and there are only two in all."""
    two = [person(1, "a", "b", "c"), person(2, "a", "b", "c")]
    assert short_of([Panel((name,), 1) for name in "abc"], two) is not None
    assert short_of([Panel((name,), 1) for name in "abc"], [*two, person(3, "b")]) is None


def test_who_needs_another_role_and_has_it_not_does_not_count() -> None:
    operators = Panel(("finance",), 1, ("operator", "admin"))
    assert short_of([operators], [person(1, "finance")]) is not None
    assert short_of([operators], [person(1, "finance", roles=("operator",))]) is not None  # no approver
    assert short_of([operators], [person(1, "finance", roles=("approver", "operator"))]) is None


ASKS = """
apiVersion: counterfoil/v1
kind: Policy
name: more
version: 1
operations: [look]
rules:
  - name: always
    then: ask
    ask: {{{whom}, decide_within_seconds: 60, use_within_seconds: 60}}
"""


def refused(shop: Shop, whom: str) -> list[tuple[str, str]]:
    """Publish a policy that asks like this, and give why it is refused."""
    (applied,) = shop.apply(ASKS.format(whom=whom))
    return [(fault.path, fault.code) for fault in applied.faults]


@pytest.mark.parametrize(
    ("whom", "faults"),
    [
        ("panels: [{groups: [finance], quorum: 1}, {groups: [finance], quorum: 1}]", []),
        (
            "panels: [{groups: [finance], quorum: 2}, {groups: [finance], quorum: 1}]",
            [("/rules/0/ask", "nobody_can_satisfy")],
        ),
        ("panels: [{groups: [finance], roles: [admin]}]", [("/rules/0/ask", "nobody_can_satisfy")]),
        (
            "groups: [finance], escalate: {after_seconds: 30, to: [board]}",
            [("/rules/0/ask/escalate/to", "nobody_there")],
        ),
        (
            "groups: [finance], break_glass: {groups: [night], within_seconds: 600}",
            [("/rules/0/ask/break_glass/groups", "nobody_there")],
        ),
        ("groups: [finance], break_glass: {groups: [finance], within_seconds: 600}", []),
    ],
)
def test_there_are_people_for_everything_that_a_policy_asks(
    shop: Shop, whom: str, faults: list[tuple[str, str]]
) -> None:
    """ann, amir and ben approve for finance, and ben answers for the agent."""
    assert refused(shop, whom) == faults


def test_what_is_short_is_said_in_numbers(shop: Shop) -> None:
    (applied,) = shop.apply(
        ASKS.format(whom="panels: [{groups: [finance], quorum: 2}, {groups: [finance], quorum: 1}]")
    )
    assert applied.faults[0].message == (
        "It asks 2 of finance and 1 of finance, all different people, and 2 besides the owner of errand-bot, who does not decide what "
        "that agent asks. Add approvers first."
    )
