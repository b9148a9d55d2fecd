"""A real bank is asked to stop what it has taken on: it drops it, and only what it says afterwards settles the effect (R-I3)."""

from tests.cancels import cancel, states, with_stops
from tests.runs.at_work import once
from tests.runs.banking import Bank, bank
from tests.shop import Shop, draft

__all__ = ["bank"]


def test_what_the_bank_had_taken_on_is_dropped_and_then_known_not_to_have_happened(shop: Shop, bank: Bank) -> None:
    with_stops(shop)
    bank.behave({"do": "accept_202", "seconds": 30})
    run = shop.accept(draft("a", operation="ship"))
    once()
    assert shop.states(run) == {"a": "accepted"}
    assert cancel(shop, run)["state"] == "closing"
    asked = once()
    assert (asked.outcome, asked.state, asked.step) == ("succeeded", "accepted", "status")
    once()
    effect = shop.effect(run, "a")
    assert (effect.state, effect.state_reason) == ("rejected", "It was cancelled before it was done.")
    assert (shop.state(run), states(run), bank.entries(), bank.calls()) == ("cancelled", ["proven"], [], 1)


def test_what_the_bank_had_done_stays_done_and_is_told_as_late(shop: Shop, bank: Bank) -> None:
    with_stops(shop)
    bank.behave({"do": "commit_and_drop"})
    run = shop.accept(draft("a", operation="ship"))
    once()
    assert shop.states(run) == {"a": "unknown"}
    cancel(shop, run)
    assert once().outcome == "rejected"
    once()
    stands = shop.run(run)
    assert (shop.states(run), stands.state, stands.attention) == ({"a": "succeeded"}, "cancelled", "late")
    assert len(bank.entries()) == 1
