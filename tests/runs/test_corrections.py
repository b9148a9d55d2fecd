"""Corrections: what a user puts right counts before the run goes on; what contradicts it is not begun (R-H1)."""

from typing import Any

import pytest

from console.database import crossing_tenants
from console.http.refusals import KeyReused, NotFound
from console.identity import administration
from console.ledger.actors import Actor
from runs import driver
from runs.corrections import making
from runs.corrections.acknowledging import NoSuchCorrection
from runs.corrections.contradicts import BadCorrection, checked, contradicted_by, contradicts, in_words
from runs.corrections.making import CorrectionText, NotYoursToCorrect, SourceMissing
from runs.corrections.seen import CorrectionsUnseen
from runs.models import Correction
from runs.proposals import ContradictsCorrection
from tests import clock, corrections
from tests.corrections import acknowledge, correct
from tests.permits import begin, with_permits
from tests.record import kinds, told
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle, sweep

LITTLE: dict[str, Any] = {"operation": "pay", "argument": "amount", "must": {"op": "lte", "value": 50}}


def test_what_contradicts_and_has_not_begun_is_withdrawn_with_its_question_and_with_what_waits_for_it(
    shop: Shop,
) -> None:
    run = shop.accept(
        draft("rent", "250"),
        draft("gas", "40"),
        draft("more", "60"),
        draft("after", "10", after=["rent"]),
        draft("see", "900", "look"),
    )
    receipt = correct(shop, run, "At most 50 for anything.", **LITTLE)
    assert shop.states(run) == {
        "rent": "withdrawn",
        "gas": "ready",
        "more": "withdrawn",
        "after": "withdrawn",
        "see": "ready",
    }
    assert shop.request(run, "rent").state == "withdrawn"
    assert shop.effect(run, "rent").state_reason == "correction 1 says otherwise"
    assert sorted(receipt["withdrawn"]) == sorted(str(shop.effect(run, key).pk) for key in ("rent", "more"))
    [made] = corrections.corrections(run)
    assert (made.text, made.source, made.made_by, made.number) == (
        "At most 50 for anything.", "message 14 of the chat", str(shop.bot), 1,
    )  # fmt: skip
    assert shop.run(run).corrections_count == 1
    assert shop.run(run).corrections_seen == 0


def test_a_correction_of_words_alone_withdraws_nothing_and_must_be_taken_into_account_all_the_same(shop: Shop) -> None:
    run = shop.accept(draft("gas"))
    correct(shop, run, "Be polite.")
    assert shop.states(run) == {"gas": "ready"}
    settle(claimed())
    with pytest.raises(CorrectionsUnseen) as refused:
        shop.complete(run)
    assert refused.value.facts["corrections"] == 1
    acknowledge(shop, run)
    assert shop.complete(run)["state"] == "succeeded"


def test_nothing_new_is_taken_from_a_driver_that_has_not_seen_a_correction(shop: Shop) -> None:
    run = shop.accept()
    correct(shop, run, "Be polite.")
    with pytest.raises(CorrectionsUnseen):
        shop.propose(run, draft("gas"))
    acknowledge(shop, run)
    shop.propose(run, draft("gas"))
    assert shop.states(run) == {"gas": "ready"}


def test_an_agent_does_not_begin_what_it_does_itself_before_it_has_seen_a_correction_and_a_person_does(
    shop: Shop,
) -> None:
    with_permits(shop)
    run = shop.accept(draft("label", operation="label"), draft("call", operation="phone"))
    correct(shop, run, "Be polite.")
    with pytest.raises(CorrectionsUnseen):
        begin(shop.bot, shop.effect(run, "label"))
    assert begin(shop.actor("ann"), shop.effect(run, "call"))["operation"] == "phone"
    acknowledge(shop, run)
    assert begin(shop.bot, shop.effect(run, "label"))["operation"] == "label"


@pytest.mark.parametrize("operation", ["pays", "Pay", "refund"])
def test_a_correction_about_an_operation_that_there_is_not_is_refused_and_not_taken_for_words(
    shop: Shop, operation: str
) -> None:
    run = shop.accept(draft("rent", "250"))
    with pytest.raises(BadCorrection):
        correct(shop, run, "Pay nothing more.", operation=operation)
    assert (shop.run(run).corrections_count, shop.states(run)) == (0, {"rent": "awaiting_approval"})


def test_a_later_proposal_that_contradicts_is_refused_and_one_that_does_not_is_taken(shop: Shop) -> None:
    run = shop.accept(draft("rent", "250"))
    correct(shop, run, "At most 50 for anything.", **LITTLE)
    acknowledge(shop, run)
    with pytest.raises(ContradictsCorrection) as refused:
        shop.propose(run, draft("rent-again", "50.01"))
    assert (refused.value.facts["correction"], refused.value.facts["text"]) == (1, "At most 50 for anything.")
    shop.propose(run, draft("rent-less", "50"))
    assert shop.states(run)["rent-less"] == "ready"


