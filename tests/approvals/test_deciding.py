"""Deciding: every row of the table of situations that can arise, by the one function that button and API share."""

import dataclasses
from typing import Any
from uuid import UUID, uuid4

import pytest

from approvals.deciding import voting
from approvals.deciding.refusals import (
    AlreadyCounted,
    AlreadyResolved,
    Expired,
    NotEligible,
    PolicyChanged,
    SeparationOfDuties,
    StaleView,
    Withdrawn,
)
from approvals.models import Decision, Request
from console.clock import instant
from console.database import crossing_tenants, rows
from console.http.reasons import ReasonMissing
from console.http.refusals import KeyReused, NotFound, ReasonTooLong, Refusal
from console.identity import administration
from console.identity.models import Member
from console.ledger.actors import Actor
from tests import clock
from tests.cast import inside
from tests.record import kinds, told
from tests.shop import Shop, draft, money
from tests.work import claim, claimed, follow, settle, sweep


@pytest.fixture
def run(shop: Shop) -> UUID:
    """A run with a payment that one of finance has to approve."""
    return shop.accept(draft("dear", "250"))


@pytest.fixture
def asked(shop: Shop, run: UUID) -> Request:
    """What is asked about it."""
    return shop.request(run, "dear")


@pytest.fixture
def both(shop: Shop) -> Request:
    """What is asked about a payment that two of finance have to approve."""
    return shop.request(shop.accept(draft("dear", "2000")), "dear")


def decisions(request: Request) -> list[tuple[str, str]]:
    """Give who said what on a request."""
    with inside():
        found = Decision.objects.filter(request=request).select_related("member__user").order_by("at")
        return [(decision.member.user.name, decision.verdict) for decision in found]


def now(request: Request) -> Request:
    """Read a request anew."""
    with inside():
        return Request.objects.get(pk=request.pk)


def refused(shop: Shop, request: Request, refusal: type[Refusal], by: str = "ann") -> list[dict[str, Any]]:
    """Try both verdicts; each is refused alike, and nothing has changed. Gives the facts of the refusals."""
    before, facts = now(request), []
    for verdict in (shop.approve, shop.deny):
        with pytest.raises(refusal) as told_so:
            verdict(request, by)
        facts.append(told_so.value.facts)
    after = now(request)
    assert (after.state, after.ledger_seq) == (before.state, before.ledger_seq)
    return facts


# Pending, eligible, and the digest is the one that was shown


def test_an_approval_is_recorded_with_its_receipt(shop: Shop, asked: Request) -> None:
    receipt = shop.approve(asked, "ann", "Seen the invoice.")
    approved = now(asked)
    assert (receipt["receipt"], receipt["state"], receipt["counted"], receipt["of"]) == ("recorded", "approved", 1, 1)
    assert approved.state == "approved"
    assert approved.use_by is not None
    assert approved.decided_at is not None
    assert (approved.use_by - approved.decided_at).total_seconds() == 900
    assert decisions(asked) == [("Ann Okafor", "approve")]
    assert kinds(asked.stream()) == ["request.opened", "request.decided", "request.approved"]


def test_a_denial_is_recorded_with_its_reason_and_ends_it(shop: Shop, run: UUID, asked: Request) -> None:
    assert shop.deny(asked, "ann", " We never pay bob. ")["state"] == "denied"
    denied = now(asked)
    assert (denied.state, denied.closing_reason, denied.use_by) == ("denied", "We never pay bob.", None)
    follow()
    assert shop.states(run) == {"dear": "denied"}


def test_a_decision_says_who_by_which_door_and_what_was_shown(shop: Shop, asked: Request) -> None:
    shop.approve(asked, "ann")
    with inside():
        decision = Decision.objects.get(request=asked)
    assert (decision.member_id, decision.via, decision.shown_digest) == (
        shop.members["ann"].pk,
        "page",
        asked.subject_digest,
    )


def test_the_first_of_two_approvals_is_counted_and_leaves_it_pending(shop: Shop, both: Request) -> None:
    first = shop.approve(both, "ann")
    assert (first["receipt"], first["state"], first["counted"], first["of"], first["use_by"]) == (
        "counted",
        "pending",
        1,
        2,
        None,
    )
    second = shop.approve(both, "amir")
    assert (second["receipt"], second["state"], second["counted"]) == ("recorded", "approved", 2)


