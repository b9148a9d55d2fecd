"""Breaking the glass on pages: typed, proven, shown to everybody while it lasts, and reviewed by somebody else."""

from typing import Any

import pytest
from django.test import Client

from approvals.models import BreakGlass, Request
from console.documents import load
from tests.breaking.glass import POLICY
from tests.cast import Company, inside, later, put_in_force, signed_in
from tests.pages.browsing import text
from tests.pages.proving import prove
from tests.record import findings

ALSO = POLICY.replace("[pay, wire]", "[refund]").format(version=1).replace("name: money", "name: refunds", 1)


@pytest.fixture
def asked(acme: Company) -> Request:
    """Something large that waits for two approvers."""
    put_in_force(acme.by, load(ALSO))
    return acme.request(acme.propose(acme.run(), amount="2000.00"))


def form(request: Request, **said: Any) -> dict[str, Any]:
    """Fill the form in."""
    usual = {
        "target": request.target, "reason": "The house <floods>.", "minutes": "5", "shown_digest": request.subject_digest.hex(),
        "idempotency_key": "the-form",
    }  # fmt: skip
    return usual | said


def broken(acme: Company) -> BreakGlass:
    """Read the one that there is."""
    with inside():
        return BreakGlass.objects.get()


def test_it_is_broken_after_a_proof_and_everybody_sees_it(acme: Company, asked: Request) -> None:
    ann, address = signed_in(acme.ann), f"/approvals/{asked.pk}/break-glass"
    page = ann.get(address)
    assert page.status_code == 200
    assert asked.target in text(page)
    sent = ann.post(f"{address}/now", form(asked))
    assert sent["Location"].startswith("/accounts/prove/?next=")
    prove(ann, address)
    back = ann.get(address)
    assert "You confirmed" in text(back)
    assert "The house &lt;floods&gt;." in back.content.decode()
    for _ in range(2):
        assert ann.post(f"{address}/now", form(asked)).status_code == 303
    assert acme.stored(asked).state == "approved"
    for name in ("dora", "oscar", "sam"):
        page = signed_in(acme.members[name]).get("/")
        assert "The glass is broken" in text(page)
        assert "Ann Okafor: The house <floods>." in text(page)
    assert "Ann Okafor broke the glass" in text(signed_in(acme.amir).get(address))
    with later(minutes=6):
        assert "The glass is broken" not in text(ann.get("/"))
    assert findings() == []


def test_what_it_released_is_not_said_to_have_ended_by_itself(acme: Company, asked: Request) -> None:
    ann = signed_in(acme.ann)
    prove(ann)
    ann.post(f"/approvals/{asked.pk}/break-glass/now", form(asked))
    listed = text(ann.get("/break-glass"))
    assert "By Ann Okafor Broken just now Until" in listed
    assert "what is open does when it is over" in listed
    past, inbox = text(ann.get("/approvals/history?outcome=approved")), text(ann.get("/approvals"))
    assert "Released over the approvers' heads" in past
    assert "Ended by itself" not in past
    assert "Glass was broken" in inbox


def test_what_was_typed_wrong_is_shown_letter_by_letter(acme: Company, asked: Request) -> None:
    ann = signed_in(acme.ann)
    prove(ann)
    wrong = asked.target.replace("o", "\u043e", 1)
    answer = ann.post(f"/approvals/{asked.pk}/break-glass/now", form(asked, target=wrong))
    assert answer.status_code == 422
    assert "CYRILLIC SMALL LETTER O in place of LATIN SMALL LETTER O" in text(answer)
    assert acme.stored(asked).state == "pending"


def test_it_is_reviewed_by_somebody_else_and_counted_until_then(acme: Company, asked: Request) -> None:
    ann, amir = signed_in(acme.ann), signed_in(acme.amir)
    prove(ann)
    ann.post(f"/approvals/{asked.pk}/break-glass/now", form(asked))
    glass = broken(acme)
    assert ann.post(f"/break-glass/{glass.pk}/close", {"idempotency_key": "c"}).status_code == 303
    assert "to be reviewed" in text(amir.get("/"))
    sent = {"justified": "no", "text": "It could have waited.", "idempotency_key": "r"}
    assert ann.post(f"/break-glass/{glass.pk}/review", sent).status_code == 403
    assert "Another approver or an administrator" in text(ann.get("/break-glass"))
    for _ in range(2):
        assert amir.post(f"/break-glass/{glass.pk}/review", sent).status_code == 303
    assert "Not justified says Amir Saleh" in text(ann.get("/break-glass"))
    assert findings() == []


def test_strangers_other_tenants_and_who_may_not(acme: Company, globex: Company, asked: Request) -> None:
    cara = signed_in(globex.cara)
    address = f"/approvals/{asked.pk}/break-glass"
    assert Client().get(address)["Location"].startswith("/accounts/login/")
    assert Client().post(f"{address}/now")["Location"].startswith("/accounts/login/")
    assert cara.get(address).status_code == 404
    assert cara.post(f"{address}/now", form(asked)).status_code == 404
    for name in ("oscar", "ben"):
        browser = signed_in(acme.members[name])
        prove(browser)
        assert "The policy lets only finance and admins" in text(browser.get(address))
        assert browser.post(f"{address}/now", form(asked)).status_code == 403
    assert acme.stored(asked).state == "pending"
    enforced = signed_in(acme.ann, enforce_csrf_checks=True)
    assert enforced.post(f"{address}/now", form(asked)).status_code == 403
    assert enforced.get(f"{address}/now").status_code == 405


def test_a_decision_that_needs_a_proof_comes_back_to_the_card_with_what_was_typed(acme: Company) -> None:
    put_in_force(acme.by, load(ALSO.replace("break_glass:", "step_up: {within_seconds: 300}, break_glass:")))
    asked = acme.request(acme.propose(acme.run(), amount="2000.00"))
    ann, address = signed_in(acme.ann), f"/approvals/{asked.pk}"
    sent = {
        "verdict": "approve", "reason": "Seen & counted.",
        "shown_digest": asked.subject_digest.hex(), "idempotency_key": "k", "read": "yes",
    }  # fmt: skip
    refused = ann.post(f"{address}/decide", sent)
    assert (refused.status_code, refused["Location"][:23]) == (303, "/accounts/prove/?next=%2"[:23])
    assert acme.stored(asked).state == "pending"
    prove(ann, address)
    back = ann.get(address)
    assert "You confirmed" in text(back)
    assert "Seen &amp; counted." in back.content.decode()
    assert ann.post(f"{address}/decide", sent).status_code == 303
    assert "1 of 2" in text(ann.get(f"{address}?receipt=k"))
