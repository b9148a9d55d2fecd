"""Verification: an answer that says "done" counts once the world shows it, where the contract has the world read (R-J1)."""

from datetime import UTC, datetime, timedelta

import pytest

from console.database import rows
from console.exact import decode
from runs.contracts.operation import Verification, read_operation
from runs.contracts.telling import outcome_tables
from runs.outcome import Step
from runs.verifying import after_verifying, verified_first
from tests import clock
from tests.cast import inside
from tests.hearing import SECRET, VARIABLE, message, tell, told_of
from tests.permits import begin, phone, ready, report
from tests.runs.at_work import once, work
from tests.runs.banking import Bank, bank
from tests.runs.test_finding_out import contract
from tests.shop import Shop, draft, operation
from tests.unsure import ask
from tests.work import WORKER, claim, claimed, end_leases, settle

__all__ = ["bank"]
NOW = datetime(2026, 11, 30, tzinfo=UTC)
VERIFY = """verify:
  method: GET
  url: "{dependency.base_url}/effects/{effect.key}"
  headers: {Authorization: "Bearer {secret.bank-token}"}
  attempt_timeout_seconds: 20
  outcomes:
    - {when: {path: status, op: eq, value: 200}, outcome: succeeded, result: {seen: "{body.id}"}}
    - {when: {path: status, op: eq, value: 202}, outcome: pending}
    - {when: {path: status, op: eq, value: 404}, outcome: absent}
    - {when: {path: status, op: eq, value: 422}, outcome: rejected}
"""


@pytest.fixture
def proves(shop: Shop) -> Shop:
    assert not [found.faults for found in shop.apply(operation("prove") + VERIFY) if found.faults]
    return shop


def rule() -> Verification:
    with inside():
        text = rows("select document from runs_operationcontract where name = 'prove'")[0]["document"]
    found = read_operation(text).verify
    assert found is not None
    return found


# What follows


def test_nothing_is_done_before_it_was_verified_where_the_contract_says_so(proves: Shop) -> None:
    done = Step("succeeded", None, "")
    assert verified_first(done, "dispatched", None) == done
    assert verified_first(done, "dispatched", rule()) == Step("accepted", 0.0, "", "verify")
    assert verified_first(done, "unknown", rule()) == Step("unknown", 0.0, "", "verify")
    failed = Step("rejected", None, "No.")
    assert verified_first(failed, "dispatched", rule()) == failed


@pytest.mark.parametrize("outcome", ["absent", "rejected", "conflict", "partial"])
def test_what_the_world_shows_otherwise_is_for_a_person_and_never_failed(proves: Shop, outcome: str) -> None:
    step = after_verifying(outcome, "", "accepted", rule(), since=NOW, now=NOW, looks=0)
    assert (step.state, step.delay, step.next) == ("unknown", None, "")
    assert step.reason.startswith("It said that it was done, and ")


@pytest.mark.parametrize("outcome", ["pending", "transient", "overload", "not_sent", "unknown", "denied"])
def test_what_shows_nothing_is_looked_at_again_until_it_should_be_known(proves: Shop, outcome: str) -> None:
    again = after_verifying(outcome, "", "accepted", rule(), since=NOW, now=NOW + timedelta(seconds=299), looks=0)
    assert (again.state, again.delay, again.next) == ("accepted", 5.0, "verify")
    late = after_verifying(outcome, "", "accepted", rule(), since=NOW, now=NOW + timedelta(seconds=300), looks=9)
    assert (late.state, late.next, late.reason) == (
        "unknown", "verify", "It said that it was done, and the world does not show it in the time it was given.",
    )  # fmt: skip


def test_how_often_and_how_long_it_is_looked_at_can_be_said(shop: Shop) -> None:
    said = VERIFY.replace("verify:\n", "verify:\n  every_seconds: 60\n  objective_seconds: 3600\n")
    assert not [found.faults for found in shop.apply(operation("prove") + said) if found.faults]
    found = rule()
    assert (found.every_seconds, found.objective_seconds) == (60, 3600)


# In the engine


def test_an_answer_that_says_done_is_verified_at_once_and_its_result_is_kept(proves: Shop, bank: Bank) -> None:
    run = proves.accept(draft("a", operation="prove"))
    once()
    effect = proves.effect(run, "a")
    assert (effect.state, effect.next_step, proves.state(run)) == ("accepted", "verify", "running")
    once()
    effect = proves.effect(run, "a")
    assert (effect.state, [each.kind for each in proves.attempts(run, "a")]) == ("succeeded", ["act", "verify"])
    assert "receipt" in (effect.result or "")
    assert bank.calls() == 1


def test_a_200_for_what_was_not_done_is_unknown_and_somebody_sees_to_it(proves: Shop, bank: Bank) -> None:
    bank.behave("pretend")
    run = proves.accept(draft("a", operation="prove"))
    once()
    once()
    effect = proves.effect(run, "a")
    assert (effect.state, effect.next_attempt_at) == ("unknown", None)
    assert effect.state_reason == "It said that it was done, and nothing is found of it."
    assert effect.next_alert_at is not None


def test_a_run_does_not_complete_by_itself_before_what_it_did_was_verified(proves: Shop, bank: Bank) -> None:
    run = proves.accept(draft("a", operation="prove"), completes_itself=True)
    once()
    assert proves.state(run) == "running"
    once()
    assert proves.state(run) == "succeeded"


def test_what_an_answer_to_a_status_query_says_is_verified_too(proves: Shop, bank: Bank) -> None:
    run = proves.accept(draft("a", operation="prove"))
    settle(claimed(), "accepted", delay=0, step="status")
    bank.answer_questions({"do": "answer", "status": 200, "body": {"id": "e-1"}})
    once()
    assert (proves.effect(run, "a").state, proves.effect(run, "a").next_step) == ("accepted", "verify")


