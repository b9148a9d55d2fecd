"""A card that comes back, because a proof or a word was missing, holds what was typed: nobody approves more than they meant to (APR-03)."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from approvals.delegating import giving
from console.documents import load
from console.exact import decode
from runs.models import Effect
from tests.cast import Company, put_in_force, shown, signed_in
from tests.delegating.handing import terms
from tests.pages.browsing import HTMX
from tests.pages.proving import prove
from tests.pages.test_views_steering import only

POLICY = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
operations: ["*"]
rules:
  - name: refunds
    when: {{path: operation, op: eq, value: refund}}
    then: ask
    ask: {{groups: [finance], decide_within_seconds: 1800, use_within_seconds: 3600, {more},
          narrow: [{{path: arguments.amount, towards: less}}]}}
otherwise: deny
"""
LESS = {"narrow.arguments.amount": "80"}


def asked(acme: Company, more: str) -> Effect:
    """Have a refund of 120 asked about, on these terms."""
    put_in_force(acme.by, load(POLICY.format(version=2, more=more)))
    return acme.propose(acme.run())


def send(browser: Client, effect: Effect, verdict: str = "approve", headers: Any = None, **fields: str) -> Any:
    """Send the decision form."""
    form = {"idempotency_key": str(uuid4()), "verdict": verdict, "shown_digest": shown(effect), **fields}
    return browser.post(f"/approvals/{effect.request_id}/decide", form, headers=headers)


def fields(answer: Any) -> dict[str, str]:
    """Give what stands in the fields of the form that a page shows."""
    return dict(
        re.findall(r'<input id="[\w.]+" name="((?:narrow|offer)[\w.]+)" value="([^"]*)"', answer.content.decode())
    )


def is_open(answer: Any, part: str) -> bool:
    """Tell whether a folded part of the form stands open."""
    return bool(re.search(rf"<details[^>]* {part} open>", answer.content.decode()))


def test_a_tighter_limit_is_still_there_after_the_proof(acme: Company) -> None:
    effect = asked(acme, "step_up: {within_seconds: 300}")
    ann, address = signed_in(acme.ann), f"/approvals/{effect.request_id}"
    assert send(ann, effect, **LESS)["Location"].startswith("/accounts/prove/?next=")
    prove(ann, address)
    back = ann.get(address)
    assert (fields(back)["narrow.arguments.amount"], is_open(back, "data-narrow")) == ("80", True)
    assert send(ann, effect, **{name: text for name, text in fields(back).items() if name in LESS}).status_code == 303
    assert decode(only(acme, effect).constraints) == {"path": "arguments.amount", "op": "lte", "value": "80"}


@pytest.mark.parametrize("headers", [None, HTMX], ids=["a whole page", "a part"])
def test_a_tighter_limit_is_still_there_when_a_reason_was_missing(acme: Company, headers: Any) -> None:
    effect = asked(acme, "reason_required: true")
    refused = send(signed_in(acme.ann), effect, headers=headers, **LESS)
    assert refused.status_code == 422
    assert (fields(refused)["narrow.arguments.amount"], is_open(refused, "data-narrow")) == ("80", True)


def test_what_one_would_approve_instead_is_still_there_when_a_reason_was_missing(acme: Company) -> None:
    effect = asked(acme, "reason_required: true")
    refused = send(signed_in(acme.ann), effect, "deny", **{"offer.amount": "60"})
    assert (fields(refused)["offer.amount"], is_open(refused, "data-offer")) == ("60", True)
    assert not is_open(refused, "data-narrow")


def test_in_whose_name_one_decides_is_still_chosen_when_a_reason_was_missing(acme: Company) -> None:
    effect = asked(acme, "reason_required: true")
    giving.give(acme.actor("amir"), acme.ann.pk, terms(), key="handed")
    refused = send(signed_in(acme.ann), effect, voice=str(acme.amir.pk))
    assert f'<option value="{acme.amir.pk}" selected>' in refused.content.decode()


def test_a_card_that_was_not_sent_holds_what_was_asked(acme: Company) -> None:
    effect = asked(acme, "reason_required: true")
    fresh = signed_in(acme.ann).get(f"/approvals/{effect.request_id}")
    assert fields(fresh) == {
        "narrow.arguments.amount": "",
        "offer.order": "1042",
        "offer.amount": "120",
        "offer.currency": "EUR",
    }
    assert not is_open(fresh, "data-narrow")
    assert not is_open(fresh, "data-offer")
