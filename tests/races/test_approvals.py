"""The table of races that approvals can run, each by two connections at the same instant: one outcome, honest answers, and a record that
says what happened (the shop's record is verified after each test)."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest

from approvals.alone import withdrawing
from approvals.deciding import escalating, extending, revoking
from approvals.deciding import withdrawing as taking_back
from approvals.models import Decision, Request
from console.http.refusals import Refusal
from runs.pausing import alone
from tests import cancels, clock
from tests.approvals.test_alone import PAY, ask, stored, tell, use
from tests.cast import inside
from tests.races.at_once import REPEATED, answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft, money
from tests.work import claim, follow, settle, sweep

TERMS = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
description: What may be put off and passed on.
operations: [pay, wire]
rules:
  - name: large
    when: {{path: arguments.amount, op: gt, value: "1000"}}
    then: ask
    ask: {{groups: [finance], quorum: 2, decide_within_seconds: 1800, use_within_seconds: 900}}
  - name: middling
    when: {{path: arguments.amount, op: gt, value: "100"}}
    then: ask
    ask:
      groups: [finance]
      decide_within_seconds: 1800
      use_within_seconds: 900
      extend: {{by_seconds: 600, times: 1}}
      escalate: {{after_seconds: 900, to: [board]}}
  - {{name: small, then: allow}}
otherwise: deny
"""
BEFORE_THE_END = (0.3, 0.1, 0.05, 0.02, 0.005)  # so that now the one comes in time, and now the other
_keys = count(1)


def key() -> str:
    """Give a key that was not used before."""
    return f"race-{next(_keys)}"


def asked(shop: Shop, amount: str = "250") -> tuple[UUID, Request]:
    """Have something asked about an effect."""
    run = shop.accept(draft("dear", amount))
    return run, shop.request(run, "dear")


def verdicts(request: Request) -> list[str]:
    """Give the standing verdicts on a request."""
    with inside():
        found = Decision.objects.filter(request=request, withdrawn_at=None).order_by("at")
        return list(found.values_list("verdict", flat=True))


def begun(shop: Shop, run: UUID) -> int:
    """Let a worker look, and give how many attempts it began; what it began succeeds."""
    follow()
    rows = [row for row in claim() if row["run_id"] == run]
    settle(rows)
    return len(rows)


def test_approve_and_deny(shop: Shop) -> None:
    """APR-01: deny or approve, never both; the loser is told who, what and when."""
    for _ in range(REPEATED):
        run, request = asked(shop)
        became = at_once(partial(shop.approve, request, "ann"), partial(shop.deny, request, "amir"))
        [receipt] = answers(became)
        [loser] = [each for each in became if isinstance(each, Refusal)]
        assert (loser.code, loser.facts["verdict"], bool(loser.facts["by"])) == (
            "already_resolved",
            receipt["verdict"],
            True,
        )
        assert verdicts(request) == [receipt["verdict"]]
        assert begun(shop, run) == (receipt["verdict"] == "approve")
        assert kinds(request.stream()).count("request.decided") == 1


def test_two_approve_where_one_is_enough(shop: Shop) -> None:
    for _ in range(REPEATED):
        run, request = asked(shop)
        became = at_once(partial(shop.approve, request, "ann"), partial(shop.approve, request, "amir"))
        assert (len(answers(became)), refusals(became)) == (1, ["already_resolved"])
        assert verdicts(request) == ["approve"]
        assert begun(shop, run) == 1


def test_two_approve_where_two_are_needed(shop: Shop) -> None:
    for _ in range(REPEATED):
        run, request = asked(shop, "2000")
        receipts = answers(at_once(partial(shop.approve, request, "ann"), partial(shop.approve, request, "amir")))
        assert sorted(receipt["receipt"] for receipt in receipts) == ["counted", "recorded"]
        assert kinds(request.stream()).count("request.approved") == 1
        assert begun(shop, run) == 1


def test_one_person_in_two_tabs(shop: Shop) -> None:
    """UI-06: two forms, two keys: counted once."""
    for _ in range(REPEATED):
        _, request = asked(shop, "2000")
        became = at_once(*[partial(shop.approve, request, "ann")] * 2)
        assert (len(answers(became)), refusals(became)) == (1, ["already_counted"])
        assert verdicts(request) == ["approve"]


