"""The workshop: an attempt is made as its contract says, once, and the other side's ledger shows what really happened."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from console.exact import decode
from runs import http_work
from runs.call import call
from runs.effect_keys import effect_key
from runs.failures import AUTHORIZATION_DENIED, BUSINESS_REJECTION, PARTIAL_EFFECT, class_of
from runs.lines import Line
from runs.wire import Answer, WireRequest
from runs.workshop import ContractWorkshop
from tests import clock, databases
from tests.processes import until
from tests.record import forger, told
from tests.runs.at_work import once, work
from tests.runs.banking import TOKEN, Bank, bank
from tests.shop import Shop, dependency, draft, operation
from tests.work import WORKER, claim, claimed, end_leases, sweep

__all__ = ["bank"]


def key(shop: Shop, run: UUID, name: str = "a") -> str:
    """Give the key under which the bank knows an effect."""
    return effect_key(shop.effect(run, name).pk)


# What is sent


def test_the_bank_gets_what_was_approved_under_our_key_with_fence_and_deadline(shop: Shop, bank: Bank) -> None:
    run = shop.accept(draft("a", "12.50"))
    once()
    effect = shop.effect(run, "a")
    assert (effect.state, effect.result) == ("succeeded", '{"receipt":"ef_000001"}')
    (entry,) = bank.entries()
    assert (entry["key"], entry["fence"], entry["body"]) == (key(shop, run), 1, {"to": "bob", "amount": "12.5"})


def test_the_secret_is_sent_and_never_kept(shop: Shop, bank: Bank) -> None:
    bank.behave({"do": "answer", "status": 422, "body": {"reason": f"No such token: {TOKEN}"}})
    run = shop.accept(draft("a"))
    once()
    attempt, effect = shop.attempts(run, "a")[0], shop.effect(run, "a")
    assert (effect.state, effect.state_reason) == ("rejected", "No such token: [secret]")
    assert TOKEN not in str(attempt.evidence)
    assert TOKEN not in str(told(f"run:{run}"))


def test_each_attempt_carries_the_same_key_and_a_higher_fence(shop: Shop, bank: Bank) -> None:
    bank.behave("unavailable", "commit_and_answer")
    run = shop.accept(draft("a"))
    once()
    assert shop.states(run) == {"a": "ready"}
    with clock.at(1):
        once()
    (entry,) = bank.entries()
    assert (entry["key"], entry["fence"], bank.calls()) == (key(shop, run), 2, 2)


def test_the_address_of_an_installation_overrides_the_contracts_own(
    shop: Shop, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COUNTERFOIL_BASE_URL_BANK")
    shop.apply(dependency("bank", version=2, url=bank.url))
    run = shop.accept(draft("a"))
    once()
    assert shop.states(run) == {"a": "succeeded"}


# What each misbehaviour leads to (UNK-01, RET-01): states of the effect, and entries in the bank's ledger


MISBEHAVIOURS: dict[str, tuple[Any, str, int]] = {
    "does it and says so": ("commit_and_answer", "succeeded", 1), "does it and hangs up": ("commit_and_drop", "unknown", 1),
    "does it and claims to have failed": ("commit_and_500", "unknown", 1),
    "does it and says so too late": ("commit_and_hang", "unknown", 1),
    "does it later": ({"do": "accept_202", "seconds": 60}, "accepted", 0), "does a part": ("partial", "partial", 1),
    "refuses": ("reject", "rejected", 0), "refuses us": ("forbidden", "rejected", 0), "is out of order": ("unavailable", "ready", 0),
    "asks for time": ({"do": "rate_limit", "seconds": 7}, "ready", 0), "says nothing": ("hang", "unknown", 0),
    "hangs up": ("drop_before_commit", "unknown", 0), "breaks off": ("truncated", "unknown", 1), "babbles": ("garbage", "unknown", 1),
    "says far too much": ("oversized", "unknown", 1), "answers with a page": ("wrong_content_type", "unknown", 1),
    "sends us elsewhere": ("redirect", "unknown", 0),
}  # fmt: skip


@pytest.mark.parametrize("how", MISBEHAVIOURS)
def test_what_may_have_happened_is_unknown_and_what_did_not_is_not(shop: Shop, bank: Bank, how: str) -> None:
    behaviour, state, committed = MISBEHAVIOURS[how]
    bank.behave(behaviour)
    run = shop.accept(draft("a", operation="hurry"))
    once()
    assert shop.states(run) == {"a": state}
    assert len(bank.entries()) == committed
    assert bank.calls() == 1


def test_nobody_there_means_that_nothing_was_sent(shop: Shop, bank: Bank) -> None:
    bank.close()
    run = shop.accept(draft("a"))
    answer = once()
    attempt = shop.attempts(run, "a")[0]
    assert (answer.outcome, attempt.outcome, attempt.sent, shop.states(run)) == (
        "not_sent",
        "not_sent",
        False,
        {"a": "ready"},
    )


def test_the_wish_to_be_left_alone_for_a_while_is_heeded(shop: Shop, bank: Bank) -> None:
    bank.behave({"do": "rate_limit", "seconds": 60})
    shop.accept(draft("a"))
    once()
    with clock.at(45):
        assert claim() == []
    with clock.at(61):
        assert len(claim()) == 1


def test_a_refusal_is_final_and_its_reason_is_kept(shop: Shop, bank: Bank) -> None:
    bank.behave({"do": "reject", "reason": "Insufficient funds."})
    run = shop.accept(draft("a"))
    once()
    assert (shop.states(run), shop.effect(run, "a").state_reason) == ({"a": "rejected"}, "Insufficient funds.")
    with clock.at(3600):
        sweep()
        assert claim() == []
    assert bank.calls() == 1


@pytest.mark.parametrize(
    ("behaviour", "outcome"), [({"do": "reject", "reason": "Insufficient funds."}, "rejected"), ("forbidden", "denied")]
)  # fmt: skip
def test_ret_01_what_could_only_end_the_same_is_tried_once(
    shop: Shop, bank: Bank, behaviour: Any, outcome: str
) -> None:
    bank.behave(behaviour, behaviour)
    run = shop.accept(draft("a"))
    assert once().outcome == outcome
    effect = shop.effect(run, "a")
    assert (effect.state, effect.next_attempt_at, bank.calls()) == ("rejected", None, 1)
    failure = BUSINESS_REJECTION if outcome == "rejected" else AUTHORIZATION_DENIED
    assert class_of(effect.outcome, effect.state, effect.state_reason) == failure
    with clock.at(clock.HOUR):
        sweep()
        assert claim() == []
    assert shop.effect(run, "a").state_reason == ("Insufficient funds." if outcome == "rejected" else "")


def test_ret_02_two_attempts_are_two_calls_whoever_else_might_try_again(shop: Shop, bank: Bank) -> None:
    shop.apply(operation("pay", version=2).replace("attempts: 3", "attempts: 2"))
    bank.behave(*["unavailable"] * 5)
    run = shop.accept(draft("a"))
    for second in (0, 10, 20, 30, 40):
        with clock.at(second):
            work(claim())
    assert (shop.states(run), bank.calls(), len(shop.attempts(run, "a"))) == ({"a": "failed"}, 2, 2)
    assert shop.effect(run, "a").state_reason.endswith("Given up after 2 attempts.")


def test_a_partial_effect_is_told_by_its_condition_and_keeps_which_parts_were_done(shop: Shop, bank: Bank) -> None:
    told_by = "partial: {recognised_by: {path: body.status, op: eq, value: partial}, parts: {done: '{body.parts}'}, then: See.}\n"
    assert not shop.apply(operation("sort") + told_by)[0].faults
    bank.behave({"do": "partial"})
    run = shop.accept(draft("a", operation="sort"))
    once()
    effect = shop.effect(run, "a")
    assert (effect.state, class_of(effect.outcome, effect.state)) == ("partial", PARTIAL_EFFECT)
    assert effect.result is not None
    assert decode(effect.result) == {"done": bank.entries()[0]["parts"]}


def test_attempts_are_bounded_and_no_other_layer_adds_any(shop: Shop, bank: Bank) -> None:
    bank.behave("unavailable", then="last")
    run = shop.accept(draft("a"))
    for number in range(3):
        with clock.at(10 * number):
            once()
    assert shop.states(run) == {"a": "failed"}
    assert shop.effect(run, "a").state_reason == "Given up after 3 attempts."
    assert (bank.calls(), len(shop.attempts(run, "a"))) == (3, 3)


def test_an_attempt_lasts_no_longer_than_to_the_deadline_of_its_effect(
    shop: Shop, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed: list[float] = []

    async def watched(session: Any, request: WireRequest, **more: Any) -> Answer:
        allowed.append(request.timeout_seconds)
        return await call(session, request, **more)

    monkeypatch.setattr(http_work, "call", watched)
    runs = [shop.accept(draft("a")) for _ in range(2)]
    with clock.at(3597):  # the contract allows five seconds
        work(claim(1))
    assert 0 < allowed.pop() <= 3
    work([{**claim(1)[0], "deadline_at": shop.effect(runs[0], "a").created_at}])
    assert (allowed, sorted(shop.states(run)["a"] for run in runs)) == ([], ["failed", "succeeded"])


def test_a_read_whose_answer_is_lost_is_merely_transient(shop: Shop, bank: Bank) -> None:
    shop.apply(operation("look", access="read", version=2, timeout="1.5", retryable="overload, not_sent, transient"))
    bank.behave("hang", method="GET", path="/orders/")
    run = shop.accept(draft("a", operation="look", to="A-7"))
    assert once().outcome == "transient"
    assert shop.states(run) == {"a": "ready"}
    with clock.at(1):
        once()
    assert shop.states(run) == {"a": "succeeded"}


# Finding out (UNK-02, R-F2)


def unknown(shop: Shop, bank: Bank, behaviour: Any) -> UUID:
    """Have an effect become unknown."""
    bank.behave(behaviour)
    run = shop.accept(draft("a", operation="hurry"))
    once()
    assert shop.states(run) == {"a": "unknown"}
    return run


def test_what_was_done_is_found_by_its_key_and_not_done_again(shop: Shop, bank: Bank) -> None:
    run = unknown(shop, bank, "commit_and_drop")
    with clock.at(6):
        answer = once()
    assert (answer.outcome, shop.states(run), len(bank.entries()), bank.calls()) == (
        "succeeded",
        {"a": "succeeded"},
        1,
        1,
    )
    assert shop.effect(run, "a").result == '{"receipt":"ef_000001"}'
    assert [attempt.kind for attempt in shop.attempts(run, "a")] == ["act", "status"]


def test_that_nothing_is_found_proves_nothing(shop: Shop, bank: Bank) -> None:
    run = unknown(shop, bank, "drop_before_commit")
    for look in range(4):
        with clock.at(400 * (look + 1)):
            assert once().outcome == "absent"
    assert shop.states(run) == {"a": "unknown"}
    assert (bank.calls(), bank.asked(key(shop, run)), bank.entries()) == (1, 4, [])


def test_looks_become_more_and_more_seldom(shop: Shop, bank: Bank) -> None:
    unknown(shop, bank, "drop_before_commit")
    delays = []
    for look in range(3):
        with clock.at(100 * (look + 1)):
            delays.append(once().delay)
    assert delays == [5.0, 10.0, 20.0]


@pytest.mark.parametrize("trouble", ["hang", "unavailable", "garbage", "forbidden", "drop_before_commit"])
def test_a_bank_that_cannot_be_asked_leaves_it_unknown(shop: Shop, bank: Bank, trouble: str) -> None:
    bank.behave("commit_and_drop")
    run = shop.accept(draft("a", operation="hurry"))
    once()
    bank.answer_questions(trouble)
    with clock.at(6):
        once()
    assert shop.states(run) == {"a": "unknown"}
    with clock.at(60):
        once()
    assert shop.states(run) == {"a": "succeeded"}


def test_an_answer_about_something_else_is_no_proof(shop: Shop, bank: Bank) -> None:
    run = unknown(shop, bank, "drop_before_commit")
    bank.answer_questions({"do": "answer", "status": 204})
    with clock.at(6):
        once()
    assert shop.states(run) == {"a": "unknown"}


# Accepted over there (R-F6)


def test_what_was_accepted_is_asked_about_until_it_is_done(shop: Shop, bank: Bank) -> None:
    bank.behave({"do": "accept_202", "seconds": 0.2})
    run = shop.accept(draft("a"))
    once()
    assert shop.states(run) == {"a": "accepted"}
    assert shop.effect(run, "a").operation_reference != ""
    assert until(lambda: len(bank.entries()) == 1)
    with clock.at(6):
        once()
    assert (shop.states(run), len(bank.entries())) == ({"a": "succeeded"}, 1)


def test_what_was_accepted_and_refused_later_is_rejected_with_its_reason(shop: Shop, bank: Bank) -> None:
    bank.behave({"do": "accept_202", "seconds": 0.1, "later": "refuse", "reason": "Blocked by compliance."})
    run = shop.accept(draft("a"))
    once()
    assert until(lambda: bank.was_refused(key(shop, run)))
    with clock.at(6):
        once()
    assert (shop.states(run), shop.effect(run, "a").state_reason) == ({"a": "rejected"}, "Blocked by compliance.")


def test_what_was_accepted_and_never_done_is_unknown_once_its_time_is_over(shop: Shop, bank: Bank) -> None:
    bank.behave({"do": "accept_202", "seconds": "never"})
    run = shop.accept(draft("a"), draft("after", after=["a"]))
    once()
    with clock.at(290):
        once()
        assert shop.states(run)["a"] == "accepted"
    with clock.at(400):
        once()
        assert shop.states(run) == {"a": "unknown", "after": "blocked"}
    assert bank.calls() == 1


# What this worker cannot do


def test_a_worker_without_the_secret_knows_before_it_claims(shop: Shop, bank: Bank) -> None:
    shop.accept(draft("a", operation="seal"))

    async def looked_round() -> list[UUID]:
        async with ContractWorkshop() as workshop, Line(databases.variables()["DATABASE_WORKER_URL"], WORKER) as line:
            await workshop.prepare(line, [])
            return workshop.cannot

    cannot = asyncio.run(looked_round())
    assert [row["key"] for row in claim(without=cannot)] == []
    assert len(cannot) == 1


def test_what_it_claimed_all_the_same_is_given_back_whatever_the_contract_says_of_retries(
    shop: Shop, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = '{Authorization: "Bearer {secret.shop-token}"}'
    strict = operation("seal", version=2, headers=sealed, retryable="").replace("attempts: 3", "attempts: 1")
    shop.apply(strict)
    run = shop.accept(draft("a", operation="seal"))
    answer = once()
    assert (answer.outcome, answer.sent, shop.states(run)) == ("not_sent", False, {"a": "ready"})
    monkeypatch.setenv("COUNTERFOIL_SECRET_SHOP_TOKEN", TOKEN)
    with clock.at(6):
        once()
    assert (shop.states(run), len(bank.entries())) == ({"a": "succeeded"}, 1)


def test_a_contract_that_this_version_cannot_read_is_left_to_others(shop: Shop, bank: Bank) -> None:
    run = shop.accept(draft("a"))
    with forger() as hand:
        hand.execute("update runs_operationcontract set document = '{}' where name = 'pay'")
    answer = once()
    assert (answer.outcome, shop.states(run), bank.calls()) == ("not_sent", {"a": "ready"}, 0)
    shop.verified = False


# The mark before the socket


def test_an_attempt_that_was_given_up_before_its_mark_is_not_sent(shop: Shop, bank: Bank) -> None:
    run = shop.accept(draft("a", operation="wire"))
    row = claimed()
    end_leases(WORKER)
    assert work([row]) == [None]
    assert (bank.calls(), shop.states(run)) == (0, {"a": "ready"})


def test_the_mark_is_written_before_anything_is_sent(shop: Shop, bank: Bank) -> None:
    run = shop.accept(draft("a", operation="wire"))
    once()
    assert shop.attempts(run, "a")[0].sent_mark_at is not None
    assert (shop.states(run), len(bank.entries())) == ({"a": "succeeded"}, 1)
