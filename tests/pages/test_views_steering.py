"""What a member does with a request besides yes and no: tightening, offering another, taking back, putting off, asking others, revoking."""

import re
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from approvals.alone.draft import Draft
from approvals.delegating import giving
from approvals.models import Decision
from console.database import crossing_tenants
from console.documents import load
from console.exact import Object, decode
from console.identity.administration import change_member
from runs.models import Effect
from runs.pausing import alone
from tests.cast import Company, follow, inside, later, put_in_force, shown, signed_in
from tests.delegating.handing import terms
from tests.pages.browsing import at_once, text

POLICY = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: 2
description: What moves money is asked about.
operations: ["*"]
rules:
  - name: refunds
    when: {path: operation, op: eq, value: refund}
    then: ask
    ask:
      panels: [{groups: [finance], quorum: 1}, {groups: [support], quorum: 1}]
      decide_within_seconds: 1800
      use_within_seconds: 3600
      finish: {within_seconds: 7200, then: ask_to_cancel}
      escalate: {after_seconds: 900, to: [legal]}
      extend: {by_seconds: 600, times: 1}
      narrow: [{path: arguments.amount, towards: less}]
otherwise: deny
"""


@pytest.fixture
def refund(acme: Company) -> Effect:
    """A refund of 120 that finance and support are asked for, each one."""
    with crossing_tenants():
        change_member(acme.by, acme.amir.pk, roles=["approver"], groups=["finance", "legal"], active=True)
    put_in_force(acme.by, load(POLICY))
    return acme.propose(acme.run())


def send(browser: Client, effect: Effect, door: str, **fields: str) -> Any:
    """Send one of the card's forms, without JavaScript, and go where it leads."""
    form = {"idempotency_key": str(uuid4()), "reason": "Because.", **fields}
    return browser.post(f"/approvals/{effect.request_id}/{door}", form, follow=True)


def decide(browser: Client, effect: Effect, verdict: str = "approve", **fields: str) -> Any:
    """Send the decision form."""
    return send(browser, effect, "decide", verdict=verdict, shown_digest=shown(effect), **fields)


def card(browser: Client, effect: Effect) -> str:
    """Read the card."""
    return text(browser.get(f"/approvals/{effect.request_id}"))


def only(company: Company, effect: Effect) -> Decision:
    """Read the one decision."""
    with inside(company.tenant.pk):
        return Decision.objects.get(request=effect.request_id)


def test_panels_are_seats_and_who_took_them(acme: Company, refund: Effect) -> None:
    ann = signed_in(acme.ann)
    said = card(ann, refund)
    assert "0 of 2 1 from finance 1 from support" in said
    assert "within 2 h of its start; else it is asked to cancel" in said
    decide(ann, refund)
    assert "1 of 2 Ann Okafor 1 from support" in card(ann, refund)


def test_an_approver_tightens_what_was_asked(acme: Company, refund: Effect) -> None:
    ann = signed_in(acme.ann)
    assert "Amount at most asked: 120" in card(ann, refund)
    decide(ann, refund, **{"narrow.arguments.amount": "80"})
    assert decode(only(acme, refund).constraints) == {"path": "arguments.amount", "op": "lte", "value": "80"}
    assert re.search(r"Ann Okafor approved, if .*80", card(ann, refund))


@pytest.mark.parametrize("limit", ["500", "much", "-"])
def test_what_is_not_tighter_is_refused_and_said(acme: Company, refund: Effect, limit: str) -> None:
    answer = decide(signed_in(acme.ann), refund, **{"narrow.arguments.amount": limit})
    assert answer.status_code in {400, 422}
    assert acme.request(refund).state == "pending"
    with inside(acme.tenant.pk):
        assert not Decision.objects.filter(request=refund.request_id).exists()


def test_a_denial_says_what_would_be_approved(acme: Company, refund: Effect) -> None:
    ann = signed_in(acme.ann)
    decide(ann, refund, "deny", **{"offer.amount": "60.00", "offer.order": "1042", "offer.currency": "EUR"})
    assert decode(only(acme, refund).alternative) == {"order": "1042", "amount": "60", "currency": "EUR"}
    assert "Would say yes to: amount 60" in card(ann, refund)


