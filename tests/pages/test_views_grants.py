"""Standing approvals on pages: proposed as it was shown, confirmed by another, ended by a word; without JavaScript, and sent twice."""

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from approvals.granting.confirming import confirm
from approvals.granting.proposing import propose
from approvals.granting.terms import Terms
from approvals.models import Grant
from console import clock
from console.documents import load
from tests.cast import Company, claim, inside, put_in_force, settle, signed_in
from tests.pages.browsing import at_once, text

POLICY = """
apiVersion: counterfoil/v1
kind: Policy
name: refunds
version: 1
description: Refunds are asked about, and a standing approval may stand in.
operations: [refund]
rules:
  - name: large
    when: {path: arguments.amount, op: gt, value: 50}
    then: ask
    ask: {groups: [finance], decide_within_seconds: 1800, use_within_seconds: 3600,
          grants: {uses: 20, within_seconds: 604800, amount: {path: arguments.amount, most: "2000"}}}
  - {name: small, then: allow}
otherwise: deny
"""
TYPED = {
    "purpose": "Refunds of the summer sale", "operation": "refund", "target_pattern": "order:*", "uses_most": "10",
    "amount_path": "amount", "amount_most": "1000", "lasts_hours": "24", "path1": "amount", "op1": "lte", "value1": "150",
    "path2": "currency", "op2": "eq", "value2": "EUR",
}  # fmt: skip


@pytest.fixture(autouse=True)
def policy(acme: Company) -> None:
    """Let standing approvals stand in for what is asked about refunds."""
    put_in_force(acme.by, load(POLICY))


def stored(acme: Company) -> list[Grant]:
    """Give the grants of the company."""
    with inside():
        return list(Grant.objects.filter(tenant_id=acme.tenant.pk).order_by("created_at"))


def proposed(acme: Company, purpose: str = "Refunds of the summer sale", uses: int = 5) -> Grant:
    """Have ann propose one."""
    with inside():
        ends_at = clock.now() + timedelta(hours=24)
    terms = Terms(
        "refund", "order:*", uses, ends_at, purpose, acme.agent.pk, amount_path="arguments.amount", amount_most=Decimal(1000)
    )  # fmt: skip
    made = propose(acme.actor("ann"), terms, key=str(uuid4()))
    return acme.read(Grant, UUID(made["grant"]))


def standing(acme: Company, **given: Any) -> Grant:
    """Have one in force."""
    found = proposed(acme, **given)
    confirm(acme.actor("amir"), found.pk, key=str(uuid4()))
    return acme.stored(found)


def hidden(page: str) -> dict[str, str]:
    """Give what the form that proposes would send."""
    form = page.partition('action="/grants/propose"')[2].partition("</form>")[0]
    return {name: unescape(value) for name, value in re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form)}


def test_a_card_leads_to_a_form_that_is_filled_in(acme: Company) -> None:
    effect = acme.propose(acme.run())
    ann = signed_in(acme.ann)
    card = ann.get(f"/approvals/{effect.request_id}").content.decode()
    assert f"/grants/new?request={effect.request_id}" in card
    form = ann.get(f"/grants/new?request={effect.request_id}").content.decode()
    for name, value in {
        "target_pattern": "order:*",
        "uses_most": "10",
        "value1": "120",
        "value2": "EUR",
        "amount_most": "2000",
    }.items():
        assert re.search(rf'name="{name}"[^>]* value="{re.escape(value)}"', form), name
    dora = signed_in(acme.dora)
    assert "/grants/new" not in dora.get(f"/approvals/{effect.request_id}").content.decode()


def test_it_is_shown_as_a_sentence_tried_on_the_past_and_proposed_exactly_so(acme: Company) -> None:
    acme.deny("ann", acme.propose(acme.run()))
    acme.deny("ann", acme.propose(acme.run(), amount="900.00"))
    ann = signed_in(acme.ann)
    page = ann.get("/grants/new", {**TYPED, "agent": str(acme.agent.pk)})
    said = text(page)
    assert (
        "refund-bot may do refund on every target that begins with order: where the amount is at most 150 and the currency is EUR "
        "without asking finance, 10 times in all, up to 1000 of the amount in sum."
    ) in said
    assert "Of the last 2 requests for refund it would have covered 1 , 120.00 in sum" in said or "covered 1" in said
    assert stored(acme) == []
    sent = hidden(page.content.decode())
    answers = [ann.post("/grants/propose", sent, follow=True) for _ in range(2)]
    assert ["Proposed; somebody else confirms it" in text(answer) for answer in answers] == [True, True]
    (made,) = stored(acme)
    assert (made.state, made.uses_most, made.ends_at.isoformat()[:19]) == ("proposed", 10, sent["ends_at"][:19])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"uses_most": "21"}, "allows 20 uses within"), ({"target_pattern": "*"}, "Say at least how the targets begin."),
        ({"value1": "much"}, "compared with a number"), ({"lasts_hours": "x"}, "It is a whole number."),
        ({"operation": "lookup"}, "No rule of the policy in force asks people about this"), ({"agent": "x"}, "Choose an agent"),
    ],
)  # fmt: skip
def test_what_cannot_be_proposed_is_said(acme: Company, wrong: dict[str, str], said: str) -> None:
    page = signed_in(acme.ann).get("/grants/new", {**TYPED, "agent": str(acme.agent.pk), **wrong})
    assert (page.status_code, said in text(page), "/grants/propose" in page.content.decode()) == (200, True, False)


