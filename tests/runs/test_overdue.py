"""What was accepted and cannot be asked about is unknown when nobody told of it in its time, and never by anything else (R-F6)."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from runs.contracts.retry import Retry
from runs.finding_out import FindingOut
from runs.outcome import Tried, after_act
from runs.states import ACCEPTED, OVERDUE, UNKNOWN
from tests import clock
from tests.hearing import SECRET, VARIABLE, message, tell, told_of
from tests.record import findings, kinds
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle, sweep

DAY = 86_400


@pytest.fixture
def hears(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The shop, with an operation of which the bank tells by itself and is asked nothing."""
    monkeypatch.setenv(VARIABLE, SECRET)
    assert not shop.apply(told_of("send"))[0].faults
    return shop


def accepted(shop: Shop) -> UUID:
    """Have an effect that the bank took on, to be told of within a day."""
    run = shop.accept(draft("rent", operation="send"))
    settle(claimed(), "accepted", to=ACCEPTED, delay=DAY, step=OVERDUE, http=202, reference="op_1")
    return run


def test_it_is_unknown_when_no_message_came_in_time(hears: Shop) -> None:
    run = accepted(hears)
    with clock.at(DAY - 10):
        assert "accepted overdue" not in sweep()
    assert hears.states(run) == {"rent": ACCEPTED}
    with clock.at(DAY + 10):
        assert sweep()["accepted overdue"] == 1
        assert "accepted overdue" not in sweep()
    effect = hears.effect(run, "rent")
    assert (effect.state, effect.next_step) == (UNKNOWN, "status"), (
        "what the contract lets be asked is asked from then on"
    )
    assert effect.unknown_since is not None
    assert "effect.overdue" in kinds(f"run:{run}")
    assert findings() == []


def test_no_worker_takes_it_up_meanwhile(hears: Shop) -> None:
    accepted(hears)
    with clock.at(DAY + 10):
        assert claim() == []


def test_a_message_in_time_settles_it_and_nothing_is_overdue(hears: Shop) -> None:
    run = accepted(hears)
    tell(message(hears.effect(run, "rent").pk))
    with clock.at(DAY + 10):
        assert "accepted overdue" not in sweep()
    assert hears.states(run) == {"rent": "succeeded"}


def test_a_message_after_its_time_settles_the_unknown(hears: Shop) -> None:
    run = accepted(hears)
    with clock.at(DAY + 10):
        sweep()
    tell(message(hears.effect(run, "rent").pk))
    assert hears.states(run) == {"rent": "succeeded"}


def test_the_contract_says_how_long_a_message_is_waited_for() -> None:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    tried = Tried(attempts=1, first_at=now, now=now, deadline_at=now)
    step = after_act("accepted", "", Retry(), tried, finding=FindingOut(told_within_seconds=600))
    assert (step.state, step.delay, step.next) == (ACCEPTED, 600, OVERDUE)
