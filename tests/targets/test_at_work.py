"""The example contract with a reader, worked by a real shift against the example bank: what people saw is what is acted on."""

from typing import Any
from uuid import UUID

import pytest

from approvals.deciding.voting import approve
from approvals.models import Request
from console.env import BASE_DIR
from console.exact import decode
from runs.drafts import EffectDraft
from tests.cast import inside
from tests.processes import until
from tests.runs.banking import TOKEN, Bank, bank
from tests.runs.shifting import Working
from tests.shop import Shop
from tests.work import sweep

__all__ = ["bank"]


@pytest.fixture
def shop(shop: Shop, bank: Bank) -> Shop:
    """The shop with the example of a credit, at a bank that is there."""
    text = (BASE_DIR / "examples" / "contracts" / "credit.yaml").read_text(encoding="utf-8")
    refused = [applied for applied in shop.apply(text) if applied.faults]
    assert not refused, refused
    return shop


def credit(shop: Shop, amount: str = "20.00", key: str = "credit") -> tuple[UUID, Request]:
    """Have a credit asked."""
    arguments = {"order": "1042", "amount": amount}
    run = shop.accept(EffectDraft(key=key, operation="credit", arguments=arguments), run_type="goodwill")
    return run, shop.request(run, key)


def stored(request: Request) -> Request:
    """Read a request anew."""
    with inside():
        return Request.objects.get(pk=request.pk)


def say_yes(shop: Shop, request: Request) -> dict[str, Any]:
    """Approve what stands on the card."""
    known = stored(request)
    return approve(
        shop.actor("ann"), request.pk, shown_digest=request.subject_digest.hex(), shown_target=known.target_version, reason="Fine.",
        key=f"yes-{request.pk}",
    )  # fmt: skip


def test_it_is_read_decided_read_again_and_done(shop: Shop, bank: Bank) -> None:
    shift = Working(idle_seconds=30)
    run, request = credit(shop)
    assert until(lambda: stored(request).target_read_at is not None)
    state: Any = decode(stored(request).target_state)
    assert state["paid_back"] == "0.00"
    say_yes(shop, request)
    assert until(lambda: shop.states(run) == {"credit": "succeeded"})
    shift.drain()
    shift.ends()
    assert len(bank.entries()) == 1
    known = stored(request)
    assert known.target_read_at is not None
    assert known.decided_at is not None
    assert known.target_read_at >= known.decided_at
    assert [attempt.kind for attempt in shop.attempts(run, "credit")] == ["act"]


def test_what_was_paid_meanwhile_sends_it_back_for_another_look(shop: Shop, bank: Bank) -> None:
    """DB-03: approved on a state that is gone; nothing is done, and the new question says what is different."""
    first, asked_first = credit(shop, "5.00", "one")
    second, asked_second = credit(shop, "20.00", "two")
    shift = Working(idle_seconds=30)
    assert until(
        lambda: stored(asked_first).target_read_at is not None and stored(asked_second).target_read_at is not None
    )
    assert stored(asked_first).target_version == stored(asked_second).target_version
    say_yes(shop, asked_first)
    assert until(lambda: shop.states(first) == {"one": "succeeded"})
    say_yes(shop, asked_second)
    assert until(lambda: stored(asked_second).state == "rerouted")
    assert until(lambda: shop.states(second) == {"two": "proposed"})
    shift.drain()
    shift.ends()
    sweep()
    shift = Working(idle_seconds=30)
    new = shop.request(second, "two")
    assert until(lambda: stored(new).target_read_at is not None)
    shift.drain()
    shift.ends()
    assert (new.revises_id, len(bank.entries())) == (asked_second.pk, 1)
    assert decode(stored(new).target_state)["paid_back"] == "5.00"  # type: ignore[index, call-overload]


def test_a_reader_that_answers_nonsense_is_a_fault_and_nothing_is_known(shop: Shop, bank: Bank) -> None:
    bank.behave({"do": "answer", "status": 500, "body": {}}, path="/orders/", method="GET", then="last")
    _, request = credit(shop)
    shift = Working(idle_seconds=30)
    assert until(lambda: stored(request).reads_failed > 0)
    shift.drain()
    shift.ends()
    known = stored(request)
    assert (known.target_version, known.target_read_at, known.read_due_at is not None) == ("", None, True)
    assert known.read_fault


def test_the_secret_of_a_reader_is_sent_and_kept_nowhere(shop: Shop, bank: Bank) -> None:
    _, request = credit(shop)
    shift = Working(idle_seconds=30)
    assert until(lambda: stored(request).target_read_at is not None)
    shift.drain()
    shift.ends()
    assert TOKEN not in stored(request).target_state