def test_one_denial_decides_whatever_was_counted(shop: Shop, both: Request) -> None:
    shop.approve(both, "ann")
    assert shop.deny(both, "amir")["state"] == "denied"
    assert decisions(both) == [("Ann Okafor", "approve"), ("Amir Saleh", "deny")]


@pytest.mark.parametrize("verdict", ["approve", "deny"])
def test_a_reason_has_a_limit(shop: Shop, asked: Request, verdict: str) -> None:
    decide_as = shop.approve if verdict == "approve" else shop.deny
    with pytest.raises(ReasonTooLong):
        decide_as(asked, reason="x" * 2001)
    assert now(asked).state == "pending"
    assert decide_as(asked, reason="x" * 2000)["receipt"] == "recorded"


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_denial_needs_a_reason(shop: Shop, asked: Request, reason: str) -> None:
    with pytest.raises(ReasonMissing):
        shop.deny(asked, reason=reason)
    assert now(asked).state == "pending"


# The same request again, and one key for something else


@pytest.mark.parametrize("verdict", ["approve", "deny"])
def test_the_same_key_and_content_get_the_same_receipt(shop: Shop, asked: Request, verdict: str) -> None:
    say = getattr(shop, verdict)
    first, again = say(asked, key="once"), say(asked, key="once")
    assert again == {**first, "replayed": True}
    assert len(decisions(asked)) == 1


def test_the_same_key_and_other_content_are_refused(shop: Shop, asked: Request) -> None:
    shop.approve(asked, key="once")
    other = shop.request(shop.accept(draft("other", "300")), "other")
    for reused in (
        lambda: shop.deny(asked, key="once"),
        lambda: shop.approve(asked, reason="Another reason.", key="once"),
        lambda: shop.approve(other, key="once"),
    ):
        with pytest.raises(KeyReused):
            reused()
    assert now(other).state == "pending"


def test_two_people_may_use_the_same_key(shop: Shop, both: Request) -> None:
    shop.approve(both, "ann", key="once")
    assert shop.approve(both, "amir", key="once")["state"] == "approved"


# Somebody was first, or it was the same person (APR-09)


@pytest.mark.parametrize("verdict", ["approve", "deny"])
def test_who_comes_second_is_told_who_decided_what_and_when(shop: Shop, asked: Request, verdict: str) -> None:
    receipt = getattr(shop, verdict)(asked, "ann")
    for facts in refused(shop, asked, AlreadyResolved, "amir"):
        assert (facts["by"], facts["verdict"], facts["at"]) == ("Ann Okafor", verdict, receipt["at"])
    assert len(decisions(asked)) == 1


def test_nobody_is_counted_twice(shop: Shop, both: Request) -> None:
    shop.approve(both, "ann")
    for facts in refused(shop, both, AlreadyCounted, "ann"):
        assert (facts["verdict"], facts["counted"], facts["of"]) == ("approve", 1, 2)
    assert decisions(both) == [("Ann Okafor", "approve")]


def test_nobody_is_counted_twice_by_another_door_either(shop: Shop, both: Request) -> None:
    shop.approve(both, "ann")
    by = dataclasses.replace(shop.actor("ann"), via="api")
    with pytest.raises(AlreadyCounted):
        voting.approve(by, both.pk, shown_digest=both.subject_digest.hex(), reason="", key="other")


def test_what_was_consumed_is_decided_already(shop: Shop, asked: Request) -> None:
    shop.approve(asked)
    follow()
    claim()
    assert now(asked).state == "consumed"
    for facts in refused(shop, asked, AlreadyResolved, "amir"):
        assert (facts["state"], facts["by"]) == ("consumed", "Ann Okafor")


# Out of time, although no clock has passed (EXP-01)


def test_after_the_time_to_decide_nobody_decides_although_no_clock_has_passed(shop: Shop, asked: Request) -> None:
    with clock.at(1770):
        assert now(asked).state == "pending"
    with clock.at(1800):
        for facts in refused(shop, asked, Expired):
            assert facts["decide_by"] == clock_text(asked)
    assert now(asked).state == "pending"