@pytest.mark.parametrize(
    "end", ["0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00", "2026-12-01T00:00:00", "soon"]
)
def test_an_end_that_no_clock_shows_is_refused_on_the_same_page(acme: Company, end: str) -> None:
    sent = {**TYPED, "agent": str(acme.agent.pk), "idempotency_key": "k", "ends_at": end}
    answer = signed_in(acme.ann).post("/grants/propose", sent)
    assert (answer.status_code, "Say for how many hours." in text(answer)) == (422, True)


def test_a_proposal_without_its_end_or_by_somebody_else_is_refused_on_the_same_page(acme: Company) -> None:
    sent = {**TYPED, "agent": str(acme.agent.pk), "idempotency_key": "k"}
    answer = signed_in(acme.ann).post("/grants/propose", sent)
    assert (answer.status_code, "Nothing was changed." in text(answer)) == (422, True)
    shown = hidden(signed_in(acme.ann).get("/grants/new", {**TYPED, "agent": str(acme.agent.pk)}).content.decode())
    for name in ("ben", "oscar", "dora"):
        assert (
            signed_in(acme.members[name]).post("/grants/propose", shown | {"idempotency_key": name}).status_code == 403
        )
    assert stored(acme) == []


def test_another_confirms_it_twice_at_once_and_it_is_in_force(acme: Company) -> None:
    found = proposed(acme)
    own = signed_in(acme.ann).get(f"/grants/{found.pk}")
    assert "Somebody else of finance confirms it." in text(own)
    assert f"/grants/{found.pk}/confirm" not in own.content.decode()
    amir = signed_in(acme.amir)
    assert f"/grants/{found.pk}/confirm" in amir.get(f"/grants/{found.pk}").content.decode()
    sent = {"idempotency_key": "once"}
    both = at_once([lambda: signed_in(acme.amir).post(f"/grants/{found.pk}/confirm", sent) for _ in range(2)])
    assert [answer.status_code for answer in both] == [303, 303]
    assert acme.stored(found).state == "active"
    assert "In force" in text(amir.get("/grants"))


def test_a_second_decision_is_told_how_it_stands(acme: Company) -> None:
    found = proposed(acme)
    amir = signed_in(acme.amir)
    declined = amir.post(f"/grants/{found.pk}/decline", {"reason": "Too wide.", "idempotency_key": "a"}, follow=True)
    assert "Declined" in text(declined)
    again = amir.post(f"/grants/{found.pk}/confirm", {"idempotency_key": "b"})
    assert (again.status_code, "has ended, or was decided already" in text(again)) == (409, True)


def test_its_page_shows_what_is_left_and_what_became_of_each_use(acme: Company) -> None:
    found = standing(acme)
    run = acme.run("Make order 1042 right")
    effect = acme.propose(run)
    assert effect.state == "ready"
    settle(claim())
    page = signed_in(acme.ben).get(f"/grants/{found.pk}")
    assert "4 of 5 uses left" in text(page)
    assert "880 of 1000 amount left" in text(page)
    assert re.search(r'<meter min="0" max="5" value="4"', page.content.decode())
    assert "Make order 1042 right" in text(page)
    shown = signed_in(acme.ben).get(f"/runs/{run.pk}/effects/{effect.number}")
    assert f'href="/grants/{found.pk}"' in shown.content.decode()


def test_it_is_revoked_from_its_page(acme: Company) -> None:
    found = standing(acme)
    assert f"/grants/{found.pk}/revoke" not in signed_in(acme.oscar).get(f"/grants/{found.pk}").content.decode()
    sent = {"reason": "The sale is over.", "idempotency_key": "stop"}
    assert signed_in(acme.oscar).post(f"/grants/{found.pk}/revoke", sent).status_code == 403
    assert "Revoked" in text(signed_in(acme.dora).post(f"/grants/{found.pk}/revoke", sent, follow=True))
    page = text(signed_in(acme.ann).get(f"/grants/{found.pk}"))
    assert "The sale is over." in page
    assert acme.propose(acme.run()).state == "awaiting_approval"


def test_nobody_of_another_tenant_sees_or_touches_it(acme: Company, globex: Company) -> None:
    found = standing(acme)
    cara = signed_in(globex.cara)
    assert cara.get(f"/grants/{found.pk}").status_code == 404
    for deed in ("confirm", "decline", "revoke"):
        sent = {"reason": "Mine.", "idempotency_key": deed}
        assert cara.post(f"/grants/{found.pk}/{deed}", sent).status_code == 404
    assert "summer sale" not in text(cara.get("/grants"))
    assert acme.stored(found).state == "active"


def test_a_link_changes_nothing_and_a_stranger_is_shown_the_way(acme: Company) -> None:
    found = proposed(acme)
    for deed in ("confirm", "decline", "revoke"):
        assert signed_in(acme.amir).get(f"/grants/{found.pk}/{deed}").status_code == 405
        assert Client().post(f"/grants/{found.pk}/{deed}").status_code == 303
    assert acme.stored(found).state == "proposed"


def test_what_somebody_wrote_is_shown_inert(acme: Company) -> None:
    found = proposed(acme, purpose="<script>alert(1)</script> \u202egnp.exe")
    for address in ("/grants", f"/grants/{found.pk}"):
        page = signed_in(acme.amir).get(address).content.decode()
        assert "<script>alert" not in page
        assert "\u202e" not in page


def test_more_of_them_add_no_queries(acme: Company) -> None:
    ann = signed_in(acme.ann)
    counted = []
    for number in (1, 2, 5):
        while len(stored(acme)) < number:
            standing(acme, purpose=f"Sale {len(stored(acme))}")
        ann.get("/grants")
        with CaptureQueriesContext(connections["default"]) as queries:
            assert text(ann.get("/grants")).count("Sale ") == number
        counted.append(len(queries))
    assert len(set(counted)) == 1