def test_the_last_word_about_an_operation_and_an_argument_counts(shop: Shop) -> None:
    run = shop.accept()
    correct(shop, run, "At most 50.", **LITTLE)
    correct(shop, run, "No, 80 is fine.", **LITTLE | {"must": {"op": "lte", "value": "80"}})
    acknowledge(shop, run, 2)
    shop.propose(run, draft("gas", "70"))
    with pytest.raises(ContradictsCorrection) as refused:
        shop.propose(run, draft("rent", "90"))
    assert refused.value.facts["correction"] == 2


def test_what_is_under_way_goes_on_and_is_not_begun_again(shop: Shop) -> None:
    run = shop.accept(draft("rent", "60"))
    row = claimed()
    receipt = correct(shop, run, "At most 50.", **LITTLE)
    assert (receipt["withdrawn"], receipt["under_way"]) == ([], [str(shop.effect(run, "rent").pk)])
    settle(row, "transient", http=503, delay=0)
    assert shop.states(run) == {"rent": "withdrawn"}
    assert shop.effect(run, "rent").state_reason == "correction 1 says otherwise"
    assert claim() == []


def test_what_is_under_way_and_is_done_is_done(shop: Shop) -> None:
    run = shop.accept(draft("rent", "60"))
    row = claimed()
    correct(shop, run, "At most 50.", **LITTLE)
    settle(row)
    assert shop.states(run) == {"rent": "succeeded"}


def test_what_is_under_way_is_tried_again_where_a_later_correction_has_the_last_word(shop: Shop) -> None:
    run = shop.accept(draft("rent", "60"))
    row = claimed()
    correct(shop, run, "At most 50.", **LITTLE)
    correct(shop, run, "60 is fine.", **LITTLE | {"must": {"op": "lte", "value": 60}})
    settle(row, "transient", http=503, delay=0)
    assert shop.states(run) == {"rent": "ready"}


def test_a_run_that_completes_by_itself_does_not_before_somebody_has_seen_the_correction(shop: Shop) -> None:
    run = shop.accept(draft("rent", "60"), completes_itself=True)
    correct(shop, run, "At most 50.", **LITTLE)
    assert (shop.states(run), shop.state(run)) == ({"rent": "withdrawn"}, "running")
    acknowledge(shop, run, name="oscar")
    assert shop.state(run) == "succeeded"


def test_a_run_that_would_complete_by_itself_and_whose_correction_nobody_reads_is_told_of(shop: Shop) -> None:
    run = shop.accept(draft("rent", "60"), completes_itself=True)
    correct(shop, run, "At most 50.", **LITTLE)
    with clock.at(3600):
        sweep()
        assert shop.run(run).attention == "stalled"
        acknowledge(shop, run)
    assert shop.state(run) == "succeeded"


def test_what_was_withdrawn_can_be_replaced_by_what_the_user_wants(shop: Shop) -> None:
    run = shop.accept(draft("rent", "60"), completes_itself=True)
    correct(shop, run, "At most 50.", **LITTLE)
    acknowledged = acknowledge(shop, run)
    assert acknowledged["state"] == "succeeded"
    other = shop.accept(draft("rent", "60"))
    correct(shop, other, "At most 50.", **LITTLE)
    acknowledge(shop, other)
    shop.propose(other, draft("less", "50", supersedes=shop.effect(other, "rent").pk))
    settle(claimed())
    assert shop.complete(other)["state"] == "succeeded"


def test_who_may_correct_and_who_may_not(shop: Shop, rival: Shop) -> None:
    run = shop.accept()
    for name in ("oscar", "dora", "ben"):  # who operates, who administers, and who answers for the agent
        correct(shop, run, "As said on the phone.", name=name, source="")
    with pytest.raises(NotYoursToCorrect):
        correct(shop, run, name="ann")
    with pytest.raises(NotFound):
        correct(rival, run)
    assert [made.made_by for made in corrections.corrections(run)] == [
        str(shop.actor(name)) for name in ("oscar", "dora", "ben")
    ]


def test_another_agent_of_the_tenant_does_not_correct_it(shop: Shop) -> None:
    run = shop.accept()
    with crossing_tenants():
        made = administration.add_agent(shop.office, "other-bot", shop.members["ben"])
    other = Actor("agent", made.pk, made.name, shop.tenant.pk, "api")
    with pytest.raises(NotYoursToCorrect):
        making.correct(other, run, text="Mine now.", source="nowhere", key="not-mine")


def test_an_agent_says_where_the_user_said_so_and_what(shop: Shop) -> None:
    run = shop.accept()
    with pytest.raises(SourceMissing):
        correct(shop, run, source=" ")
    with pytest.raises(CorrectionText):
        correct(shop, run, " ")
    with pytest.raises(CorrectionText):
        correct(shop, run, "x" * 4001)