def clock_text(request: Request) -> str | None:
    """Write a request's deadline as the API does."""
    return instant(request.decide_by)


def test_just_before_the_end_it_is_still_decided(shop: Shop, asked: Request) -> None:
    with clock.at(1785):
        assert shop.approve(asked)["state"] == "approved"


def test_silence_never_approves_and_nobody_is_said_to_have_decided(shop: Shop, run: UUID, asked: Request) -> None:
    """EXP-03: the end of the time is no person's verdict."""
    with clock.at(1801):
        sweep()
        refused(shop, asked, Expired)
    expired = now(asked)
    assert (expired.state, expired.closing_reason, decisions(asked)) == ("expired", "nobody decided in time", [])
    assert shop.states(run) == {"dear": "expired"}
    with inside():
        actors = [
            row["actor"]
            for row in rows("select actor from ledger_entry where stream = %s order by seq", [asked.stream()])
        ]
    assert actors == [str(shop.bot), "system:clock"]


def test_half_a_quorum_at_the_end_of_the_time_is_no_approval(shop: Shop, both: Request) -> None:
    shop.approve(both, "ann")
    with clock.at(1801):
        sweep()
    assert now(both).state == "expired"


# Withdrawn, revised, governed by another policy


def test_what_was_withdrawn_with_its_effect_is_not_decided(shop: Shop, run: UUID, asked: Request) -> None:
    shop.withdraw(run, "dear", "The customer called it off.")
    for facts in refused(shop, asked, Withdrawn):
        assert facts["reason"] == "The customer called it off."


def test_what_was_withdrawn_with_its_run_is_not_decided(shop: Shop, run: UUID, asked: Request) -> None:
    shop.fail(run)
    refused(shop, asked, Withdrawn)


def test_a_run_out_of_time_takes_its_questions_with_it(shop: Shop) -> None:
    """RET-07"""
    run = shop.accept(draft("dear", "250"), deadline_seconds=600)
    request = shop.request(run, "dear")
    with clock.at(601):
        refused(shop, request, Expired)
        sweep()
        refused(shop, request, Expired)
        assert claim() == []


@pytest.mark.parametrize("shown", ["", "nonsense", "00" * 32])
def test_who_was_shown_something_else_decides_nothing_and_sees_what_it_is_now(
    shop: Shop, asked: Request, shown: str
) -> None:
    """APR-12"""
    for verdict in (voting.approve, voting.deny):
        with pytest.raises(StaleView) as stale:
            verdict(shop.actor("ann"), asked.pk, shown_digest=shown, reason="Fine.", key=str(uuid4()))
        assert stale.value.status == 412
        assert stale.value.facts["current"] == asked.subject_digest.hex()
        assert stale.value.facts["arguments"] == {"to": "bob", "amount": "250", "currency": "EUR"}
    assert (now(asked).state, decisions(asked)) == ("pending", [])


def test_what_another_request_showed_does_not_pass_for_this_one(shop: Shop, asked: Request) -> None:
    other = shop.request(shop.accept(draft("dear", "251")), "dear")
    with pytest.raises(StaleView):
        voting.approve(shop.actor("ann"), asked.pk, shown_digest=other.subject_digest.hex(), reason="", key="k")


def test_under_a_superseded_policy_nothing_is_decided_although_no_clock_has_passed(shop: Shop, asked: Request) -> None:
    shop.apply(money(version=2, use="600"))
    refused(shop, asked, PolicyChanged)
    sweep()
    assert now(asked).state == "rerouted"
    refused(shop, asked, PolicyChanged)


def test_the_request_that_took_its_place_is_decided(shop: Shop, run: UUID, asked: Request) -> None:
    shop.apply(money(version=2, use="600"))
    sweep()
    again = shop.request(run, "dear")
    assert again.pk != asked.pk
    assert shop.approve(again)["state"] == "approved"


def test_another_policys_new_version_changes_nothing(shop: Shop, asked: Request) -> None:
    shop.apply(
        '{apiVersion: counterfoil/v1, kind: Policy, name: rest, version: 2, operations: ["*"], rules: [], otherwise: deny}'
    )
    assert shop.approve(asked)["state"] == "approved"


# Who may