def test_what_was_unknown_stays_unknown_until_the_world_shows_it(proves: Shop, bank: Bank) -> None:
    bank.behave("commit_and_drop")
    run = proves.accept(draft("a", operation="prove"))
    once()
    with clock.at(6):
        once()
        effect = proves.effect(run, "a")
        assert (effect.state, effect.next_step) == ("unknown", "verify")
        once()
    assert proves.effect(run, "a").state == "succeeded"
    assert [each.kind for each in proves.attempts(run, "a")] == ["act", "status", "verify"]


def test_a_verification_whose_worker_vanished_is_made_again(proves: Shop, bank: Bank) -> None:
    run = proves.accept(draft("a", operation="prove"))
    once()
    assert claimed()["kind"] == "verify"
    end_leases(WORKER)
    effect = proves.effect(run, "a")
    assert (effect.state, effect.next_step) == ("accepted", "verify")
    once()
    assert proves.effect(run, "a").state == "succeeded"


def test_its_time_counts_from_the_first_look_not_from_the_act(proves: Shop, bank: Bank) -> None:
    run = proves.accept(draft("a", operation="prove"))
    settle(claimed(), "accepted", delay=0, step="verify")
    with clock.at(1000):
        bank.answer_questions({"do": "answer", "status": 202, "body": {}}, {"do": "answer", "status": 202, "body": {}})
        once()
        assert proves.effect(run, "a").state == "accepted"
    with clock.at(1400):
        once()
        assert (proves.effect(run, "a").state, proves.effect(run, "a").next_step) == ("unknown", "verify")


def test_a_worker_that_does_not_know_verification_leaves_it(proves: Shop, bank: Bank) -> None:
    run = proves.accept(draft("a", operation="prove"))
    once()
    assert claim(kinds=["act", "status", "read", "resend", "cancel"]) == []
    work(claim())
    assert proves.effect(run, "a").state == "succeeded"


# Whoever says that it was done


@pytest.mark.parametrize("was", ["accepted", "unknown", "ready"])
def test_a_signed_message_is_verified_as_any_other_answer(
    shop: Shop, bank: Bank, monkeypatch: pytest.MonkeyPatch, was: str
) -> None:
    monkeypatch.setenv(VARIABLE, SECRET)
    assert not [found.faults for found in shop.apply(told_of("send") + VERIFY) if found.faults]
    run = shop.accept(draft("a", operation="send"))
    outcome = {"ready": "overload"}.get(was, was)
    settle(claimed(), outcome, to=was, delay=600)
    tell(message(shop.effect(run, "a").pk))
    effect = shop.effect(run, "a")
    assert (effect.state, effect.next_step) == ("unknown" if was == "unknown" else "accepted", "verify")
    assert effect.result == '{"receipt":"re_1"}'
    bank.answer_questions({"do": "answer", "status": 200, "body": {"id": "e-1"}})
    once()
    effect = shop.effect(run, "a")
    assert (effect.state, effect.result) == ("succeeded", '{"receipt":"re_1"}')


def test_what_is_read_back_is_verified_too(shop: Shop, bank: Bank) -> None:
    text = contract("read", "read_back").replace("retry:", f"{VERIFY}retry:", 1)
    assert not [found.faults for found in shop.apply(text) if found.faults]
    bank.behave("commit_and_drop")
    run = shop.accept(draft("a", operation="read"))
    once()
    with clock.at(6):
        once()
        assert (shop.effect(run, "a").state, shop.effect(run, "a").next_step) == ("unknown", "verify")
        once()
    assert shop.effect(run, "a").state == "succeeded"


def test_what_a_person_reports_as_done_is_verified_by_a_worker(shop: Shop, bank: Bank) -> None:
    text = phone("knock", evidence="false").replace("dependency: null", "dependency: bank") + VERIFY
    assert not [found.faults for found in shop.apply(text) if found.faults]
    effect = ready(shop, "knock")
    ann = shop.actor("ann")
    assert report(ann, begin(ann, effect), result={"agreed": True})["state"] == "accepted"
    bank.answer_questions({"do": "answer", "status": 200, "body": {"id": "e-1"}})
    once()
    found = shop.effect(effect.run_id, "a")
    assert (found.state, [each.kind for each in shop.attempts(effect.run_id, "a")]) == ("succeeded", ["act", "verify"])


def test_somebody_may_have_the_world_looked_at_again(proves: Shop, bank: Bank) -> None:
    run = proves.accept(draft("a", operation="prove"))
    settle(claimed(), "accepted", delay=0, step="verify")
    settle(claimed(), "absent", to="unknown")
    bank.answer_questions({"do": "answer", "status": 200, "body": {"id": "e-1"}})
    with clock.at(6):
        assert ask(proves, proves.effect(run, "a"))["step"] == "verify"
        once()
    assert proves.effect(run, "a").state == "succeeded"


def test_a_contract_says_what_follows_a_verification(proves: Shop) -> None:
    with inside():
        text = rows("select document from runs_operationcontract where name = 'prove'")[0]["document"]
    document = decode(text, levels=128)
    assert isinstance(document, dict)
    tables = {table.of: table for table in outcome_tables(document)}
    follows = {answer.outcome: answer.follows for answer in tables["The verification"].rules}
    assert follows["succeeded"] == "It has succeeded."
    assert follows["absent"].startswith("It is unknown")
    acts = {answer.outcome: answer.follows for answer in tables["The call"].rules}
    assert acts["succeeded"] == "It says that it was done; it counts once the world shows it."
