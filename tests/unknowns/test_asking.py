"""Asking now: at once, not over and over, and only where somebody can be asked."""

from datetime import UTC, datetime, timedelta

import pytest

from console.http.refusals import NotFound
from runs.models import Effect
from runs.unknowns.asking import AskedJustNow, CannotBeAsked
from runs.unknowns.standing import NotAnOperator, NotUnknown
from tests import clock
from tests.record import kinds
from tests.shop import Shop, draft, operation
from tests.unsure import ask, find, stored, unknown
from tests.work import claim, claimed, settle


@pytest.fixture
def waiting(shop: Shop) -> Effect:
    """An effect that is asked about only in an hour."""
    return unknown(shop, delay=3600)


def test_it_is_asked_at_once(shop: Shop, waiting: Effect) -> None:
    assert claim() == []
    assert ask(shop, waiting)["step"] == "status"
    look = claimed()
    assert (look["kind"], stored(waiting).state) == ("status", "unknown")
    settle(look, "succeeded")
    assert stored(waiting).state == "succeeded"
    assert kinds(f"run:{waiting.run_id}").count("unknown.asked") == 1


def test_it_is_not_asked_over_and_over(shop: Shop, waiting: Effect) -> None:
    ask(shop, waiting)
    with pytest.raises(AskedJustNow) as refused:  # it is due
        ask(shop, waiting)
    assert 1 <= refused.value.facts["retry_after"] <= 5
    look = claimed()
    with pytest.raises(AskedJustNow) as refused:  # it is being asked
        ask(shop, waiting)
    assert refused.value.facts["retry_after"] == 5
    settle(look, "pending", http=202, delay=3600)
    with pytest.raises(AskedJustNow):
        ask(shop, waiting)
    with clock.at(6):
        ask(shop, waiting)


def test_what_nobody_can_be_asked_about_is_for_a_person(shop: Shop) -> None:
    text = operation("shout")
    start, end = text.index("  status:"), text.index("retry:")
    lines = [line for line in (text[:start] + text[end:]).splitlines() if "outcome: accepted" not in line]
    assert not [applied for applied in shop.apply("\n".join(lines)) if applied.faults]
    effect = unknown(shop, "shout")
    with pytest.raises(CannotBeAsked):
        ask(shop, effect)
    find(shop, effect, "still_pending", look_again_at=datetime.now(UTC) + timedelta(hours=1))
    assert (stored(effect).next_attempt_at, stored(effect).next_step) == (None, "")


def test_what_was_accepted_can_be_asked_about_too(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claim(), "accepted", http=202, reference="op-7", delay=3600)
    ask(shop, shop.effect(run, "a"))
    settle(claimed(), "succeeded")
    assert shop.states(run) == {"a": "succeeded"}


def test_others_do_not_ask_and_nothing_settled_is_asked_about(shop: Shop, rival: Shop, waiting: Effect) -> None:
    for name in ("ann", "dora"):
        with pytest.raises(NotAnOperator):
            ask(shop, waiting, name)
    with pytest.raises(NotFound):
        ask(rival, waiting)
    find(shop, waiting)
    with pytest.raises(NotUnknown):
        ask(shop, waiting)
