"""The inbox, a decision and the use of an approval ask as many questions of the database at three hundred pending as at ten."""

from collections.abc import Callable
from functools import partial
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from approvals.deciding import voting
from approvals.models import Request
from runs import intake
from runs.drafts import EffectDraft
from runs.models import Run
from runs.pausing import alone
from tests.approvals.test_alone import PAY
from tests.cast import MORE, Company, inside, signed_in

FEW, MANY = 10, 300


def pend(company: Company, run: Run, how_many: int) -> list[Request]:
    """Have so many refunds wait for finance, and give their requests."""
    drafts = [EffectDraft(f"refund-{uuid4()}", "refund", {**MORE["refund"], "order": str(n)}) for n in range(how_many)]
    intake.propose(company.bot, run.pk, drafts, epoch=run.epoch)
    with inside():
        return list(Request.objects.filter(state="pending").order_by("decide_by", "id"))


def statements(act: Callable[[], object]) -> int:
    """Count what it asks of the database."""
    with CaptureQueriesContext(connections["default"]) as captured:
        act()
    return len(captured)


def decide(browser: Client, request: Request) -> None:
    """Approve as the card's form does."""
    form = {
        "verdict": "approve", "shown_digest": request.subject_digest.hex(), "reason": "", "idempotency_key": str(uuid4()),
        "has_read": "1",
    }  # fmt: skip
    assert browser.post(f"/approvals/{request.pk}/decide", form).status_code == 303


def use(company: Company) -> int:
    """Count what the use of an approval that stands alone takes."""
    made = alone.ask_alone(company.bot, PAY, key=f"key-{uuid4()}")
    with inside():
        request = Request.objects.get(pk=made["approval"])
    digest = request.subject_digest.hex()
    voting.approve(company.actor("ann"), request.pk, shown_digest=digest, reason="", key=f"key-{uuid4()}")
    return statements(lambda: alone.consume(company.bot, request.pk, digest=digest, key=f"key-{uuid4()}"))


@pytest.fixture
def few_and_many(acme: Company) -> tuple[dict[str, int], dict[str, int]]:
    """What each takes with ten pending, and with three hundred."""
    run, browser = acme.run(), signed_in(acme.ann)
    found = []
    pending = 0
    for number in (FEW, MANY):
        requests = pend(acme, run, number - pending)
        browser.get("/approvals")
        found.append(
            {
                "inbox": statements(lambda: browser.get("/approvals")),
                "decision": statements(partial(decide, browser, requests[0])),
                "use": use(acme),
            }
        )
        pending = number - 1
    return found[0], found[1]


def test_more_pending_ask_no_more_questions(few_and_many: tuple[dict[str, int], dict[str, int]]) -> None:
    few, many = few_and_many
    assert few == many
    assert few["use"] <= 20, few