def test_who_answers_for_the_agent_that_asks_does_not_decide(shop: Shop, asked: Request) -> None:
    """APR-07"""
    refused(shop, asked, SeparationOfDuties, "ben")
    assert [row["type"] for row in kept_refusals()] == ["separation_of_duties"] * 2


def kept_refusals() -> list[dict[str, Any]]:
    """Give the refusals that were kept."""
    with inside():
        return rows("select type, actor, verb, subject from ledger_refusal order by id")


@pytest.mark.parametrize("kind", ["the agent itself", "a process of ours"])
def test_no_agent_and_no_process_decides(shop: Shop, asked: Request, kind: str) -> None:
    by = shop.bot if kind == "the agent itself" else Actor("system", uuid4(), "worker", shop.tenant.pk, "worker")
    for verdict in (voting.approve, voting.deny):
        with pytest.raises(SeparationOfDuties):
            verdict(by, asked.pk, shown_digest=asked.subject_digest.hex(), reason="Fine.", key=str(uuid4()))
    assert now(asked).state == "pending"


@pytest.mark.parametrize("who", ["dora", "oscar"])
def test_who_is_no_approver_does_not_decide(shop: Shop, asked: Request, who: str) -> None:
    assert refused(shop, asked, NotEligible, who)[0]["groups"] == ["finance"]


@pytest.mark.parametrize("lost", [{"active": False}, {"roles": ["operator"]}, {"groups": ["hr"]}, {"groups": []}])
def test_who_has_lost_the_role_a_moment_ago_does_not_decide(shop: Shop, asked: Request, lost: dict[str, Any]) -> None:
    by = shop.actor("ann")  # signed in before
    shop.change("ann", **lost)
    with pytest.raises(NotEligible):
        voting.approve(by, asked.pk, shown_digest=asked.subject_digest.hex(), reason="", key="k")


def test_the_vote_of_somebody_who_has_lost_the_role_does_not_count_when_the_next_comes(
    shop: Shop, both: Request
) -> None:
    shop.approve(both, "ann")
    shop.change("ann", active=False)
    assert (shop.approve(both, "amir")["receipt"], now(both).state) == ("counted", "pending")


def test_it_counts_again_with_the_role(shop: Shop) -> None:
    both = shop.request(shop.accept(draft("dear", "2000")), "dear")
    shop.approve(both, "ann")
    shop.change("ann", active=False)
    shop.change("ann", active=True)
    assert shop.approve(both, "amir")["state"] == "approved"


def test_somebody_of_another_tenant_finds_nothing(shop: Shop, rival: Shop, asked: Request) -> None:
    """SEC-01: what is somebody else's is as absent as what never was."""
    faults = []
    for request_id in (asked.pk, uuid4()):
        with pytest.raises(NotFound) as nothing:
            voting.approve(
                rival.actor("ann"), request_id, shown_digest=asked.subject_digest.hex(), reason="", key=str(uuid4())
            )
        faults.append((nothing.value.detail, nothing.value.facts))
    assert faults[0] == faults[1]
    assert (now(asked).state, kept_refusals()) == ("pending", [])


def test_a_member_of_two_tenants_decides_in_the_one_that_it_acts_in(shop: Shop, rival: Shop, asked: Request) -> None:
    with crossing_tenants():
        member = administration.add_member(rival.office, shop.members["ann"].user, ["approver"], ["finance"])
    elsewhere = Actor("member", member.pk, "Ann Okafor", rival.tenant.pk, "page")
    with pytest.raises(NotFound):
        voting.approve(elsewhere, asked.pk, shown_digest=asked.subject_digest.hex(), reason="", key="k")
    assert shop.approve(asked)["state"] == "approved"


# Scope (APR-05), and answers to the right question (APR-16)


def test_what_was_approved_for_one_effect_allows_no_other_of_the_same_operation(
    shop: Shop, run: UUID, asked: Request
) -> None:
    shop.approve(asked)
    shop.propose(run, draft("eve", "250", to="eve"))
    follow()
    assert shop.states(run) == {"dear": "ready", "eve": "awaiting_approval"}


def test_not_even_the_same_again(shop: Shop, run: UUID, asked: Request) -> None:
    shop.approve(asked)
    shop.propose(run, draft("once more", "250"))
    assert shop.effect(run, "once more").effect_digest == asked.subject_digest
    assert shop.states(run)["once more"] == "awaiting_approval"


