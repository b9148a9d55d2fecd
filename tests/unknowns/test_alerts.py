"""Unknown effects are told of as they age: once for each age, to their owner, and nothing about them is changed by that (R-F3, UNK-04)."""

import threading
from typing import Any
from uuid import UUID

import pytest

from console.database import crossing_tenants
from console.notices.models import Copy, Notice
from runs.models import Effect, Run
from runs.sweep import sweep as one_pass
from runs.unknowns import owning
from tests import clock, invariants, unsure
from tests.cast import inside
from tests.record import findings, told
from tests.shop import Shop, draft, operation
from tests.work import WORKER, claimed, end_leases, settle, sweep

MINUTE = 60.0
PATIENT = (
    operation("pay", version=2)
    + """
unknown: {owner: finance, age_objective_seconds: 900, resolve: status, resend_same_key: false, reminders_seconds: [3600, 86400],
  escalate_after_seconds: 7200}
escalation: {to: operators, evidence: The bank's statement.}
"""
)


CAREFUL = (
    operation("move")
    + """
unknown: {owner: finance, age_objective_seconds: 900, resolve: status, resend_same_key: false, second_person: true}
"""
)


@pytest.fixture
def patient(shop: Shop) -> Shop:
    """A shop whose payments are told of at 15 min, 1 h and 1 day, and escalated at 2 h."""
    assert not [applied for applied in shop.apply(PATIENT) if applied.faults]
    return shop


def unknown(shop: Shop, key: str = "a") -> Effect:
    """Have an effect whose outcome is unknown, and let the clock pass once."""
    run = shop.accept(draft(key))
    settle(claimed(), "unknown")
    look(0)
    return shop.effect(run, key)


def look(seconds: float) -> None:
    """Let the clock pass at this age, with nothing else looked at."""
    with clock.at(seconds):
        sweep()


def notices(about: UUID | None = None) -> list[tuple[str, list[str]]]:
    """Give what was posted, in order: its kind and who has a copy."""
    with inside():
        found = Notice.objects.order_by("posted_at", "kind")
        found = found if about is None else found.filter(about=about)
        names = [
            sorted(Copy.objects.filter(notice=each).values_list("member__user__name", flat=True)) for each in found
        ]
        return [(each.kind, who) for each, who in zip(found, names, strict=True)]


def text_of(kind: str) -> str:
    """Give what the one notice of this kind says."""
    with inside():
        return Notice.objects.get(kind=kind).text


def stored(effect: Effect) -> Effect:
    """Read it anew."""
    with inside():
        return Effect.objects.get(pk=effect.pk)


def steps(effect: Effect) -> list[tuple[str, Any]]:
    """Give what the record says of its alerts."""
    return [
        (kind, says) for kind, says in told(f"run:{effect.run_id}") if kind in {"effect.alerted", "effect.escalated"}
    ]


def test_the_first_look_sets_the_objective_and_tells_nobody(patient: Shop) -> None:
    effect = unknown(patient)
    assert effect.unknown_since is not None
    assert effect.objective_at is not None
    assert (effect.objective_at - effect.unknown_since).total_seconds() == 900
    assert effect.next_alert_at == effect.objective_at
    assert notices() == []


def test_at_the_objective_its_owner_is_told_once(patient: Shop) -> None:
    effect = unknown(patient)
    look(14 * MINUTE)
    assert notices() == []
    for _ in range(3):
        look(16 * MINUTE)
    assert notices(effect.pk) == [("effect.overdue", ["Amir Saleh", "Ann Okafor", "Ben Osei"])]
    assert steps(effect) == [
        (
            "effect.alerted",
            {"effect": str(effect.pk), "alerts": 1, "age_seconds": 900, "owner": None, "group": "finance"},
        )
    ]
    after = stored(effect)
    assert (after.state, after.alerts, after.unknown_since) == ("unknown", 1, effect.unknown_since)
    assert findings() == []


def test_each_age_is_told_of_and_at_two_hours_others_take_over(patient: Shop) -> None:
    effect = unknown(patient)
    for hours in (0.3, 1.1, 2.1, 3, 25, 26):
        look(hours * clock.HOUR)
    finance = ["Amir Saleh", "Ann Okafor", "Ben Osei"]
    assert notices(effect.pk) == [
        ("effect.overdue", finance),
        ("effect.still_unknown", finance),
        ("effect.escalated", ["Oscar Wren"]),
        ("effect.still_unknown", ["Oscar Wren"]),  # whose it is now
    ]
    after = stored(effect)
    assert (after.owner_group, after.alerts, after.next_alert_at) == ("operators", 3, None)
    assert after.escalated_at is not None
    assert steps(effect)[2] == (
        "effect.escalated",
        {"effect": str(effect.pk), "to": "operators", "from": "finance", "age_seconds": 7200},
    )
    assert findings() == []


