"""What people can do with a request besides deciding it: take a vote back, put off, pass on, revoke."""

import pytest

from approvals.deciding.refusals import (
    AlreadyResolved,
    Expired,
    NotEligible,
    NotEscalatable,
    NotExtendable,
    NothingSaid,
    NotRevocable,
    NotYoursToRevoke,
    SeparationOfDuties,
)
from approvals.models import Request
from console.http.reasons import ReasonMissing
from console.identity.step_up import StepUpNeeded
from tests import clock
from tests.approvals.lending import (
    ONE,
    TWO,
    approve,
    escalate,
    extend,
    lending,
    loan,
    now,
    revoke,
    withdraw_vote,
    words,
)
from tests.record import kinds
from tests.shop import Shop, draft
from tests.superuser import hand
from tests.work import claim, claimed, follow, settle, sweep

EXTEND = ", extend: {by_seconds: 600, times: 2}"
ESCALATE = ", escalate: {after_seconds: 900, to: [support]}"


@pytest.fixture
def both(shop: Shop) -> Request:
    """A loan that two of finance have to approve."""
    lending(shop, TWO, EXTEND)
    return loan(shop)[1]


# Taking one's vote back


def test_a_vote_can_be_taken_back_while_more_are_needed_and_given_again(shop: Shop, both: Request) -> None:
    approve(shop, both, "ann")
    receipt = withdraw_vote(shop, both, "ann")
    assert (receipt["receipt"], receipt["counted"], receipt["of"]) == ("withdrawn", 0, 2)
    assert words(both)[0].withdrawn_reason == "I misread it."
    assert approve(shop, both, "ann")["counted"] == 1
    assert approve(shop, both, "amir")["state"] == "approved"
    assert len(words(both)) == 3


def test_what_decided_is_not_taken_back(shop: Shop, both: Request) -> None:
    approve(shop, both, "ann")
    approve(shop, both, "amir")
    with pytest.raises(AlreadyResolved):
        withdraw_vote(shop, both, "ann")


def test_nobody_takes_back_what_another_said(shop: Shop, both: Request) -> None:
    approve(shop, both, "ann")
    with pytest.raises(NothingSaid):
        withdraw_vote(shop, both, "amir")
    with pytest.raises(ReasonMissing):
        withdraw_vote(shop, both, "ann", reason=" ")
    assert now(both).ledger_seq == both.ledger_seq + 1


# Putting the deadline off


def test_the_deadline_is_put_off_as_far_and_as_often_as_the_policy_says(shop: Shop, both: Request) -> None:
    for time in (1, 2):
        receipt = extend(shop, both)
        assert (receipt["receipt"], receipt["extensions"]) == ("extended", time)
    assert (now(both).decide_by - both.decide_by).total_seconds() == 1200
    with pytest.raises(NotExtendable):
        extend(shop, both)


@pytest.mark.parametrize("seconds", [601, 0, -5])
def test_no_further_at_once_than_the_policy_says(shop: Shop, both: Request, seconds: int) -> None:
    with pytest.raises(NotExtendable):
        extend(shop, both, seconds=seconds)
    assert extend(shop, both, seconds=60)["receipt"] == "extended"


def test_never_beyond_the_time_in_which_it_would_be_done(shop: Shop) -> None:
    lending(shop, ONE, EXTEND)
    request = shop.request(shop.accept(draft("loan", "250", "lend", deadline_seconds=1900)), "loan")
    extend(shop, request)
    assert now(request).decide_by == now(request).deadline_at
    with pytest.raises(NotExtendable):
        extend(shop, request)


def test_only_who_may_decide_puts_it_off_and_only_in_time(shop: Shop, both: Request) -> None:
    with pytest.raises(NotEligible):
        extend(shop, both, "oscar")
    with pytest.raises(SeparationOfDuties):
        extend(shop, both, "ben")
    with clock.at(1801), pytest.raises(Expired):
        extend(shop, both)


def test_a_deadline_that_was_put_off_is_the_one_that_counts(shop: Shop, both: Request) -> None:
    extend(shop, both)
    with clock.at(1801):
        sweep()
        assert approve(shop, both, "ann")["receipt"] == "counted"
    with clock.at(2401):
        sweep()
        assert now(both).state == "expired"


# Asking others too


def support(shop: Shop) -> None:
    """Let dora and oscar approve for support."""
    shop.change("dora", roles=["approver", "admin"], groups=["support"])
    shop.change("oscar", roles=["approver", "operator"], groups=["support"])


def test_after_its_time_others_are_asked_too_and_their_word_counts(shop: Shop) -> None:
    support(shop)
    lending(shop, TWO, ESCALATE)
    _, request = loan(shop)
    with pytest.raises(NotEligible):
        approve(shop, request, "dora")
    with clock.at(901):
        assert sweep()["requests escalated"] == 1
        assert now(request).groups == ["finance", "support"]
        assert approve(shop, request, "dora")["counted"] == 1
        assert approve(shop, request, "oscar")["state"] == "approved"
    assert "request.escalated" in kinds(request.stream())