def test_an_offer_that_changes_nothing_is_none(acme: Company, refund: Effect) -> None:
    page = signed_in(acme.ann).get(f"/approvals/{refund.request_id}").content.decode()
    fields = dict(re.findall(r'name="(offer\.\w+)" value="([^"]*)"', page))
    assert set(fields) == {"offer.order", "offer.amount", "offer.currency"}
    decide(signed_in(acme.ann), refund, "deny", **fields)
    assert only(acme, refund).alternative == ""


ODD: Object = {
    "note": "Dear B. \n", "of": " 17", "to": "bob\u202e", "amount": "2000", "times": 3, "na\u200bme": "x", "\u202eto": "eve",
    "plain": "as it is",
}  # fmt: skip


def test_nobody_says_what_they_did_not_type_where_a_line_holds_something_otherwise(
    acme: Company,
) -> None:
    """A browser takes line breaks out of what it sends back; that is no word of whoever denies (APR-03)."""
    draft = Draft("refund", "order:17", ODD, "Refund 2000 by hand", "It arrived broken.")
    made = alone.ask_alone(acme.bot, draft, key=f"key-{uuid4()}")
    ann, address = signed_in(acme.ann), f"/approvals/{made['approval']}"
    page = ann.get(address).content.decode()
    fields = dict(re.findall(r'name="(offer\.[^"]+)" value="([^"]*)"', page))
    assert fields == {"offer.amount": "2000", "offer.times": "3", "offer.plain": "as it is"}
    shown = re.findall(r'name="shown_digest" value="(\w+)"', page)[0]
    said = {"verdict": "deny", "reason": "Less.", "shown_digest": shown, "idempotency_key": f"key-{uuid4()}"}
    answer = ann.post(f"{address}/decide", {**said, **fields, "offer.note": "Dear B.", "offer.times": "1_000"})
    assert answer.status_code in {200, 303}
    with inside(acme.tenant.pk):
        word = Decision.objects.get(request=made["approval"])
    assert decode(word.alternative) == {**ODD, "times": "1_000"}


def test_one_takes_ones_approval_back(acme: Company, refund: Effect) -> None:
    ann = signed_in(acme.ann)
    assert "Take back my approval" not in card(ann, refund)
    decide(ann, refund)
    assert "Take back my approval" in card(ann, refund)
    assert "Take back my approval" not in card(signed_in(acme.sam), refund)
    assert "Your approval is taken back; 0 of 2 are in." in text(send(ann, refund, "withdraw-vote"))
    said = card(ann, refund)
    assert "and took that back" in said
    assert "Approve refund of 120.00 EUR" in said, "and may decide again"


def test_the_deadline_is_put_off_once(acme: Company, refund: Effect) -> None:
    before = acme.request(refund).decide_by
    ann = signed_in(acme.ann)
    assert "Put it off to" in card(ann, refund)
    assert "It is to be decided by" in text(send(ann, refund, "extend"))
    assert (acme.request(refund).decide_by - before).total_seconds() == 600
    assert "Put it off to" not in card(ann, refund)
    assert send(ann, refund, "extend").status_code == 409


def test_others_are_asked_too(acme: Company, refund: Effect) -> None:
    assert "Ask legal too" in card(signed_in(acme.dora), refund)
    assert "Asked too: legal." in text(send(signed_in(acme.dora), refund, "escalate"))
    assert "legal" in acme.request(refund).groups
    assert send(signed_in(acme.ann), refund, "escalate").status_code == 409


def test_an_approval_is_revoked(acme: Company, refund: Effect) -> None:
    decide(signed_in(acme.ann), refund)
    decide(signed_in(acme.sam), refund)
    assert acme.request(refund).state == "approved"
    assert "Revoke the approval" not in card(signed_in(acme.amir), refund)
    assert "It had not begun, and is not done." in text(send(signed_in(acme.ann), refund, "revoke"))
    follow()
    assert acme.request(refund).state == "revoked"
    assert "Revoked" in card(signed_in(acme.ann), refund)
    assert "Revoked" in text(signed_in(acme.ann).get("/approvals/history?outcome=revoked"))


DOORS = ("withdraw-vote", "extend", "escalate", "revoke")