@pytest.mark.parametrize("again", ["answered", "lost"])
def test_when_it_is_unknown_anew_its_contracts_owner_is_told_and_not_whom_the_last_time_was_escalated_to(
    patient: Shop, again: str
) -> None:
    soon = PATIENT.replace("version: 2", "version: 3").replace("seconds: 7200", "seconds: 1200")
    assert not patient.apply(soon)[0].faults
    effect = unknown(patient)
    look(1300)
    assert stored(effect).owner_group == "operators"
    with clock.at(1400):
        unsure.find(patient, effect, "did_not_happen", "retry", extra_attempts=1, reason="The bank was down.")
        act = claimed()
        if again == "answered":
            settle(act, "unknown")
        else:
            end_leases(WORKER)
        sweep()
        anew = stored(effect)
        assert (anew.state, anew.owner_group, anew.escalated_at) == ("unknown", "", None)
    look(2400)
    assert notices(effect.pk)[-1] == ("effect.overdue", ["Amir Saleh", "Ann Okafor", "Ben Osei"])
    assert findings() == []


def test_a_clock_that_was_away_for_days_tells_of_the_last_age_alone(patient: Shop) -> None:
    effect = unknown(patient)
    for _ in range(2):
        look(5 * clock.DAY)
    assert [kind for kind, _ in notices(effect.pk)] == ["effect.still_unknown", "effect.escalated"]
    assert [says.get("age_seconds") for _, says in steps(effect)] == [86400, 7200]
    assert stored(effect).alerts == 3


@pytest.mark.parametrize("age", [clock.HOUR, clock.DAY, 30 * clock.DAY])
def test_however_old_it_stays_unknown_and_has_an_owner_who_was_told(patient: Shop, age: float) -> None:
    effect = unknown(patient)
    for _ in range(3):
        look(age + MINUTE)
    after = stored(effect)
    assert (after.state, after.unknown_since, after.ended_at, after.outcome) == (
        "unknown", effect.unknown_since, None, "unknown",
    )  # fmt: skip
    said = notices(effect.pk)
    assert len(said) == len({kind for kind, _ in said})
    assert all(who for _, who in said)
    assert findings() == []


def test_whoever_claimed_it_is_told_alone_and_stays_named_when_it_is_escalated(patient: Shop) -> None:
    effect = unknown(patient)
    unsure.claim_it(patient, effect, "ann")
    look(16 * MINUTE)
    assert notices(effect.pk) == [("effect.overdue", ["Ann Okafor"])]
    look(3 * clock.HOUR)
    after = stored(effect)
    assert (after.owner_id, after.owner_group) == (patient.members["ann"].pk, "operators")
    assert "Ann Okafor has claimed it." in text_of("effect.escalated")


def test_an_owner_who_was_stopped_is_no_owner(patient: Shop) -> None:
    effect = unknown(patient)
    unsure.claim_it(patient, effect, "ann")
    patient.change("ann", active=False)
    look(16 * MINUTE)
    assert notices(effect.pk) == [("effect.overdue", ["Amir Saleh", "Ben Osei"])]


def test_a_contract_of_before_alerts_has_the_careful_default(shop: Shop) -> None:
    effect = unknown(shop)
    look(16 * MINUTE)
    assert notices(effect.pk) == [("effect.overdue", ["Oscar Wren"])]


def test_what_is_known_by_then_is_told_of_no_more(patient: Shop) -> None:
    run = patient.accept(draft("a"))
    settle(claimed(), "unknown", delay=0)
    look(0)
    settle(claimed(), "succeeded")
    look(clock.DAY)
    assert (patient.states(run), notices()) == ({"a": "succeeded"}, [])


