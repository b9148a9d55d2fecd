"""Approvals are told of: who is asked and why, reminders once, how it ended on the ways that were told, and no secret in any of it."""

from datetime import timedelta
from typing import Any

import pytest

from approvals.models import Delegation, Request
from console import clock
from console.identity.models import Member
from console.notices.models import Copy, Delivery, Notice
from runs.models import Effect
from tests.cast import Company, claim, follow, inside, later, work
from tests.work import sweep


@pytest.fixture(autouse=True)
def _with_mail(settings: Any) -> None:
    settings.EMAIL_IS_SENT = True


def told(kind: str) -> dict[str, str]:
    """Give whom notices of a kind were told to, each with why."""
    with inside():
        copies = Copy.objects.filter(notice__kind=kind).select_related("member__user")
        return {copy.member.user.name: copy.because for copy in copies}


def notice(kind: str) -> Notice:
    """Give the one notice of a kind."""
    with inside():
        return Notice.objects.get(kind=kind)


def asked(acme: Company, amount: str = "120.00") -> Request:
    """Have the agent ask for a refund of 120."""
    return acme.request(acme.propose(acme.run(), amount=amount))


def test_approvers_of_the_group_are_told_why_and_the_agents_owner_is_not(acme: Company) -> None:
    request = asked(acme)
    assert told("approval.asked") == {
        "Ann Okafor": "You were told because you approve for finance.",
        "Amir Saleh": "You were told because you approve for finance.",
    }
    found = notice("approval.asked")
    assert (found.about, found.path, found.tier) == (request.pk, f"/approvals/{request.pk}", request.tier)
    assert found.text.startswith("refund-bot asks. Target: ")
    assert f"Decide by {request.decide_by:%Y-%m-%d %H:%M} UTC; if nobody does, it will not be done." in found.text


def test_whoever_decides_in_anothers_place_is_told_too(acme: Company) -> None:
    with inside(acme.tenant.pk):
        now = clock.now()
        Delegation.objects.create(
            tenant_id=acme.tenant.pk, giver=acme.ann, taker=acme.sam, reason="On leave.", created_at=now,
            starts_at=now - timedelta(hours=1), ends_at=now + timedelta(days=1),
        )  # fmt: skip
    asked(acme)
    assert told("approval.asked")["Sam Tran"] == "You were told because Ann Okafor handed their decisions to you."


def test_where_nobody_can_approve_the_administrators_are_told(acme: Company) -> None:
    with inside():
        for name in ("ann", "amir"):
            acme.members[name].active = False
            acme.members[name].save()
    asked(acme)
    assert set(told("approval.asked")) == {"Dora Lindqvist"}


def test_reminders_come_at_half_and_at_nine_tenths_once_each(acme: Company) -> None:
    asked(acme)  # half an hour to decide
    sweep()
    assert told("approval.reminder") == {}
    for _ in range(2):
        with later(minutes=16):
            sweep()
    assert set(told("approval.reminder")) == {"Ann Okafor", "Amir Saleh"}
    assert notice("approval.reminder").text.startswith("Half of the time to decide has gone by.")
    for _ in range(2):
        with later(minutes=28):
            sweep()
    with inside():
        texts = Notice.objects.filter(kind="approval.reminder").order_by("posted_at").values_list("text", flat=True)
        assert [text[:12] for text in texts] == ["Half of the ", "Nine tenths "]
        assert Request.objects.get().remind_at is None


def test_both_marks_passed_unseen_are_told_as_one(acme: Company) -> None:
    asked(acme)
    with later(minutes=28):
        sweep()
    assert notice("approval.reminder").text.startswith("Nine tenths of the time")


def test_nobody_is_reminded_of_what_is_decided_nor_of_their_own_word(acme: Company) -> None:
    two = acme.propose(acme.run(), amount="2000.00")  # two approvals, one hour
    acme.approve("ann", two)
    with later(minutes=31):
        sweep()
    assert set(told("approval.reminder")) == {"Amir Saleh"}
    acme.approve("amir", two)
    with later(minutes=55):
        sweep()
    with inside():
        assert Notice.objects.filter(kind="approval.reminder").count() == 1
        assert Request.objects.get().remind_at is None


def test_those_who_were_told_hear_how_it_ended_and_whoever_did_it_does_not(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.deny("ann", effect, "Paid already.")
    assert set(told("approval.ended")) == {"Amir Saleh"}
    found = notice("approval.ended")
    assert found.title.startswith("Denied: ")
    assert found.text.startswith("Denied by Ann Okafor, ")
    assert found.text.endswith("It is not done. Said: Paid already.")
    assert found.state == "denied"


def test_what_nobody_was_sent_yet_is_dropped_and_so_is_its_end(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.approve("ann", effect)
    with inside():
        states = list(Delivery.objects.values_list("notice__kind", "state"))
    assert states == [("approval.asked", "dropped")] * 2


def test_who_was_sent_it_is_sent_how_it_ended(acme: Company) -> None:
    effect = acme.propose(acme.run())
    with inside():
        Delivery.objects.filter(member=acme.amir).update(state="gathered", due_at=None, ended_at=clock.now())
    acme.approve("ann", effect)
    with inside():
        ends = Delivery.objects.filter(notice__kind="approval.ended").values_list("member__user__name", flat=True)
        assert list(ends) == ["Amir Saleh"]


def test_silence_is_told_as_what_it_is(acme: Company) -> None:
    asked(acme)
    with later(hours=1):
        sweep()
    found = notice("approval.ended")
    assert (found.state, set(told("approval.ended"))) == ("expired", {"Ann Okafor", "Amir Saleh"})
    assert "Nobody decided in time. It is not done." in found.text


def test_whoever_approved_is_told_what_became_of_it_and_nobody_else(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.approve("ann", effect)
    sweep()
    assert told("approval.outcome") == {}
    work("unknown", http=None)
    for _ in range(2):
        sweep()
    assert told("approval.outcome") == {"Ann Okafor": "You were told because you approved it."}
    found = notice("approval.outcome")
    assert (found.state, found.title[:17]) == ("unknown", "Outcome unknown: ")


def test_what_was_unknown_and_is_known_is_told_again(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.approve("ann", effect)
    work("unknown", http=None)
    sweep()
    with inside():
        Effect.objects.filter(pk=effect.pk).update(state="succeeded", unknown_since=None, ended_at=clock.now())
    for _ in range(2):
        sweep()
    with inside():
        states = Notice.objects.filter(kind="approval.outcome").order_by("posted_at").values_list("state", flat=True)
        assert list(states) == ["unknown", "succeeded"]


def test_an_approval_that_a_claim_found_lost_is_told_of(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.approve("ann", effect)
    follow()
    with inside():
        Member.objects.filter(pk=acme.ann.pk).update(groups=["support"])
    assert claim() == []
    for _ in range(2):
        sweep()
    with inside():
        ends = Notice.objects.filter(kind="approval.ended").order_by("posted_at").values_list("state", flat=True)
        assert list(ends) == ["approved", "lapsed"]


def test_a_policy_that_judges_again_says_how_many(acme: Company) -> None:
    asked(acme)
    acme.new_policy(2)
    assert set(told("policy.published")) == {"Ann Okafor", "Amir Saleh", "Sam Tran", "Ben Osei", "Dora Lindqvist"}
    assert "1 open request is judged again by it." in notice("policy.published").text