def test_the_same_form_sent_twice(shop: Shop) -> None:
    for _ in range(REPEATED):
        _, request = asked(shop)
        name = key()
        one, other = answers(at_once(*[partial(shop.approve, request, "ann", key=name)] * 2))
        assert {**one, "replayed": True} == {**other, "replayed": True}
        assert verdicts(request) == ["approve"]


def test_approve_and_withdraw_the_effect(shop: Shop) -> None:
    """CAN-05: never begun after the withdrawal was answered."""
    for _ in range(REPEATED):
        run, request = asked(shop)
        became = at_once(partial(shop.approve, request, "ann"), partial(shop.withdraw, run, "dear"))
        assert refusals(became) in ([], ["withdrawn"])
        assert begun(shop, run) == 0
        assert (shop.states(run), stored(request).state) == ({"dear": "withdrawn"}, "withdrawn")


def test_approve_and_cancel_the_run(shop: Shop) -> None:
    for _ in range(REPEATED):
        run, request = asked(shop)
        became = at_once(partial(shop.approve, request, "ann"), partial(cancels.cancel, shop, run))
        assert refusals(became) in ([], ["withdrawn"])
        assert begun(shop, run) == 0
        assert stored(request).state == "withdrawn"


def test_approve_and_supersede(shop: Shop) -> None:
    """What takes the place of something asked is a question of its own; a yes to the old one does nothing for the new."""
    for _ in range(REPEATED):
        run, request = asked(shop)
        effect = shop.effect(run, "dear")

        def instead(run: UUID = run, effect: UUID = effect.pk) -> Any:
            shop.withdraw(run, "dear")
            return shop.propose(run, draft("dearer", "300", supersedes=effect))

        became = at_once(partial(shop.approve, request, "ann"), instead)
        assert refusals(became) in ([], ["withdrawn"], ["stale_view"])
        assert begun(shop, run) == 0
        assert shop.states(run) == {"dear": "withdrawn", "dearer": "awaiting_approval"}
        assert shop.request(run, "dearer").state == "pending"


@pytest.mark.parametrize("sweeping", [True, False])
def test_approve_and_the_end_of_the_time(shop: Shop, sweeping: bool) -> None:
    """EXP-01: in time it counts, and after it does not, whether the sweep runs or stands still."""
    for number in range(REPEATED):
        run, request = asked(shop)
        with clock.at(1800 - BEFORE_THE_END[number % 5]):
            acts = [partial(shop.approve, request, "ann"), sweep if sweeping else partial(stored, request)]
            became = at_once(*acts)
        assert refusals(became) in ([], ["expired"])
        with clock.at(1801):
            sweep()
            ended = stored(request)
            assert (ended.state, verdicts(request)) in [("approved", ["approve"]), ("expired", [])]
            assert (ended.state == "expired") == (refusals(became) == ["expired"])
            assert begun(shop, run) == (ended.state == "approved")


def test_approve_and_publish(shop: Shop) -> None:
    """A yes under the version before is no leave under one that asks otherwise."""
    for version in range(2, 2 + REPEATED):
        run, request = asked(shop)
        apart = money(version=version, large="200" if version % 2 else "1000")
        became = at_once(partial(shop.approve, request, "ann"), partial(shop.apply, apart))
        assert refusals(became) in ([], ["policy_changed"])
        sweep()
        ended = stored(request)
        begun_now = begun(shop, run)
        assert begun_now == (ended.state in {"approved", "consumed"}), (ended.state, shop.states(run))
        if ended.state == "rerouted":
            assert shop.request(run, "dear").pk != request.pk
            assert shop.request(run, "dear").state == "pending"
        shop.fail(run)


def test_approve_and_lose_the_right_to(shop: Shop) -> None:
    """The quorum is counted again at use: nothing is begun on the word of somebody who may approve no more."""
    for _ in range(REPEATED):
        run, request = asked(shop)
        became = at_once(partial(shop.approve, request, "ann"), partial(shop.change, "ann", roles=[]))
        assert refusals(became) in ([], ["not_eligible"])
        assert begun(shop, run) == 0
        assert shop.states(run)["dear"] in {"awaiting_approval", "lapsed"}
        shop.change("ann", roles=["approver"])