def test_a_run_that_has_ended_is_not_corrected(shop: Shop) -> None:
    run = shop.accept()
    shop.complete(run)
    with pytest.raises(driver.RunEnded):
        correct(shop, run)


def test_the_same_correction_twice_is_one(shop: Shop) -> None:
    run = shop.accept()
    first = correct(shop, run, key="once")
    again = correct(shop, run, key="once")
    assert (again["number"], again["replayed"], len(corrections.corrections(run))) == (first["number"], True, 1)
    with pytest.raises(KeyReused):
        correct(shop, run, "Something else.", key="once")


def test_only_corrections_that_there_are_can_be_taken_into_account(shop: Shop) -> None:
    run = shop.accept()
    for number in (0, 1):
        with pytest.raises(NoSuchCorrection):
            acknowledge(shop, run, number)
    correct(shop, run)
    with pytest.raises(NoSuchCorrection):
        acknowledge(shop, run, 2)
    assert acknowledge(shop, run, 1)["seen"] == 1
    assert acknowledge(shop, run, 1)["seen"] == 1
    assert kinds(f"run:{run}").count("correction.seen") == 1


def test_the_record_tells_a_correction_and_what_it_withdrew(shop: Shop) -> None:
    run = shop.accept(draft("rent", "60"))
    correct(shop, run, "At most 50.", **LITTLE)
    acknowledge(shop, run)
    story = told(f"run:{run}")
    assert [kind for kind, _ in story][-3:] == ["correction.made", "effect.withdrawn", "correction.seen"]
    says = dict(story)["correction.made"]
    assert (says["text"], says["contradicts"]) == (
        "At most 50.", '{"argument":"amount","must":{"op":"lte","value":50},"operation":"pay"}',
    )  # fmt: skip


def test_an_effect_is_held_against_what_is_said_of_operations_and_arguments() -> None:
    pay = {"to": "bob", "amount": "60", "lines": [{"vat": "7"}]}
    assert contradicts({"operation": "pay"}, "pay", pay)
    assert not contradicts({"operation": "look"}, "pay", pay)
    assert contradicts({"argument": "to"}, "pay", pay)
    assert not contradicts({"argument": "iban"}, "pay", pay)
    assert contradicts({"argument": "amount", "must": {"op": "lt", "value": "60.00"}}, "pay", pay)
    assert not contradicts(
        {"argument": "amount", "must": {"op": "eq", "value": "60.00"}}, "pay", pay | {"amount": "60.00"}
    )
    assert contradicts({"argument": "lines.0.vat", "must": {"op": "in", "value": ["19", "0"]}}, "pay", pay)
    assert not contradicts({"argument": "iban", "must": {"op": "eq", "value": "DE1"}}, "pay", pay)
    assert contradicts({"operation": "pay", "argument": "iban", "must": {"op": "eq", "value": "DE1"}}, "pay", pay)
    assert not contradicts({}, "pay", pay)


def test_what_is_not_understood_is_refused_with_its_place() -> None:
    for wrong, path in (
        ({"target": "x"}, "/contradicts/target"), ({"must": {"op": "eq", "value": 1}}, "/contradicts"),
        ({"operation": "pay", "must": {"op": "eq", "value": 1}}, "/contradicts/must"),
        ({"argument": "a", "must": {"op": "like", "value": 1}}, "/contradicts/must/op"),
        ({"argument": "a", "must": {"op": "eq", "value": [1]}}, "/contradicts/must/value"),
        ({"argument": "a b"}, "/contradicts/argument"), ({"operation": 7}, "/contradicts/operation"),
        ({"argument": "a", "must": {"all": []}}, "/contradicts/must"), ({"argument": "a", "must": 7}, "/contradicts/must"),
    ):  # fmt: skip
        with pytest.raises(BadCorrection) as refused:
            checked(wrong)
        assert refused.value.facts["path"] == path
    assert checked(None) == checked({}) == {}


def test_what_a_correction_says_is_said_in_words() -> None:
    assert in_words({}) == ""
    assert in_words({"operation": "pay"}) == "no pay"
    assert in_words({"operation": "pay", "argument": "to"}) == "no pay with the argument to"
    assert in_words({"argument": "to"}) == "nothing with the argument to"
    assert in_words(LITTLE) == "pay only where the amount is at most 50"


def test_of_several_the_first_that_counts_is_named() -> None:
    rows = [
        Correction(number=1, contradicts='{"operation":"pay"}'), Correction(number=2, contradicts=""),
        Correction(number=3, contradicts='{"argument":"to"}'),
    ]  # fmt: skip
    found = contradicted_by(rows, "look", {"to": "bob"})
    assert found is not None
    assert found.number == 3
    assert contradicted_by(rows, "look", {}) is None