def test_it_escalates_once_and_not_what_was_decided(shop: Shop) -> None:
    support(shop)
    lending(shop, ONE, ESCALATE)
    _, decided = loan(shop)
    _, open_one = loan(shop)
    approve(shop, decided)
    with clock.at(901):
        sweep()
        seq = now(open_one).ledger_seq
        assert "requests escalated" not in sweep()
    assert now(decided).groups == ["finance"]
    assert now(open_one).ledger_seq == seq


def test_a_person_has_others_asked_for_every_panel(shop: Shop) -> None:
    support(shop)
    lending(shop, "panels: [{groups: [finance]}, {groups: [finance], roles: []}]", ESCALATE)
    _, request = loan(shop)
    assert escalate(shop, request)["to"] == ["support"]
    assert approve(shop, request, "dora")["counted"] == 1
    assert approve(shop, request, "oscar")["state"] == "approved"


def test_nobody_escalates_twice_or_where_the_policy_names_nobody(shop: Shop, both: Request) -> None:
    with pytest.raises(NotEscalatable):
        escalate(shop, both)
    support(shop)
    lending(shop, ONE, ESCALATE, version=2)
    _, request = loan(shop)
    escalate(shop, request, "dora", "Nobody of finance is here.")
    with pytest.raises(NotEscalatable):
        escalate(shop, request)


# Revoking


def test_what_is_revoked_before_its_use_is_not_begun(shop: Shop) -> None:
    lending(shop)
    run, request = loan(shop)
    approve(shop, request)
    receipt = revoke(shop, request)
    assert (receipt["receipt"], receipt["begun"]) == ("revoked", False)
    follow()
    assert shop.states(run) == {"loan": "denied"}
    assert shop.effect(run, "loan").state_reason == "Bob is bankrupt."
    assert claim() == []


def test_what_is_revoked_when_it_was_released_is_refused_at_its_use(shop: Shop) -> None:
    lending(shop)
    run, request = loan(shop)
    approve(shop, request)
    follow()
    revoke(shop, request)
    assert claim() == []
    assert (shop.effect(run, "loan").state, shop.effect(run, "loan").state_reason) == ("denied", "revoked")


def test_of_what_was_begun_nothing_is_tried_again(shop: Shop) -> None:
    lending(shop)
    run, request = loan(shop)
    approve(shop, request)
    follow()
    settle(claimed(), "not_sent", sent=False, http=None, delay=1)
    assert revoke(shop, request, "dora")["begun"] is True
    with clock.at(60):
        assert claim() == []
    assert shop.states(run) == {"loan": "denied"}
    assert now(request).consumed_at is not None


def test_only_who_approved_or_administers_revokes_and_only_what_is_approved(shop: Shop, both: Request) -> None:
    with pytest.raises(NotYoursToRevoke):
        revoke(shop, both, "amir")
    with pytest.raises(NotRevocable):
        revoke(shop, both, "dora")
    approve(shop, both, "ann")
    approve(shop, both, "amir")
    for stranger in ("ben", "oscar"):
        with pytest.raises(NotYoursToRevoke):
            revoke(shop, both, stranger)
    revoke(shop, both, "amir")
    with pytest.raises(NotRevocable):
        revoke(shop, both, "amir")


# What a policy asks of a yes


def test_a_yes_may_need_a_fresh_proof_of_who_they_are_and_a_no_does_not(shop: Shop) -> None:
    lending(shop, ONE, ", step_up: {within_seconds: 60}")
    _, request = loan(shop)
    with pytest.raises(StepUpNeeded):
        approve(shop, request)
    assert shop.deny(request)["state"] == "denied"


def test_a_yes_may_need_a_reason(shop: Shop) -> None:
    lending(shop, ONE, ", reason_required: true")
    _, request = loan(shop)
    with pytest.raises(ReasonMissing):
        approve(shop, request, reason=" ")
    assert approve(shop, request, reason="Seen the books.")["state"] == "approved"


def test_a_deed_is_done_once_for_its_key(shop: Shop, both: Request) -> None:
    approve(shop, both, "ann", key="once")
    assert approve(shop, both, "ann", key="once")["replayed"] is True
    assert len(words(both)) == 1


# At use


def test_a_denial_wins_at_use_whatever_else_stands(shop: Shop) -> None:
    """No move leads there; were a word of denial to stand beside an approval, nothing would be begun by it."""
    lending(shop)
    run, request = loan(shop)
    approve(shop, request)
    follow()
    decision = words(request)[0].pk
    hand().execute("update approvals_decision set verdict = 'deny' where id = %s", [decision])
    assert claim() == []
    assert (shop.effect(run, "loan").state, shop.effect(run, "loan").state_reason) == ("denied", "denied")
    hand().execute("update approvals_decision set verdict = 'approve' where id = %s", [decision])
