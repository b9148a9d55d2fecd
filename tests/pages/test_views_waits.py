"""What a run waits for on its page, and the form that has it go on."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from runs.models import Run
from runs.waits import opening
from runs.waits.drafts import WaitDraft
from tests.cast import Company, inside, later, signed_in
from tests.pages.browsing import text
from tests.work import sweep

SIGNAL = WaitDraft("signal", {"name": "parcel-back", "correlation": "order-4711"}, name="parcel", expires_seconds=600)


@pytest.fixture
def waiting(acme: Company) -> Run:
    """A run that waits for a parcel, or for an hour."""
    run = acme.run("Make order 4711 right")
    hour = WaitDraft("timer", {"after_seconds": 3600}, name="hour", parks=False)
    opening.open_together(acme.bot, run.pk, epoch=run.epoch, drafts=[SIGNAL, hour], key=f"wait-{uuid4()}")
    return acme.read(Run, run.pk)


def go_on(browser: Client, run: Run, **form: Any) -> Any:
    """Send the form."""
    return browser.post(f"/runs/{run.pk}/go-on", {"idempotency_key": f"k-{uuid4()}", "reason": "It was lost.", **form})


def test_a_run_says_why_it_waits_until_when_and_what_follows_then(acme: Company, waiting: Run) -> None:
    page = text(signed_in(acme.ann).get(f"/runs/{waiting.pk}"))
    assert "Why is this waiting? 2" in page
    assert "For a signal “parcel-back”, about order-4711, since" in page
    assert "operators are told, and the run waits on." in page
    assert "Have it go on without" not in page, "ann is no operator"


def test_a_run_that_never_waited_says_nothing_of_it(acme: Company) -> None:
    page = text(signed_in(acme.ann).get(f"/runs/{acme.run('Now').pk}"))
    assert "waiting?" not in page
    assert "waited for" not in page


def test_an_operator_has_it_go_on_with_a_reason_and_the_story_tells(acme: Company, waiting: Run) -> None:
    oscar = signed_in(acme.oscar)
    assert f'href="/runs/{waiting.pk}/wake"' in oscar.get(f"/runs/{waiting.pk}").content.decode()
    assert "Reason" in text(oscar.get(f"/runs/{waiting.pk}/wake"))
    answer = go_on(oscar, waiting, idempotency_key="the-form")
    assert (answer.status_code, answer["Location"]) == (303, f"/runs/{waiting.pk}#waits")
    assert go_on(oscar, waiting, idempotency_key="the-form").status_code == 303, "sent twice, it is done once"
    page = text(oscar.get(f"/runs/{waiting.pk}"))
    assert "Had the run go on without what it waited for: It was lost." in page
    assert "It is not waited for any more: a person had the run go on." in page


@pytest.mark.parametrize(
    ("who", "form", "status", "says"),
    [
        ("ann", {}, 403, "An operator has a run go on that waits."), ("oscar", {"reason": " "}, 422, "Say why."),
        ("oscar", {"idempotency_key": ""}, 400, "The form came without its key; send it again from here."),
        ("oscar", {"reason": "x" * 2001}, 422, "2,000"),
    ],
)  # fmt: skip
def test_what_is_refused_is_said_and_keeps_what_was_typed(
    acme: Company, waiting: Run, who: str, form: dict[str, str], status: int, says: str
) -> None:
    answer = go_on(signed_in(getattr(acme, who)), waiting, **form)
    assert answer.status_code == status
    assert says in text(answer)
    with inside():
        assert Run.objects.get(pk=waiting.pk).state == "waiting"


def test_a_run_that_does_not_wait_is_not_sent_on_and_a_strangers_is_not_found(acme: Company, waiting: Run) -> None:
    oscar = signed_in(acme.oscar)
    awake = acme.run("Now")
    assert go_on(oscar, awake).status_code == 409
    assert "It does not wait." in text(oscar.get(f"/runs/{awake.pk}/wake"))
    assert go_on(oscar, Run(pk=uuid4())).status_code == 404
    assert oscar.get(f"/runs/{waiting.pk}/go-on").status_code == 405
    assert oscar.post(f"/runs/{waiting.pk}/wake").status_code == 405


def test_what_did_not_come_is_called_for_and_how_late_a_time_was_is_shown(acme: Company, waiting: Run) -> None:
    with later(hours=2):
        sweep()
        page = text(signed_in(acme.oscar).get(f"/runs/{waiting.pk}"))
    assert "It waits in vain: what it waits for (parcel) did not come in its time." in page
    assert "s after its time." in page


def test_the_list_of_runs_says_what_each_waits_for_in_as_many_statements_for_many_as_for_one(acme: Company) -> None:
    oscar = signed_in(acme.oscar)
    asked = []
    for more in (1, 4):
        for number in range(more):
            run = acme.run(f"Wait {more} {number}")
            drafts = [
                WaitDraft("signal", {"name": "paid", "correlation": f"{more}-{number}"}, name="paid"),
                WaitDraft("signal", {"name": "sent", "correlation": f"{more}-{number}"}, name="sent"),
            ]
            opening.open_together(acme.bot, run.pk, epoch=run.epoch, drafts=drafts, key=f"wait-{uuid4()}")
        with CaptureQueriesContext(connections["default"]) as found:
            page = text(oscar.get("/runs"))
        assert page.count("for a signal “paid”, or another") == more + (more > 1)
        asked.append(len(found))
    assert asked[0] == asked[1]
