"""What was done in part ages as what is unknown does, until its rest is settled: told of once at each age, and escalated (R-A4, R-F3)."""

from typing import Any
from uuid import UUID

import pytest

from console.identity.models import Member
from runs.models import Effect
from runs.unknowns import queue
from runs.unknowns.queue import Wanted
from tests import clock, invariants, unsure
from tests.cast import inside
from tests.hearing import SECRET, VARIABLE, message, tell, told_of
from tests.record import findings
from tests.shop import Shop, draft
from tests.unknowns.test_alerts import MINUTE, PATIENT, look, notices, steps, stored, text_of
from tests.work import claimed, settle

FINANCE = ["Amir Saleh", "Ann Okafor", "Ben Osei"]


@pytest.fixture
def patient(shop: Shop) -> Shop:
    """A shop whose payments are told of at 15 min, 1 h and 1 day, and escalated at 2 h."""
    assert not [applied for applied in shop.apply(PATIENT) if applied.faults]
    return shop


def partial(shop: Shop, key: str = "a") -> Effect:
    """Have an effect that was done in part, and let the clock pass once."""
    run = shop.accept(draft(key))
    settle(claimed(), "partial", to="partial", result={"parts": ["a"]})
    look(0)
    return shop.effect(run, key)


def overdue(shop: Shop) -> list[UUID]:
    """Give what the queue calls done in part and overdue."""
    with inside():
        member = Member.objects.get(pk=shop.members["oscar"].pk)
        return [each.pk for each in queue.unknowns(member, Wanted(state="partial", overdue=True), None, 10)]


def facts(effect: Effect, **said: Any) -> dict[str, Any]:
    """Give what an entry says of it."""
    return {"effect": str(effect.pk), **said, "state": "partial"}


def test_the_first_look_sets_the_objective_and_tells_nobody(patient: Shop) -> None:
    effect = partial(patient)
    assert effect.ended_at is not None
    assert effect.objective_at is not None
    assert (effect.objective_at - effect.ended_at).total_seconds() == 900
    assert effect.next_alert_at == effect.objective_at
    assert notices(effect.pk) == []
    assert overdue(patient) == []


def test_each_age_is_told_of_once_and_at_two_hours_others_take_over(patient: Shop) -> None:
    effect = partial(patient)
    look(14 * MINUTE)
    assert notices(effect.pk) == []
    for hours in (0.3, 0.3, 1.1, 2.1, 2.1, 25, 26):
        look(hours * clock.HOUR)
    assert notices(effect.pk) == [
        ("effect.partial", FINANCE),
        ("effect.partial", FINANCE),
        ("effect.escalated", ["Oscar Wren"]),
        ("effect.partial", ["Oscar Wren"]),  # whose it is now
    ]
    assert "It belonged to finance and nobody settled its rest." in text_of("effect.escalated")
    assert steps(effect) == [
        ("effect.alerted", facts(effect, alerts=1, age_seconds=900, owner=None, group="finance")),
        ("effect.alerted", facts(effect, alerts=2, age_seconds=3600, owner=None, group="finance")),
        ("effect.escalated", facts(effect, to="operators", **{"from": "finance"}, age_seconds=7200)),
        ("effect.alerted", facts(effect, alerts=3, age_seconds=86400, owner=None, group="operators")),
    ]
    after = stored(effect)
    assert (after.state, after.alerts, after.next_alert_at, after.owner_group) == ("partial", 3, None, "operators")
    assert findings() == []


def test_what_is_told_says_that_it_was_done_in_part(patient: Shop) -> None:
    partial(patient)
    look(16 * MINUTE)
    said = text_of("effect.partial")
    assert said.startswith("It is known to be done in part since ")
    assert said.endswith("Some of it happened, and some did not. Settle the rest, and say so with evidence.")


def test_past_its_objective_it_is_overdue_in_the_queue(patient: Shop) -> None:
    effect = partial(patient)
    with clock.at(16 * MINUTE):
        assert overdue(patient) == [effect.pk]


def test_once_its_rest_is_settled_nobody_is_told_any_more(patient: Shop) -> None:
    effect = partial(patient)
    look(16 * MINUTE)
    with clock.at(17 * MINUTE):
        unsure.find(patient, effect, "rest_settled")
        assert overdue(patient) == []
    for hours in (1.1, 3, 25):
        look(hours * clock.HOUR)
    assert notices(effect.pk) == [("effect.partial", FINANCE)]
    after = stored(effect)
    assert (after.state, after.next_alert_at, after.objective_at) == ("partial", None, None)
    assert findings() == []


def test_an_unknown_that_turns_out_to_be_partial_has_its_ages_anew_and_stays_whose_it_was(patient: Shop) -> None:
    run = patient.accept(draft("a"))
    settle(claimed(), "unknown", delay=3 * clock.HOUR)
    look(0)
    look(2.5 * clock.HOUR)
    effect = patient.effect(run, "a")
    assert (effect.owner_group, effect.alerts) == ("operators", 2)
    with clock.at(3.1 * clock.HOUR):
        settle(claimed(), "partial", to="partial", result={"parts": ["a"]})
        known = stored(effect)
        assert (known.state, known.owner_group, known.alerts, known.escalated_at) == ("partial", "operators", 0, None)
    look(3.1 * clock.HOUR)
    look(3.4 * clock.HOUR)
    assert notices(effect.pk)[-1] == ("effect.partial", ["Oscar Wren"])
    assert findings() == []


def test_what_a_message_tells_to_be_partial_ages_too(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, SECRET)
    shop.apply(told_of("send"))
    run = shop.accept(draft("rent", operation="send"))
    settle(claimed(), "accepted", to="accepted", delay=7200, http=202, reference="op_1")
    effect = shop.effect(run, "rent")
    tell(message(effect.pk, "partial", reason="No such account."))
    look(0)
    look(16 * MINUTE)
    assert notices(effect.pk) == [("effect.partial", ["Oscar Wren"])]
    assert findings() == []


def test_what_its_run_ended_with_unresolved_is_told_of_still(patient: Shop) -> None:
    run = patient.accept(draft("a", required=False), run_type="lenient")
    settle(claimed(), "partial", to="partial", result={"parts": ["a"]})
    look(0)
    patient.complete(run)
    look(16 * MINUTE)
    assert notices(patient.effect(run, "a").pk) == [("effect.partial", FINANCE)]
    invariants.check()
