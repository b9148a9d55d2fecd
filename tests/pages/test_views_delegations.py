"""Delegations on their page: given, seen by both and by who administers, taken back."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from approvals.models import Delegation
from tests.cast import Company, inside, later, signed_in
from tests.pages.browsing import text
from tests.record import findings


def form(acme: Company, **said: Any) -> dict[str, Any]:
    """Fill the form in."""
    until = (datetime.now(UTC) + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    usual = {
        "taker": str(acme.sam.pk), "groups": ["finance"], "operations": "refund, transfer", "starts_at": "", "ends_at": until,
        "reason": "Away until Friday.", "idempotency_key": "the-form",
    }  # fmt: skip
    return usual | said


def stored() -> Delegation:
    """Read the one that there is."""
    with inside():
        return Delegation.objects.get()


def test_it_is_given_seen_and_taken_back(acme: Company) -> None:
    ann, sam, dora = (signed_in(acme.members[name]) for name in ("ann", "sam", "dora"))
    assert "Nobody decides in anybody's place" in text(ann.get("/delegations"))
    for _ in range(2):
        assert ann.post("/delegations/give", form(acme)).status_code == 303
    for browser in (ann, sam, dora):
        assert "Sam Tran for Ann Okafor Away until Friday. refund, transfer asked of finance" in text(
            browser.get("/delegations")
        )
    assert "Sam Tran" not in text(signed_in(acme.amir).get("/delegations")).split("Let somebody decide")[0]
    effect = acme.propose(acme.run())
    assert str(effect.request_id) in sam.get("/approvals").content.decode()
    mine = {"delegation": str(stored().pk), "idempotency_key": "k"}
    assert sam.post("/delegations/revoke", mine).status_code == 403
    assert ann.post("/delegations/revoke", mine).status_code == 303
    assert "Taken back" in text(ann.get("/delegations"))
    assert str(effect.request_id) not in sam.get("/approvals").content.decode()
    assert findings() == []


def test_it_ends_by_itself(acme: Company) -> None:
    ann = signed_in(acme.ann)
    ann.post("/delegations/give", form(acme))
    assert "Holds" in text(ann.get("/delegations"))
    with later(days=4):
        assert "Ended" in text(ann.get("/delegations"))


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"taker": ""}, 422), ({"taker": "x"}, 422), ({"ends_at": ""}, 422), ({"ends_at": "soon"}, 422),
        ({"ends_at": "2020-01-01T00:00"}, 422),
        ({"reason": ""}, 422), ({"operations": "REFUND"}, 422), ({"groups": ["support"]}, 403),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_and_stays_in_the_form(acme: Company, said: dict[str, Any], status: int) -> None:
    answer = signed_in(acme.ann).post("/delegations/give", form(acme, **said))
    assert answer.status_code == status
    assert "Nothing was changed." in text(answer)
    assert re.search(r"<details class=\"block act\" open>", answer.content.decode())


def test_strangers_other_tenants_and_who_may_not(acme: Company, globex: Company) -> None:
    ann = signed_in(acme.ann)
    ann.post("/delegations/give", form(acme))
    mine = {"delegation": str(stored().pk), "idempotency_key": "k"}
    for deed in ("give", "revoke"):
        assert Client().post(f"/delegations/{deed}")["Location"].startswith("/accounts/login/")
        assert ann.get(f"/delegations/{deed}").status_code == 405
        assert signed_in(acme.ann, enforce_csrf_checks=True).post(f"/delegations/{deed}", mine).status_code == 403
    assert signed_in(globex.cara).post("/delegations/revoke", mine).status_code == 404
    assert signed_in(acme.oscar).post("/delegations/give", form(acme)).status_code == 403
    assert ann.post("/delegations/revoke", {"delegation": "x", "idempotency_key": "k2"}).status_code == 404
