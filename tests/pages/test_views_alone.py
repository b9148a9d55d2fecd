"""What an agent asks and does by itself, on the pages: what it waits for, and what it said that became of it."""

import re
from uuid import UUID, uuid4

import pytest

from approvals.alone import outcomes
from approvals.deciding.voting import approve
from approvals.models import Request
from runs.pausing import alone
from tests.approvals.test_alone import PAY
from tests.cast import Company, signed_in
from tests.pages.browsing import text


@pytest.fixture
def asked(acme: Company) -> Request:
    """Something that finance has to approve, and the agent does by itself."""
    return acme.read(Request, UUID(alone.ask_alone(acme.bot, PAY, key="alone")["approval"]))


@pytest.fixture
def used(acme: Company, asked: Request) -> Request:
    """The same, approved and used."""
    digest = asked.subject_digest.hex()
    approve(acme.actor("ann"), asked.pk, shown_digest=digest, reason="", key=str(uuid4()))
    alone.consume(acme.bot, asked.pk, digest=digest, key=str(uuid4()))
    return asked


def test_home_says_who_does_it_where_no_run_waits(acme: Company, asked: Request) -> None:
    said = text(signed_in(acme.ann).get("/"))
    assert "refund-bot does it by itself once it is allowed." in said
    assert "The run “”" not in said


def test_the_card_says_that_nothing_was_told_and_what_follows(acme: Company, used: Request) -> None:
    said = text(signed_in(acme.ann).get(f"/approvals/{used.pk}"))
    assert "has not told yet what became of it" in said
    assert "it counts as unknown" in said
    assert "within 1 h of its start; else it counts as unknown" in said


@pytest.mark.parametrize(
    ("outcome", "word"),
    [("succeeded", "Succeeded"), ("failed", "Failed"), ("partial", "Partial"), ("unknown", "Unknown")],
)
def test_what_was_told_stands_on_the_card_in_the_inbox_and_in_the_history(
    acme: Company, used: Request, outcome: str, word: str
) -> None:
    outcomes.report(acme.bot, used.pk, outcome=outcome, detail="Receipt <77>.", key=str(uuid4()))
    ann = signed_in(acme.ann)
    card = text(ann.get(f"/approvals/{used.pk}"))
    assert re.search(rf"did it by itself\. What became of it, told just now ?: ?{word}", card)
    assert "Receipt <77>." in card
    assert ("may have happened or not" in card) is (outcome == "unknown")
    for address in (f"/approvals/{used.pk}", "/approvals", "/approvals/history"):
        said = text(ann.get(address))
        assert word in said, address
        assert "Unknown state" not in said, address
