"""Pauses on the pages: made and lifted without JavaScript, and seen by everybody on every page (R-J, R-N4)."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from runs.models import Pause, Run
from runs.pausing import pausing
from runs.pausing.pausing import Subject
from tests.cast import Company, inside, shown, signed_in, work
from tests.pages.browsing import HTMX, text

WHY = "The bank counts twice."


def pause(browser: Client, what: str, **form: str) -> Any:
    """Send the form that pauses something."""
    return browser.post(
        "/pauses/pause", {"what": what, "reason": WHY, "idempotency_key": str(uuid4()), **form}, follow=True
    )


def lift(browser: Client, standing: Pause, **form: str) -> Any:
    """Send the form that lifts a pause."""
    sent = {"pause": str(standing.pk), "reason": "Right again.", "idempotency_key": str(uuid4()), **form}
    return browser.post("/pauses/lift", sent, follow=True)


def stands(acme: Company) -> list[Pause]:
    """Give the pauses that stand."""
    with inside(acme.tenant.pk):
        return list(Pause.objects.filter(lifted_at=None).select_related("run").order_by("paused_at"))


@pytest.fixture
def oscar(acme: Company) -> Client:
    """An operator's browser."""
    return signed_in(acme.oscar)


@pytest.fixture
def dora(acme: Company) -> Client:
    """An administrator's browser."""
    return signed_in(acme.dora)


PAGES = (
    "/", "/approvals", "/tasks", "/unknown", "/runs", "/notices", "/contracts", "/agents", "/pauses", "/keys", "/nowhere",
)  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_an_emergency_stop_stands_on_every_page_of_everybody(acme: Company, dora: Client, page: str) -> None:
    pause(dora, "tenant", emergency="yes")
    for name in ("ann", "dora"):
        said = text(signed_in(acme.members[name]).get(page))
        assert "Emergency stop." in said
        assert WHY in said


def test_what_is_paused_in_part_is_named_to_everybody(acme: Company, oscar: Client) -> None:
    run = acme.run()
    for what in ("operation:refund", "run_type:customer-case", f"run:{run.pk}"):
        pause(oscar, what)
    said = text(signed_in(acme.ann).get("/"))
    assert "Paused: run type customer-case · operation refund · 1 run" in said


def test_a_run_is_paused_and_lifted_on_its_own_page(acme: Company, oscar: Client) -> None:
    run = acme.run()
    acme.propose(run, "lookup")
    address = f"/runs/{run.pk}"
    assert "Pause this run" in text(oscar.get(address))
    answer = pause(oscar, f"run:{run.pk}", here=address)
    assert answer.redirect_chain == [(f"{address}#pauses", 303)]
    assert "This run nothing more begins" in text(answer)
    work()
    assert "ready" in text(oscar.get(address)).lower()
    lifted = lift(oscar, stands(acme)[0], here=address)
    assert "Lifted the pause" in text(lifted)
    assert stands(acme) == []


def test_a_contract_page_pauses_its_operation_and_its_run_type(acme: Company, oscar: Client) -> None:
    for kind, scope, name, button in (
        ("operation", "operation", "refund", "Pause this operation"),
        ("run-type", "run_type", "customer-case", "Pause runs of this type"),
    ):
        address = f"/contracts/{kind}/{name}"
        assert button in text(oscar.get(address))
        pause(oscar, f"{scope}:{name}", here=address)
        assert button not in text(oscar.get(address))
    assert [(found.scope, found.name) for found in stands(acme)] == [
        ("operation", "refund"),
        ("run_type", "customer-case"),
    ]


def test_whoever_may_not_pause_sees_what_stands_and_no_form(acme: Company, dora: Client) -> None:
    run = acme.run()
    pause(dora, f"run:{run.pk}")
    pause(dora, "tenant", emergency="yes")
    ann = signed_in(acme.ann)
    for address in ("/pauses", f"/runs/{run.pk}", "/contracts/operation/refund"):
        said = ann.get(address).content.decode()
        assert "/pauses/pause" not in said
        assert "/pauses/lift" not in said
    assert "An administrator lifts it." in text(ann.get("/pauses"))
    assert "An operator lifts it." in text(ann.get("/pauses"))
    assert pause(ann, "operation:refund").status_code == 403
    assert lift(ann, stands(acme)[0]).status_code == 403


def test_an_operator_has_no_form_for_everything_and_is_refused(acme: Company, oscar: Client) -> None:
    assert "Stop everything" not in text(oscar.get("/pauses"))
    assert pause(oscar, "tenant", emergency="yes").status_code == 403
    assert stands(acme) == []


