"""A denial may say what would be said yes to: as the contract takes it, told to the agent, and nothing is done by it."""

import pytest

from approvals.models import Request
from console.exact import decode
from runs.api import present, queries
from runs.catalogue import BadArguments
from runs.pausing.deciding import deny
from tests.approvals.lending import NARROW, ONE, lending, loan, narrow, now, words
from tests.cast import inside
from tests.shop import Shop
from tests.work import claim, follow


def offer(shop: Shop, request: Request, **alternative: str) -> None:
    """Deny, and say what would be said yes to."""
    shown = request.subject_digest.hex()
    deny(shop.actor("ann"), request.pk, shown_digest=shown, reason="Too much.", key="no", alternative=alternative)


def test_the_agent_is_told_the_whole_of_what_would_be_approved(shop: Shop) -> None:
    lending(shop)
    run, request = loan(shop)
    offer(shop, request, amount="100")
    follow()
    effect = shop.effect(run, "loan").pk
    with inside():
        told = present.effect(queries.effect(effect))["approval"]
    assert told["alternative"] == {"to": "bob", "amount": "100", "currency": "EUR"}
    assert (told["state"], told["reason"], shop.states(run)) == ("denied", "Too much.", {"loan": "denied"})
    assert claim() == []


@pytest.mark.parametrize("alternative", [{"amount": "-1"}, {"amount": "much"}, {"colour": "red"}])
def test_what_the_contract_does_not_take_is_no_alternative(shop: Shop, alternative: dict[str, str]) -> None:
    lending(shop)
    _, request = loan(shop)
    with pytest.raises(BadArguments):
        offer(shop, request, **alternative)
    assert now(request).state == "pending"
    assert words(request) == []


def test_the_agent_is_told_how_it_was_narrowed_as_data_and_in_words(shop: Shop) -> None:
    lending(shop, ONE, NARROW)
    run, request = loan(shop)
    narrow(shop, request, value="100")
    follow()
    effect = shop.effect(run, "loan").pk
    with inside():
        told = present.effect(queries.effect(effect))["approval"]
    assert told["to_fit"] is True
    assert told["narrowing"] == {
        "condition": {"path": "arguments.amount", "op": "lte", "value": "100"}, "sentence": "the amount is at most 100",
    }  # fmt: skip
    assert decode(words(request)[0].constraints)
