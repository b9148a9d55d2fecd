"""A dry run says what a policy would change, and nothing is changed by asking."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from approvals.policy_checks import normalise
from approvals.policy_document import policy_document
from console.database import transaction
from console.documents import load
from runs.policies.trial import Trial, trial
from tests.approvals.test_spending import capped
from tests.shop import Shop, draft, money
from tests.work import claimed, follow, settle, sweep


def tried(shop: Shop, text: str) -> Trial:
    """Try a policy."""
    (document,) = load(text)
    with transaction(shop.tenant.pk):
        return trial(shop.tenant.pk, policy_document(normalise(document).value))


def pending(found: Trial) -> dict[str, int]:
    return {count.change: count.number for count in found.pending_counts}


def test_it_counts_what_would_need_more_people_be_released_and_be_denied(shop: Shop) -> None:
    shop.accept(*[draft(f"dear-{number}", "250") for number in range(3)])
    shop.accept(draft("dearer", "600"), draft("dearest", "2500"), draft("small", "5"))
    before = shop.was_administered()
    found = tried(shop, money(version=2, large="500", middling="300", small="allow"))
    assert pending(found) == {"more": 1, "released": 3, "same": 2}
    assert [count.says for count in found.pending_counts] == [
        "1 pending would need more approvers",
        "3 pending would be released without asking",
        "2 pending stay as they are",
    ]
    assert [each.tried.summary for each in found.changed(1)] == ["Pay 600.00 EUR to bob"]
    assert pending(tried(shop, money(version=2, middling="4", small="deny"))) == {"same": 5, "asked": 1}
    assert shop.was_administered() is before


def test_what_was_said_comes_true_when_it_is_published(shop: Shop) -> None:
    run = shop.accept(draft("a", "250"), draft("b", "600"), draft("c", "5"))
    text = money(version=2, large="500", middling="300", small="deny")
    assert pending(tried(shop, text)) == {"denied": 2, "more": 1}
    shop.apply(text)
    sweep()
    assert shop.states(run) == {"a": "denied", "b": "awaiting_approval", "c": "denied"}
    assert shop.request(run, "b").quorum == 2


def test_an_approval_that_is_not_used_yet_counts_and_one_that_was_used_is_past(shop: Shop) -> None:
    run = shop.accept(draft("used", "250"), draft("unused", "260"))
    shop.approve(shop.request(run, "used"))
    follow()
    settle(claimed())
    shop.approve(shop.request(run, "unused"))
    found = tried(shop, money(version=2, large="200"))
    assert pending(found) == {"more": 1}
    assert [count.says for count in found.past_counts] == ["1 past would have needed more approvers"]


def test_what_was_allowed_and_done_is_judged_too(shop: Shop) -> None:
    shop.accept(draft("small", "5"))
    settle(claimed())
    assert [count.says for count in tried(shop, money(version=2, middling="4")).past_counts] == [
        "1 past would have been asked about"
    ]


def test_an_operation_that_a_policy_lets_go_of_falls_to_the_one_for_the_rest(shop: Shop) -> None:
    shop.accept(draft("dear", "250"), draft("wired", "250", operation="wire"))
    assert pending(tried(shop, money(version=2).replace("[pay, wire]", "[pay]"))) == {"released": 1, "same": 1}


def test_what_was_spent_is_counted_as_it_is_now(shop: Shop) -> None:
    shop.apply(capped(limit="100"))
    shop.accept(draft("a", "60"), draft("b", "40"))
    assert pending(tried(shop, capped(version=3, limit="90"))) == {"asked": 1, "same": 1}


def test_another_tenants_requests_are_not_looked_at(shop: Shop, rival: Shop) -> None:
    rival.accept(draft("dear", "250"))
    assert pending(tried(shop, money(version=2, large="200"))) == {}


def test_the_command_says_it_and_publishes_nothing(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.accept(draft("dear", "250"))
    file = tmp_path / "money.yaml"
    file.write_text(money(version=2, large="200"), encoding="utf-8")
    call_command("contracts", "try", str(file), "--tenant", shop.tenant.slug)
    said = capsys.readouterr().out
    assert "1 pending would need more approvers" in said
    assert "Pay 250.00 EUR to bob" in said
    assert shop.request(shop.accept(draft("other", "250")), "other").rule == "middling"
    file.write_text(money(version=2).replace("then: ask", "then: perhaps"), encoding="utf-8")
    with pytest.raises(CommandError, match="would be refused"):
        call_command("contracts", "try", str(file), "--tenant", shop.tenant.slug)