def test_a_refused_form_keeps_what_was_written(acme: Company, oscar: Client) -> None:
    answer = pause(oscar, "operation:refund", reason=" ")
    assert (answer.status_code, "Nothing was changed." in text(answer)) == (422, True)
    assert '<option value="operation:refund" selected>' in answer.content.decode()


@pytest.mark.parametrize("what", ["", "run:", "run:x", "everything", "operation", "tenant:x"])
def test_a_form_that_names_nothing_is_refused(acme: Company, dora: Client, what: str) -> None:
    assert pause(dora, what).status_code == 422
    assert stands(acme) == []


def test_a_stranger_finds_no_pause(acme: Company, globex: Company, oscar: Client) -> None:
    pause(oscar, "operation:refund")
    cara = signed_in(globex.cara)
    assert "refund" not in text(cara.get("/pauses")).partition("Lifted")[0].partition("Nothing is paused.")[0]
    assert lift(cara, stands(acme)[0]).status_code == 404


def test_a_form_that_was_sent_twice_paused_once(acme: Company, oscar: Client) -> None:
    for _ in range(2):
        assert pause(oscar, "operation:refund", idempotency_key="once").status_code == 200
    assert len(stands(acme)) == 1


def test_what_was_lifted_is_told_with_who_and_why(acme: Company, oscar: Client) -> None:
    pause(oscar, "operation:refund")
    lift(oscar, stands(acme)[0])
    said = text(oscar.get("/pauses"))
    assert "Nothing is paused." in said
    assert all(word in said for word in (WHY, "Right again.", "Oscar Wren"))


def test_an_approval_during_an_emergency_says_why_it_does_not_count(acme: Company, dora: Client) -> None:
    effect = acme.propose(acme.run())
    pausing.pause(acme.actor("dora"), Subject("tenant", emergency=True), reason=WHY, key="stop")
    form = {
        "verdict": "approve",
        "shown_digest": shown(effect),
        "reason": "",
        "read": "yes",
        "idempotency_key": str(uuid4()),
    }
    answer = signed_in(acme.ann).post(f"/approvals/{effect.request_id}/decide", form, follow=True)
    assert answer.status_code == 409
    assert "nothing is approved until an administrator lifts the emergency stop" in text(answer)
    assert acme.request(effect).state == "pending"


@pytest.mark.parametrize(
    ("attention", "said"),
    [
        ("stalled", "Nothing will wake it"), ("decision", "A person decides how it goes on"), ("quarantined", "It is set aside"),
        ("exhausted", "A budget ran out"), ("overdue_wait", "It waits in vain"),
        ("late", "Something came after it had ended"), ("later_word", "It needs somebody: later word"),
    ],
)  # fmt: skip
def test_home_names_a_run_that_needs_somebody_and_why(acme: Company, attention: str, said: str) -> None:
    run = acme.run("A lonely run")
    with inside(acme.tenant.pk):
        Run.objects.filter(pk=run.pk).update(
            attention=attention, attention_since=run.created_at, attention_reason="It is so."
        )
    ann = signed_in(acme.ann)
    for address in ("/", "/runs?state=needs", f"/runs/{run.pk}"):
        page = text(ann.get(address))
        assert said in page
        assert "It is so." in page
        assert "A lonely run" in page
    assert re.search(r"1 run needs someone", text(ann.get("/")))


def test_a_page_that_stands_open_asks_for_the_banner_and_gets_it_when_something_changed(
    acme: Company, dora: Client
) -> None:
    browser = signed_in(acme.ann)
    address = re.search(r'id="stopped" data-watch hx-get="([^"]+)"', browser.get("/account").content.decode())
    assert address is not None
    place = address[1].replace("&amp;", "&")
    assert browser.get(place, headers=HTMX).status_code == 204
    pause(dora, "tenant", emergency="yes")
    news = browser.get(place, headers=HTMX)
    assert (news.status_code, "Emergency stop." in text(news), WHY in text(news)) == (200, True, True)
    assert "<html" not in news.content.decode()
    again = re.search(r'hx-get="([^"]+)"', news.content.decode())
    assert again is not None
    assert browser.get(again[1].replace("&amp;", "&"), headers=HTMX).status_code == 204
    lift(dora, stands(acme)[0])
    assert "Emergency stop." not in text(browser.get(again[1].replace("&amp;", "&"), headers=HTMX))
