"""An agent changes its mind while people look: one question gives way to another, and nobody decides on what they did not see."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from approvals import differences
from approvals.ask import Question, ShownInPart, check_whole
from approvals.deciding.refusals import StaleView
from approvals.models import Request
from approvals.policies import NOTHING_GOVERNS
from approvals.revisions import revision_of
from console.exact import canonical, decode
from runs.proposals import StillOpen
from tests.approvals.lending import NARROW, lending, loan, narrow
from tests.cast import inside, signed_in
from tests.pages.browsing import text
from tests.record import kinds
from tests.shop import Shop, draft, money, operation
from tests.work import claim, claimed, follow, settle, sweep


def asked(shop: Shop, **more: Any) -> tuple[UUID, Request]:
    """Have a payment of 250 asked."""
    run = shop.accept(draft("first", "250", reason="It is due.", **more))
    return run, shop.request(run, "first")


def instead(shop: Shop, run: UUID, amount: str = "300", *, key: str = "second", of: str = "first", **more: Any) -> None:
    """Propose another payment in the place of the first."""
    shop.propose(run, draft(key, amount, supersedes=shop.effect(run, of).pk, **more))


def stored(request: Request) -> Request:
    """Read a request anew."""
    with inside():
        return Request.objects.get(pk=request.pk)


def changes(before: Request, after: Request) -> dict[str, tuple[str | None, str | None]]:
    """Give what differs between two requests."""
    with inside():
        pair = [Request.objects.select_related("policy").get(pk=each.pk) for each in (before, after)]
        return {each.name: (each.was, each.now) for each in differences.between(*pair)}


def test_what_waits_for_people_is_replaced_with_its_question(shop: Shop) -> None:
    run, first = asked(shop)
    instead(shop, run)
    second = shop.request(run, "second")
    assert shop.states(run) == {"first": "withdrawn", "second": "awaiting_approval"}
    assert (stored(first).state, second.state, second.revises_id) == ("withdrawn", "pending", first.pk)
    old = stored(first)
    with inside():
        assert revision_of(old) == second
    assert kinds(first.stream()) == ["request.opened", "request.withdrawn"]


def test_the_card_says_what_changed_argument_by_argument(shop: Shop) -> None:
    run, first = asked(shop)
    instead(shop, run, to="carl")
    second = shop.request(run, "second")
    assert changes(first, second) == {
        "target": ("payee:bob", "payee:carl"), "amount": ("250", "300"), "to": ("bob", "carl"), "the agent's reason": ("It is due.", None)
    }  # fmt: skip
    card = signed_in(shop.members["ann"]).get(f"/approvals/{second.pk}")
    assert "was 250 now 300" in text(card)
    assert "was bob now carl" in text(card)


def test_a_decision_on_the_old_card_is_answered_with_the_difference_and_the_way(shop: Shop) -> None:
    """APR-12: 412, nothing decided, and the current one is named."""
    run, first = asked(shop)
    instead(shop, run)
    second = shop.request(run, "second")
    for decide in (shop.approve, shop.deny):
        with pytest.raises(StaleView) as refused:
            decide(first)
        assert (refused.value.status, refused.value.facts["request"]) == (412, str(second.pk))
        assert {"name": "amount", "was": "250", "now": "300"} in refused.value.facts["changes"]
    form = {
        "verdict": "approve",
        "reason": "",
        "shown_digest": first.subject_digest.hex(),
        "idempotency_key": str(uuid4()),
    }
    answer = signed_in(shop.members["ann"]).post(f"/approvals/{first.pk}/decide", form)
    assert answer.status_code == 412
    assert f'href="/approvals/{second.pk}"' in answer.content.decode()
    assert "was 250 now 300" in text(answer)
    assert stored(second).state == "pending"


def test_what_was_approved_and_not_begun_is_replaced_and_asked_anew(shop: Shop) -> None:
    run, first = asked(shop)
    shop.approve(first)
    follow()
    instead(shop, run)
    assert shop.states(run) == {"first": "withdrawn", "second": "awaiting_approval"}
    assert (stored(first).state, claim()) == ("withdrawn", [])
    shop.approve(shop.request(run, "second"))
    follow()
    assert [row["key"] for row in claim()] == ["second"]


def test_what_was_allowed_and_not_begun_is_replaced_too(shop: Shop) -> None:
    run = shop.accept(draft("first", "5"))
    instead(shop, run, "6")
    assert shop.states(run) == {"first": "withdrawn", "second": "ready"}
    assert [row["key"] for row in claim()] == ["second"]


def test_what_was_begun_is_not_replaced(shop: Shop) -> None:
    run = shop.accept(draft("first", "5"))
    row = claimed()
    with pytest.raises(StillOpen):
        instead(shop, run, "6")
    settle(row, "overload", delay=60.0)
    with pytest.raises(StillOpen):  # it is ready again, and something of it was begun
        instead(shop, run, "6")
    assert shop.states(run) == {"first": "ready"}


def test_what_waited_for_the_old_one_is_withdrawn_with_it(shop: Shop) -> None:
    run, _ = asked(shop)
    shop.propose(run, draft("after", "5", after=["first"]))
    instead(shop, run)
    assert shop.states(run) == {"first": "withdrawn", "after": "withdrawn", "second": "awaiting_approval"}


def test_a_run_does_not_end_between_the_old_one_and_the_new(shop: Shop) -> None:
    run = shop.accept(draft("first", "250"), completes_itself=True)
    instead(shop, run)
    assert shop.state(run) == "running"


def test_a_chain_leads_to_its_last(shop: Shop) -> None:
    run, first = asked(shop)
    instead(shop, run)
    instead(shop, run, "350", key="third", of="second")
    third = shop.request(run, "third")
    with pytest.raises(StaleView) as refused:
        shop.approve(first)
    assert refused.value.facts["request"] == str(third.pk)
    assert {"name": "amount", "was": "250", "now": "350"} in refused.value.facts["changes"]


def test_what_is_proposed_after_a_denial_shows_what_is_different_now(shop: Shop) -> None:
    run, first = asked(shop)
    shop.deny(first)
    follow()
    instead(shop, run, "200")
    assert shop.request(run, "second").revises_id == first.pk
    assert changes(first, shop.request(run, "second"))["amount"] == ("250", "200")


def test_what_a_newer_policy_asks_again_shows_what_is_asked_otherwise(shop: Shop) -> None:
    run, first = asked(shop)
    shop.apply(money(version=2, large="200"))
    sweep()
    second = shop.request(run, "first")
    assert (stored(first).state, second.revises_id) == ("rerouted", first.pk)
    told = changes(first, second)
    assert told["policy"] == ("money, version 1, rule middling", "money, version 2, rule large")
    assert told["who is asked"] == ("1 of finance", "2 of finance")


def test_a_newer_contract_is_among_what_changed(shop: Shop) -> None:
    run, first = asked(shop)
    shop.apply(operation("pay", version=2, timeout="6"))
    instead(shop, run, "250")
    was, now = changes(first, shop.request(run, "second"))["contract"]
    assert (was or "").startswith("pay, version 1")
    assert (now or "").startswith("pay, version 2")


def test_the_same_effect_again_asks_nothing_again(shop: Shop) -> None:
    """The race table: an agent that re-posts finds what waits."""
    run, first = asked(shop)
    again = draft("first", "250", reason="It is due.")
    assert shop.propose(run, again) == [shop.effect(run, "first").pk]
    with inside():
        assert list(Request.objects.values_list("pk", flat=True)) == [first.pk]


def test_apr_05_an_approval_is_of_one_effect_and_no_other(shop: Shop) -> None:
    run, first = asked(shop)
    shop.approve(first)
    shop.propose(run, draft("other", "250", to="eve"))
    assert shop.states(run)["other"] == "awaiting_approval"
    assert shop.request(run, "other").pk != first.pk


@pytest.mark.parametrize("order", [("deny", "approve"), ("approve", "deny")])
def test_apr_16_each_question_gets_its_own_answer(shop: Shop, order: tuple[str, str]) -> None:
    run = shop.accept(draft("a", "250"), draft("b", "250", to="carl"))
    deeds = {"deny": lambda: shop.deny(shop.request(run, "a")), "approve": lambda: shop.approve(shop.request(run, "b"))}
    for deed in order:
        deeds[deed]()
    follow()
    assert shop.states(run) == {"a": "denied", "b": "ready"}
    assert [row["key"] for row in claim()] == ["b"]


def test_apr_03_people_see_the_effective_arguments(shop: Shop) -> None:
    run = shop.accept(draft("first", "250.0"))
    request = shop.request(run, "first")
    assert decode(request.arguments) == {"to": "bob", "amount": "250", "currency": "EUR"}
    shop.approve(request)
    follow()
    assert decode(claimed()["arguments"]) == {"to": "bob", "amount": "250", "currency": "EUR"}


def test_apr_21_an_approved_effect_is_never_asked_about_again(shop: Shop) -> None:
    run, first = asked(shop)
    shop.approve(first)
    for _ in range(3):
        follow()
        sweep()
        shop.propose(run, draft("first", "250", reason="It is due."))
    assert shop.states(run) == {"first": "ready"}
    settle(claimed())
    with inside():
        assert Request.objects.count() == 1


def test_apr_17_every_character_is_stored_and_shown(shop: Shop) -> None:
    shop.apply(operation("pay", version=2, target="payee:all").replace("maxLength: 64", "maxLength: 20000"))
    long = "x" * 9000 + " DELETE-ALL"
    run = shop.accept(draft("first", "250", to=long))
    request = shop.request(run, "first")
    assert decode(request.arguments)["to"] == long  # type: ignore[index, call-overload]
    assert long in signed_in(shop.members["ann"]).get(f"/approvals/{request.pk}").content.decode()


def test_apr_17_what_would_be_shown_in_part_is_not_asked(shop: Shop) -> None:
    _, request = asked(shop)
    whole = decode(request.arguments)
    assert isinstance(whole, dict)
    for arguments, target in (({**whole, "to": "b"}, request.target), (whole, "payee:b")):
        with pytest.raises(ShownInPart):
            check_whole(_question(request, canonical(arguments), target))
    check_whole(_question(request, request.arguments, request.target))


def _question(request: Request, arguments: str, target: str) -> Question:
    return Question(
        subject=request.subject, subject_digest=bytes(request.subject_digest), operation=request.operation, summary="", target=target,
        arguments=arguments, shown=request.shown, reason="", tier="normal", irreversible=False, agent_id=request.agent_id,
        owner_id=request.owner_id, ruling=NOTHING_GOVERNS, deadline_at=request.decide_by,
    )  # fmt: skip


def test_an_approval_for_less_goes_to_what_fits_also_before_the_old_one_has_heard(shop: Shop) -> None:
    """Withdrawing what is replaced does not take the approval along that was bound to what replaces it."""
    lending(shop, more=NARROW)
    run, request = loan(shop)
    narrow(shop, request, value="100")
    shop.propose(run, draft("less", "100", "lend", supersedes=shop.effect(run, "loan").pk))
    assert shop.states(run)["loan"] == "withdrawn"
    assert (stored(request).state, stored(request).subject) == ("approved", shop.effect(run, "less").pk)
    follow()
    assert [row["key"] for row in claim()] == ["less"]
