"""How a run would be resumed, on its page: nine checks, what was approved against what stands, versions; and what people decide there."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from runs.models import Run
from runs.resuming.facts import Asked
from runs.resuming.resume import resume
from tests import clock
from tests.cast import Company, signed_in
from tests.pages.browsing import HTMX, text
from tests.record import findings, kinds

LEASE = 61
VERSIONS = {"model": "m-1", "workflow": "w-1"}


@pytest.fixture
def oscar(acme: Company) -> Client:
    """The operator's browser."""
    return signed_in(acme.oscar)


def again(acme: Company, run: Run, **versions: str) -> dict[str, Any]:
    """Resume a run by another process."""
    asked = Asked("second", {**VERSIONS, **versions})
    return resume(acme.bot, run.pk, asked, key=f"k-{uuid4()}", epoch=acme.stored(run).epoch)


def send(browser: Client, run: Run, deed: str, **form: str) -> Any:
    """Send a form of the page."""
    return browser.post(f"/runs/{run.pk}/{deed}", {"idempotency_key": f"k-{uuid4()}", "reason": "Looked into.", **form})


def test_it_shows_the_nine_checks_and_changes_nothing(acme: Company, oscar: Client) -> None:
    run = acme.run()
    said = text(oscar.get(f"/runs/{run.pk}/resume"))
    for title in ("1. Checkpoint", "2. Ownership", "5. Permission", "6. Versions", "9. Decision"):
        assert title in said
    assert "unknown state" not in said.lower()
    assert acme.stored(run).ledger_seq == run.ledger_seq


def test_it_puts_what_was_approved_beside_what_stands(acme: Company, oscar: Client) -> None:
    run = acme.run()
    paid = acme.propose(run)
    acme.approve("ann", paid)
    acme.new_policy(2)
    said = text(oscar.get(f"/runs/{run.pk}/resume"))
    assert paid.summary in said
    assert "asked by money, version 1, now money, version 2" in said


def test_changed_versions_are_shown_and_accepted_with_a_reason(acme: Company, oscar: Client) -> None:
    run = acme.run()
    again(acme, run)
    again(acme, run, workflow="w-2")
    page = oscar.get(f"/runs/{run.pk}/resume")
    assert "workflow was w-1 and is w-2" in text(page)
    named = page.context["last"].pk
    assert send(oscar, run, "accept-versions", resumption=str(named), reason=" ").status_code == 422
    answer = send(oscar, run, "accept-versions", resumption=str(named))
    assert answer.status_code == 303
    assert "Accepted; a resume with these versions goes on" in text(oscar.get(answer["Location"]))
    assert send(oscar, run, "release").status_code == 303
    assert again(acme, run, workflow="w-2")["decision"] == "continue"
    assert findings() == []


def test_a_run_is_set_aside_and_released_once_however_often_the_form_is_sent(acme: Company, oscar: Client) -> None:
    run = acme.run()
    for _ in range(2):
        assert send(oscar, run, "set-aside", idempotency_key="aside").status_code == 303
    assert acme.stored(run).state == "quarantined"
    assert "It is set aside" in text(oscar.get(f"/runs/{run.pk}"))
    assert send(oscar, run, "set-aside").status_code == 409
    for _ in range(2):
        assert send(oscar, run, "release", idempotency_key="go").status_code == 303
    assert kinds(run.stream())[-2:] == ["run.quarantined", "quarantine.released"]


def test_who_may_not_decide_sees_no_form_and_is_refused(acme: Company, globex: Company) -> None:
    run = acme.run()
    ann, cara = signed_in(acme.ann), signed_in(globex.cara)
    assert "Set it aside" not in text(ann.get(f"/runs/{run.pk}/resume"))
    for deed in ("set-aside", "release", "accept-versions"):
        named = {"resumption": str(uuid4())}
        assert send(ann, run, deed, **named).status_code == 403
        assert send(cara, run, deed, **named).status_code == 404
        assert ann.get(f"/runs/{run.pk}/{deed}").status_code == 405
    assert cara.get(f"/runs/{run.pk}/resume").status_code == 404
    assert acme.stored(run).state == "running"


def test_the_checks_alone_are_refreshed(acme: Company, oscar: Client) -> None:
    run = acme.run()
    part = oscar.get(f"/runs/{run.pk}/resume?part=checks", headers=HTMX)
    assert b"<html" not in part.content
    assert b'id="checks"' in part.content


def test_an_ended_run_says_that_it_is_over(acme: Company, oscar: Client) -> None:
    run = acme.run()
    acme.complete(run, {"done": True})
    again(acme, run)
    said = text(oscar.get(f"/runs/{run.pk}/resume"))
    assert "this came too late and changes nothing" in said
    assert "Set it aside" not in said


def test_the_runs_page_tells_of_its_resumes(acme: Company, oscar: Client) -> None:
    run = acme.run()
    with clock.at(LEASE):
        again(acme, run)
        said = text(oscar.get(f"/runs/{run.pk}"))
    assert "How it would be resumed now" in said
