"""Policies in force: published once, immutable, one for each operation, and never one that nobody could satisfy."""

from uuid import UUID

import pytest
from django.db.utils import IntegrityError

from approvals.models import Coverage, Policy
from console.documents.applying import Applied
from tests.cast import inside
from tests.record import told
from tests.shop import Shop, draft, money


def publish(shop: Shop, text: str) -> Applied:
    """Publish one policy."""
    (applied,) = shop.apply(text)
    return applied


def policy(name: str, operations: str, *, version: int = 1, quorum: int = 1, groups: str = "finance") -> str:
    """Write a policy that always asks."""
    return f"""
apiVersion: counterfoil/v1
kind: Policy
name: {name}
version: {version}
operations: {operations}
rules:
  - name: always
    then: ask
    ask: {{groups: [{groups}], quorum: {quorum}, decide_within_seconds: 60, use_within_seconds: 60}}
"""


def versions(shop: Shop, name: str = "money") -> dict[int, bool]:
    """Give the versions of a policy, and whether each is in force."""
    with inside():
        found = Policy.objects.filter(tenant_id=shop.tenant.pk, name=name)
        return {each.version: each.superseded_at is None for each in found}


def governing(shop: Shop) -> dict[str, str]:
    """Give which policy governs what."""
    with inside():
        found = Coverage.objects.filter(tenant_id=shop.tenant.pk).select_related("policy")
        return {covered.operation: f"{covered.policy.name} {covered.policy.version}" for covered in found}


def test_a_new_version_is_in_force_at_once_and_the_one_before_no_more(shop: Shop) -> None:
    assert publish(shop, money(version=2)).outcome == "new"
    assert versions(shop) == {1: False, 2: True}
    assert governing(shop) == {"pay": "money 2", "wire": "money 2", "*": "rest 1"}


def test_the_same_version_again_is_unchanged(shop: Shop) -> None:
    assert publish(shop, money(version=1)).outcome == "unchanged"
    assert versions(shop) == {1: True}


def test_another_way_of_writing_the_same_is_unchanged(shop: Shop) -> None:
    same = "# Who may pay\n" + money(version=1).replace("kind: Policy", "kind:   'Policy'").replace(
        "quorum: 2, ", ""
    ).replace("groups: [finance], decide", "quorum: 2, groups: [finance], decide")
    assert publish(shop, same).outcome == "unchanged"
    assert versions(shop) == {1: True}


def test_a_version_once_published_never_changes(shop: Shop) -> None:
    applied = publish(shop, money(version=1, middling="50"))
    assert (applied.outcome, versions(shop)) == ("refused", {1: True})


def test_an_earlier_version_does_not_come_back(shop: Shop) -> None:
    publish(shop, money(version=3))
    applied = publish(shop, money(version=2))
    assert (applied.outcome, versions(shop)) == ("refused", {1: False, 3: True})


def test_the_database_refuses_to_rewrite_what_was_published(shop: Shop) -> None:
    for change in ({"document": "{}"}, {"version": 9}, {"operations": ["*"]}):
        with pytest.raises(IntegrityError, match="immutable"), inside():
            Policy.objects.filter(name="money").update(**change)


def test_an_operation_is_governed_by_one_policy_alone(shop: Shop) -> None:
    applied = publish(shop, policy("other", "[look, pay]"))
    assert applied.outcome == "refused"
    assert [fault.code for fault in applied.faults] == ["governed_already"]
    assert governing(shop)["pay"] == "money 1"


def test_every_other_operation_is_governed_by_one_policy_alone(shop: Shop) -> None:
    assert publish(shop, policy("other", '["*"]')).outcome == "refused"


def test_a_new_version_may_govern_other_operations(shop: Shop) -> None:
    publish(shop, money(version=2).replace("[pay, wire]", "[pay]"))
    assert governing(shop) == {"pay": "money 2", "*": "rest 1"}
    assert publish(shop, policy("wires", "[wire]")).outcome == "new"


def test_what_a_policy_no_longer_governs_is_judged_by_the_one_for_the_rest(shop: Shop) -> None:
    publish(shop, money(version=2).replace("[pay, wire]", "[wire]"))
    run = shop.accept(draft("dear", "250"))
    assert shop.states(run) == {"dear": "ready"}


def test_the_policy_of_the_operation_goes_before_the_one_for_the_rest(shop: Shop) -> None:
    assert shop.states(shop.accept(draft("dear", "250"), draft("look", "250", operation="look"))) == {
        "dear": "awaiting_approval", "look": "ready",
    }  # fmt: skip


@pytest.mark.parametrize("text", [policy("more", "[look]", quorum=4), policy("more", "[look]", groups="hr")])
def test_a_policy_that_nobody_could_satisfy_is_refused(shop: Shop, text: str) -> None:
    applied = publish(shop, text)
    assert applied.outcome == "refused"
    assert [(fault.path, fault.code) for fault in applied.faults] == [("/rules/0/ask", "nobody_can_satisfy")]
    assert versions(shop, "more") == {}


def test_as_many_as_there_are_can_be_asked(shop: Shop) -> None:
    assert publish(shop, policy("more", "[look]", quorum=2)).outcome == "new"


def test_whoever_answers_for_an_agent_is_not_counted_for_what_it_asks(shop: Shop) -> None:
    applied = publish(shop, policy("more", "[look]", quorum=3))  # ann, amir, and ben, whose agent it is
    assert [fault.code for fault in applied.faults] == ["nobody_can_satisfy"]
    assert "the owner of errand-bot" in applied.faults[0].message
    of_another = policy("more", "[look]", quorum=3).replace(
        "then: ask", "when: {path: agent, op: eq, value: another-bot}\n    then: ask"
    )
    assert "another-bot" in of_another
    assert publish(shop, of_another).outcome == "new"


def test_who_is_not_active_or_no_approver_cannot_satisfy_it(shop: Shop) -> None:
    shop.change("amir", active=False)
    shop.change("ann", roles=[])
    assert publish(shop, policy("more", "[look]", quorum=2)).outcome == "refused"


@pytest.mark.parametrize(
    "change",
    [
        ("then: ask", "then: approve_after_a_while"),
        ("quorum: 2", "quorum: 0"),
        ("otherwise: deny", "otherwise: ask"),
        ("decide_within_seconds: 1800", "decide_within_seconds: 0"),
        ("arguments.amount", "weather"),
    ],
)
def test_a_policy_that_is_no_policy_is_refused_with_the_place_of_each_fault(
    shop: Shop, change: tuple[str, str]
) -> None:
    applied = publish(shop, money(version=2).replace(*change))
    assert applied.outcome == "refused"
    assert all(fault.path for fault in applied.faults)
    assert versions(shop) == {1: True}


def test_publishing_is_told_in_the_record_of_the_tenants_administration(shop: Shop) -> None:
    publish(shop, money(version=2))
    kind, says = told(f"tenant:{shop.tenant.pk}")[-1]
    assert (kind, says["name"], says["version"], says["operations"]) == (
        "policy.published",
        "money",
        2,
        ["pay", "wire"],
    )
    with inside():
        assert Policy.objects.get(pk=UUID(says["id"])).version == 2


def test_a_rivals_policy_governs_nothing_here(shop: Shop, rival: Shop) -> None:
    publish(rival, money(version=2, small="deny"))
    assert shop.states(shop.accept(draft("a"))) == {"a": "ready"}
    assert rival.states(rival.accept(draft("a"))) == {"a": "denied"}