def test_what_its_run_ended_with_unresolved_is_told_of_still(patient: Shop) -> None:
    run = patient.accept(draft("a", required=False), run_type="lenient")
    settle(claimed(), "unknown")
    look(0)
    effect = patient.effect(run, "a")
    patient.complete(run, accepting=[effect.pk])
    assert patient.state(run) == "succeeded_with_unresolved"
    look(3 * clock.HOUR)
    assert [kind for kind, _ in notices(effect.pk)] == ["effect.still_unknown", "effect.escalated"]
    invariants.check()


def test_several_clocks_at_once_tell_once(patient: Shop) -> None:
    effects = [unknown(patient, key) for key in "abc"]
    barrier = threading.Barrier(4)

    def go() -> None:
        barrier.wait()
        with crossing_tenants():
            one_pass()

    with clock.at(16 * MINUTE):
        threads = [threading.Thread(target=go) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sweep()
    for effect in effects:
        assert [kind for kind, _ in notices(effect.pk)] == ["effect.overdue"]
        assert len(steps(effect)) == 1


def test_a_run_that_somebody_holds_is_told_of_at_the_next_pass(patient: Shop) -> None:
    effect = unknown(patient)
    with inside():
        assert Run.objects.select_for_update(no_key=True).get(pk=effect.run_id)
        held = threading.Thread(target=look, args=[16 * MINUTE])
        held.start()
        held.join()
    assert notices() == []
    look(16 * MINUTE)
    assert len(notices(effect.pk)) == 1


def test_a_pass_is_bounded(patient: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in "abc":
        unknown(patient, key)
    monkeypatch.setattr("runs.unknowns.alerts.MOST", 2)
    with clock.at(16 * MINUTE):
        assert sweep()["alerts posted"] == 2
        assert sweep()["alerts posted"] == 1
        assert "alerts posted" not in sweep()


def test_two_tenants_are_told_each_of_its_own(patient: Shop, rival: Shop) -> None:
    mine, theirs = unknown(patient), unknown(rival)
    look(16 * MINUTE)
    assert len(notices(mine.pk)) == len(notices(theirs.pk)) == 1
    with inside():
        copies = Copy.objects.values_list("tenant_id", "member__tenant_id", "notice__tenant_id")
        assert all(len(set(each)) == 1 for each in copies)


def test_what_was_told_is_part_of_what_the_record_proves(patient: Shop) -> None:
    effect = unknown(patient)
    look(3 * clock.HOUR)
    with inside():
        Effect.objects.filter(pk=effect.pk).update(alerts=0)
    assert [finding.detail for finding in findings()] != []
    patient.verified = False


# What people tell each other


def test_a_finding_that_waits_is_told_to_those_who_may_confirm_it(shop: Shop) -> None:
    assert not [applied for applied in shop.apply(CAREFUL) if applied.faults]
    effect = unsure.unknown(shop, "move")
    assert unsure.find(shop, effect, by="oscar")["finding"] == "proposed"
    assert notices(effect.pk) == [("finding.waits", ["Amir Saleh", "Ann Okafor", "Ben Osei"])], "not whoever made it"
    assert "Oscar Wren found that it happened." in text_of("finding.waits")


def test_whom_an_effect_is_handed_to_is_told(shop: Shop) -> None:
    effect = unsure.unknown(shop)
    for to in ({"to_group": "finance"}, {"to_member": shop.members["amir"].pk}):
        owning.hand_over(shop.actor("oscar"), effect.pk, reason="You know the bank.", key=unsure.key(), **to)
    assert notices(effect.pk) == [
        ("effect.handed_over", ["Amir Saleh", "Ann Okafor", "Ben Osei"]),
        ("effect.handed_over", ["Amir Saleh"]),
    ]
    with inside():
        assert Notice.objects.order_by("posted_at")[0].text == "Oscar Wren handed it over, saying: You know the bank."


def test_whoever_cannot_tell_passes_it_on_and_they_are_told(shop: Shop) -> None:
    effect = unsure.unknown(shop)
    unsure.find(shop, effect, "cannot_tell", reason="The bank does not answer the telephone.", to_group="finance")
    assert notices(effect.pk) == [("effect.handed_over", ["Amir Saleh", "Ann Okafor", "Ben Osei"])]


def test_an_alert_is_no_news_to_whoever_finds_out_what_happened(patient: Shop) -> None:
    effect = unknown(patient)
    seen = patient.run(effect.run_id).ledger_seq
    look(16 * MINUTE)
    assert patient.run(effect.run_id).ledger_seq > seen
    assert unsure.find(patient, effect, by="ann", version=seen)["state"] == "succeeded"