@pytest.mark.parametrize("order", [("deny", "approve"), ("approve", "deny")])
def test_each_answer_goes_to_its_own_question(shop: Shop, order: tuple[str, str]) -> None:
    run = shop.accept(draft("a", "250"), draft("b", "250"))
    for key, verdict in zip(("a", "b"), order, strict=True):
        getattr(shop, verdict)(shop.request(run, key))
    follow()
    leads = {"approve": "ready", "deny": "denied"}
    assert shop.states(run) == {"a": leads[order[0]], "b": leads[order[1]]}


# What becomes of an approval


def test_an_agent_that_posts_the_same_again_gets_the_question_that_stands(
    shop: Shop, run: UUID, asked: Request
) -> None:
    shop.propose(run, draft("dear", "250"))
    assert shop.request(run, "dear").pk == asked.pk
    with inside():
        assert Request.objects.count() == 1


def test_what_was_not_begun_in_time_has_lapsed_and_the_agent_is_told(shop: Shop, run: UUID, asked: Request) -> None:
    shop.approve(asked)
    with clock.at(901):
        sweep()
    lapsed = now(asked)
    assert (lapsed.state, lapsed.closing_reason) == ("lapsed", "it was not begun in time")
    assert (shop.states(run), shop.effect(run, "dear").state_reason) == ({"dear": "lapsed"}, "it was not begun in time")
    assert decisions(asked) == [("Ann Okafor", "approve")]


def test_when_it_lapsed_stays_apart_from_when_it_was_decided(shop: Shop, asked: Request) -> None:
    shop.approve(asked)
    decided = now(asked).decided_at
    with clock.at(901):
        sweep()
    assert now(asked).decided_at == decided


def test_a_worker_that_crashed_leaves_it_consumed_and_the_effect_unknown(shop: Shop, run: UUID, asked: Request) -> None:
    shop.approve(asked)
    follow()
    claim()
    with clock.at(3600):
        sweep()
    assert (shop.states(run), now(asked).state) == ({"dear": "unknown"}, "consumed")


def test_a_decision_outlasts_everything_that_delays_the_work(shop: Shop, run: UUID, asked: Request) -> None:
    """APR-13: it is kept, followed by whoever passes next, and done once."""
    shop.approve(asked)
    assert shop.states(run) == {"dear": "awaiting_approval"}
    assert now(asked).heard_at is None
    with clock.at(120):
        sweep()
        settle(claimed())
        sweep()
        assert claim() == []
    assert (shop.states(run), len(decisions(asked))) == ({"dear": "succeeded"}, 1)


def test_a_refusal_of_authority_is_kept_beside_the_record_and_one_of_content_is_not(shop: Shop, asked: Request) -> None:
    with pytest.raises(ReasonMissing):
        shop.deny(asked, reason="")
    with pytest.raises(NotEligible):
        shop.approve(asked, "oscar")
    assert kept_refusals() == [
        {"type": "not_eligible", "actor": str(shop.actor("oscar")), "verb": "approve", "subject": str(asked.pk)},
    ]  # fmt: skip
    assert kinds(asked.stream()) == ["request.opened"]


def test_the_record_tells_the_decision_as_it_was_taken(shop: Shop, asked: Request) -> None:
    shop.approve(asked, "ann", "Seen the invoice.")
    _, (_, decided), (_, approved) = told(asked.stream())
    assert {name: decided[name] for name in ("member", "verdict", "reason", "shown_digest")} == {
        "member": str(shop.members["ann"].pk), "verdict": "approve", "reason": "Seen the invoice.",
        "shown_digest": asked.subject_digest.hex(),
    }  # fmt: skip
    assert set(approved) == {"use_by"}


def test_the_roles_of_an_actor_are_asked_of_the_database_and_not_of_the_session(shop: Shop, asked: Request) -> None:
    forged = dataclasses.replace(shop.actor("oscar"), roles=frozenset({"approver"}), groups=frozenset({"finance"}))
    with pytest.raises(NotEligible):
        voting.approve(forged, asked.pk, shown_digest=asked.subject_digest.hex(), reason="", key="k")
    with inside():
        assert Member.objects.get(pk=forged.principal).roles == ["operator"]
