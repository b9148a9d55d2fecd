"""Signals as a page: what is kept, what came too late and what was taken; and beside the run that they belong to."""

import pytest
from django.test import Client
from uuid_utils.compat import uuid7

from runs.models import Run
from runs.signals import receiving
from runs.signals.drafts import SignalDraft
from runs.waits import opening
from runs.waits.drafts import WaitDraft
from tests.cast import Company, signed_in
from tests.pages.browsing import text, walk


@pytest.fixture
def oscar(acme: Company) -> Client:
    """The browser of an operator."""
    return signed_in(acme.oscar)


def send(
    acme: Company, correlation: str = "order 1042", body: str = "It came.", name: str = "customer-replied"
) -> None:
    receiving.send(acme.bot, SignalDraft(name, correlation, {"text": body}), key=f"signal-{uuid7()}")


def a_run_that_heard(acme: Company, *, ended: bool = False) -> Run:
    """Have a run whose wait took a signal, and one that came too late for it."""
    run = acme.run("Answer the customer")
    draft = WaitDraft("signal", {"name": "customer-replied", "correlation": "order 1042"}, name="reply")
    opening.open(acme.bot, run.pk, epoch=run.epoch, draft=draft, key=f"wait-{uuid7()}")
    send(acme)
    if ended:
        acme.complete(run)
        send(acme, body="Too late <b>now</b>.")
    return run


def test_nothing_is_kept_to_begin_with(oscar: Client) -> None:
    assert "Nothing is kept for a wait." in text(oscar.get("/signals"))


def test_what_is_kept_stands_there_with_what_it_is_about_and_until_when(acme: Company, oscar: Client) -> None:
    send(acme)
    page = text(oscar.get("/signals"))
    assert "customer-replied about order 1042" in page
    assert "Kept for a wait" in page
    assert "days left" in page
    assert "refund-bot" in page


def test_each_state_has_its_list(acme: Company, oscar: Client) -> None:
    a_run_that_heard(acme, ended=True)
    assert "Nothing is kept for a wait." in text(oscar.get("/signals"))
    assert "The run had ended, or was ending." in text(oscar.get("/signals?state=late"))
    assert "Answer the customer" in text(oscar.get("/signals?state=taken"))
    assert text(oscar.get("/signals?state=all")).count("customer-replied") == 2
    assert "Nothing was let go." in text(oscar.get("/signals?state=expired"))
    assert oscar.get("/signals?state=lost").status_code == 400


def test_a_run_tells_of_its_signals_and_hides_no_markup(acme: Company, oscar: Client) -> None:
    run = a_run_that_heard(acme, ended=True)
    answer = oscar.get(f"/runs/{run.pk}")
    page = text(answer)
    assert "by the wait reply" in page
    assert "Too late" in page
    assert "<b>now</b>" not in answer.content.decode()
    assert "&lt;b&gt;now" in answer.content.decode()


def test_a_run_that_heard_nothing_has_no_such_part(acme: Company, oscar: Client) -> None:
    assert 'id="signals"' not in oscar.get(f"/runs/{acme.run().pk}").content.decode()


def test_a_long_list_is_walked_by_its_links(acme: Company, oscar: Client) -> None:
    for number in range(60):
        send(acme, f"order {number}")
    found = walk(oscar, "/signals", r"about (order \d+)<")
    assert found == [f"order {number}" for number in reversed(range(60))]


def test_another_tenants_members_see_nothing(acme: Company, globex: Company) -> None:
    send(acme)
    assert "Nothing is kept for a wait." in text(signed_in(globex.cara).get("/signals"))


def test_the_list_alone_is_refreshed(acme: Company, oscar: Client) -> None:
    send(acme)
    part = oscar.get("/signals?part=list", headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="list"')
    assert "customer-replied" in part