def ready(company: Company, effect: Effect, door: str) -> None:
    """Bring the request to where this door does something for ann."""
    if door in {"withdraw-vote", "revoke"}:
        company.approve("ann", effect)
    if door == "revoke":
        company.approve("sam", effect)


@pytest.mark.parametrize("door", DOORS)
def test_twice_at_once_is_once_and_the_same_said(acme: Company, refund: Effect, door: str) -> None:
    ready(acme, refund, door)
    browsers, key = [signed_in(acme.ann) for _ in range(3)], str(uuid4())
    answers = at_once([partial(send, browser, refund, door, idempotency_key=key) for browser in browsers])
    assert [answer.status_code for answer in answers] == [200] * 3
    assert all("Recorded." in text(answer) for answer in answers)


@pytest.mark.parametrize("door", DOORS)
def test_strangers_askers_and_empty_reasons_do_nothing(
    acme: Company, globex: Company, refund: Effect, door: str
) -> None:
    ready(acme, refund, door)
    before = acme.request(refund)
    assert send(signed_in(globex.cara), refund, door).status_code == 404
    assert send(signed_in(acme.ben), refund, door).status_code in {403, 409}  # who answers for the agent
    assert send(signed_in(acme.oscar), refund, door).status_code in {403, 409}
    assert send(signed_in(acme.ann), refund, door, reason=" ").status_code == 422
    assert send(signed_in(acme.ann), refund, door, idempotency_key="").status_code == 400
    assert signed_in(acme.ann).get(f"/approvals/{refund.request_id}/{door}").status_code == 405
    assert acme.request(refund).ledger_seq == before.ledger_seq


@pytest.mark.parametrize("door", ["withdraw-vote", "extend", "escalate"])
def test_past_its_time_nothing_is_done_although_no_sweep_has_passed(acme: Company, refund: Effect, door: str) -> None:
    ready(acme, refund, door)
    with later(minutes=31):
        ann = signed_in(acme.ann)
        assert "steer-form" not in ann.get(f"/approvals/{refund.request_id}").content.decode()
        assert send(ann, refund, door).status_code == 409


def test_one_decides_in_anothers_name_and_both_names_are_shown(acme: Company, refund: Effect) -> None:
    giver = acme.actor("amir")
    giving.give(giver, acme.sam.pk, terms(groups=("finance",)), key="handed")
    sam = signed_in(acme.sam)
    assert "For Amir Saleh, of finance" in card(sam, refund)
    decide(sam, refund, voice=str(acme.amir.pk))
    assert "Sam Tran for Amir Saleh approved" in card(sam, refund)
    assert "Sam Tran for Amir Saleh" in card(signed_in(acme.ann), refund)
    assert acme.request(refund).state == "pending"
    assert decide(signed_in(acme.ann), refund, voice=str(acme.sam.pk)).status_code == 403
    assert decide(signed_in(acme.ann), refund, voice="nobody").status_code == 400


def test_the_seat_of_a_word_by_a_delegation_that_was_taken_back_is_free_again(acme: Company, refund: Effect) -> None:
    handed = giving.give(acme.actor("amir"), acme.sam.pk, terms(groups=("finance",)), key="handed")
    sam = signed_in(acme.sam)
    decide(sam, refund, voice=str(acme.amir.pk))
    assert "1 of 2 Sam Tran for Amir Saleh 1 from support" in card(sam, refund)
    giving.revoke(acme.actor("amir"), UUID(handed["delegation"]), key="back")
    assert "0 of 2 1 from finance 1 from support" in card(sam, refund)


@pytest.mark.parametrize("arguments", [{"order": "17"}, {"amount": "all of it"}])
@pytest.mark.usefixtures("refund")
def test_only_a_number_that_was_asked_has_a_limit_to_tighten(acme: Company, arguments: Object) -> None:
    """What a form offers is what the move takes: a text, and an argument that is not there, have no limit."""
    draft = Draft("refund", "order:17", arguments, "Refund it by hand", "It arrived broken.")
    made = alone.ask_alone(acme.bot, draft, key=f"key-{uuid4()}")
    ann, address = signed_in(acme.ann), f"/approvals/{made['approval']}"
    page = ann.get(address).content.decode()
    assert ("Approve" in page, "narrow.arguments.amount" in page) == (True, False)