def revoke(shop: Shop, request: Request, by: str = "ann") -> dict[str, Any]:
    """Take back what was approved."""
    return revoking.revoke(shop.actor(by), request.pk, reason="It was a mistake.", key=key())


def test_revoke_and_dispatch(shop: Shop) -> None:
    """What was revoked first is not begun; what was begun first is said to have begun."""
    for _ in range(REPEATED):
        run, request = asked(shop)
        shop.approve(request, "ann")
        follow()
        became = at_once(partial(revoke, shop, request), partial(claim))
        receipt, rows = became
        assert refusals(became) == []
        mine = [row for row in rows if row["run_id"] == run]
        assert receipt["begun"] == bool(mine)
        assert stored(request).state == "revoked"
        assert bool(stored(request).consumed_at) == bool(mine)
        settle(mine)
        sweep()
        assert begun(shop, run) == 0


def test_revoke_while_the_approval_is_told_to_its_effect(shop: Shop) -> None:
    """What was taken back while the yes was on its way is news of its own, which the effect hears without anybody claiming it."""
    for _ in range(REPEATED):
        run, request = asked(shop)
        shop.approve(request)
        answers(at_once(follow, partial(revoke, shop, request)))
        follow()
        assert shop.states(run) == {"dear": "denied"}


def test_revoke_and_use_of_what_an_agent_does_itself(shop: Shop) -> None:
    for _ in range(REPEATED):
        request = ask(shop)
        shop.approve(request, "ann")
        became = at_once(partial(revoke, shop, request), partial(use, shop, request))
        receipt, permit = became
        assert receipt["begun"] == (not isinstance(permit, Refusal))
        assert refusals(became) in ([], ["not_covered"])
        assert stored(request).state == "revoked"


def test_take_a_vote_back_and_the_last_vote(shop: Shop) -> None:
    """Either the quorum was reached and the vote stays, or it was taken back and is missing."""
    for _ in range(REPEATED):
        _, request = asked(shop, "2000")
        shop.approve(request, "ann")
        back = partial(taking_back.withdraw_vote, shop.actor("ann"), request.pk, reason="Not yet.", key=key())
        became = at_once(back, partial(shop.approve, request, "amir"))
        ended = stored(request)
        if ended.state == "approved":
            assert (refusals(became), verdicts(request)) == (["already_resolved"], ["approve", "approve"])
        else:
            assert (refusals(became), ended.state, verdicts(request)) == ([], "pending", ["approve"])


def test_use_and_withdraw(shop: Shop) -> None:
    for _ in range(REPEATED):
        request = ask(shop)
        shop.approve(request)
        back = partial(withdrawing.withdraw, shop.bot, request.pk, reason="", key=key())
        became = at_once(partial(use, shop, request), back)
        assert len(answers(became)) == 1
        assert (stored(request).state, refusals(became)) in [
            ("consumed", ["not_withdrawable"]), ("withdrawn", ["not_covered"]),
        ]  # fmt: skip


def test_use_and_use(shop: Shop) -> None:
    """Two processes of one agent: one permit."""
    for _ in range(REPEATED):
        request = ask(shop)
        shop.approve(request)
        became = at_once(*[partial(use, shop, request)] * 2)
        assert (len(answers(became)), refusals(became)) == (1, ["already_used"])
        assert kinds(request.stream()).count("request.consumed") == 1


def test_use_and_deny_leave_no_permit_for_what_was_denied(shop: Shop) -> None:
    for _ in range(REPEATED):
        request = ask(shop)
        became = at_once(partial(shop.deny, request, "amir"), partial(use, shop, request))
        assert refusals(became) in (["not_decided_yet"], ["not_covered"])
        assert stored(request).state == "denied"


def test_two_say_what_became_of_it(shop: Shop) -> None:
    for _ in range(REPEATED):
        request = ask(shop)
        shop.approve(request)
        use(shop, request)
        became = at_once(partial(tell, shop, request, "succeeded"), partial(tell, shop, request, "failed", "No."))
        [receipt] = answers(became)
        assert refusals(became) == ["outcome_stands"]
        assert stored(request).outcome == receipt["outcome"]


def test_a_report_and_the_end_of_its_time(shop: Shop) -> None:
    """A report that comes in this moment stands, or comes after an unknown that it makes known; it is never lost."""
    for number in range(REPEATED):
        request = ask(shop)
        shop.approve(request)
        use(shop, request)
        with clock.at(3600.02 - BEFORE_THE_END[number % 5]):
            became = at_once(partial(tell, shop, request, "succeeded", "R-77"), sweep)
        assert refusals(became) == []
        assert stored(request).outcome == "succeeded"


def test_the_same_question_twice(shop: Shop) -> None:
    for _ in range(REPEATED):
        name = key()
        one, other = answers(at_once(*[partial(alone.ask_alone, shop.bot, PAY, key=name)] * 2))
        assert one["approval"] == other["approval"]


def test_one_key_for_two_questions(shop: Shop) -> None:
    for _ in range(REPEATED):
        name = key()
        dearer = replace(PAY, summary="Pay bob more", arguments={"to": "bob", "amount": "260"})
        became = at_once(*[partial(alone.ask_alone, shop.bot, each, key=name) for each in (PAY, dearer)])
        assert (len(answers(became)), refusals(became)) == (1, ["key_reused"])


@pytest.fixture
def lenient(shop: Shop) -> Shop:
    """The shop, where a deadline may be put off and others may be asked too."""
    shop.change("oscar", roles=["approver", "operator"], groups=["board"])
    assert not shop.apply(TERMS.format(version=2))[0].faults
    return shop


def test_put_off_and_expire(lenient: Shop) -> None:
    for number in range(REPEATED):
        _, request = asked(lenient)
        with clock.at(1800 - BEFORE_THE_END[number % 5]):
            put_off = partial(
                extending.extend, lenient.actor("ann"), request.pk, seconds=600, reason="She is away.", key=key()
            )
            became = at_once(put_off, sweep)
        with clock.at(1801):
            sweep()
            ended = stored(request)
            assert (ended.state, refusals(became)) in [("pending", []), ("expired", ["expired"])]


def test_ask_others_and_approve(lenient: Shop) -> None:
    """Whoever comes first: it is approved once, and what was decided is not put to others."""
    for _ in range(REPEATED):
        run, request = asked(lenient)
        others = partial(escalating.escalate, lenient.actor("amir"), request.pk, reason="It hurries.", key=key())
        became = at_once(others, partial(lenient.approve, request, "ann"))
        assert refusals(became) in ([], ["already_resolved"])
        assert (stored(request).escalated_at is None) == (refusals(became) == ["already_resolved"])
        assert (stored(request).state, verdicts(request)) == ("approved", ["approve"])
        assert begun(lenient, run) == 1


def test_db_03_many_decide_many_in_opposite_orders_while_the_clock_passes(shop: Shop) -> None:
    """No deadlock and no fault: each is decided once, and each of both is told what became of it."""
    run = shop.accept(*(draft(f"dear {number}", "250") for number in range(REPEATED)))
    requests = [shop.request(run, f"dear {number}") for number in range(REPEATED)]

    def decide(by: str, verdict: str, order: list[Request]) -> list[Any]:
        became: list[Any] = []
        for request in order:
            try:
                became.append(getattr(shop, verdict)(request, by)["receipt"])
            except Refusal as refusal:
                became.append(refusal.code)
        return became

    def pass_often() -> None:
        for _ in range(10):
            sweep()

    ann, amir, _ = answers(
        at_once(
            partial(decide, "ann", "approve", requests), partial(decide, "amir", "deny", requests[::-1]), pass_often
        )
    )
    for one, other in zip(ann, amir[::-1], strict=True):
        assert sorted([one, other]) == ["already_resolved", "recorded"]
    assert all(len(verdicts(request)) == 1 for request in requests)


def test_requests_of_one_agent_are_withdrawn_in_opposite_orders(shop: Shop) -> None:
    requests = [ask(shop) for _ in range(REPEATED)]

    def withdraw(order: list[Request]) -> list[str]:
        told = []
        for request in order:
            with suppress(withdrawing.NotWithdrawable):
                told.append(withdrawing.withdraw(shop.bot, request.pk, reason="", key=f"w-{uuid4()}")["receipt"])
        return told

    one, other = answers(at_once(partial(withdraw, requests), partial(withdraw, requests[::-1])))
    assert len(one) + len(other) == REPEATED
    assert {stored(request).state for request in requests} == {"withdrawn"}
