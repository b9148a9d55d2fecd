"""Notices as pages: a member's own, marked as read by a press; where they go, for administrators."""

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from console.clock import DatabaseNow
from console.notices import posting
from console.notices.models import Copy, Delivery, Endpoint, Wishes
from tests.cast import Company, inside, signed_in
from tests.pages.browsing import text
from tests.record import findings

SECRET = r'<code class="secret-text"[^>]*>([^<]+)</code>'


@pytest.fixture
def dora(acme: Company) -> Client:
    """The browser of the administrator."""
    return signed_in(acme.dora)


@pytest.fixture
def oscar(acme: Company) -> Client:
    """The browser of an operator."""
    return signed_in(acme.oscar)


def post(acme: Company, title: str = "Unknown for 15 min: Refund 20.00 EUR", **more: Any) -> None:
    """Tell operators."""
    with inside(acme.tenant.pk):
        posting.post(
            acme.tenant.pk, "effect.overdue", about=None, title=title, text="Find out what became of it.", path="/unknown",
            to_roles=["operator"], key=f"k-{uuid4()}", **more,
        )  # fmt: skip


def send(browser: Client, path: str, **form: Any) -> Any:
    """Send a form."""
    return browser.post(path, {"idempotency_key": f"k-{uuid4()}", **form})


def add(browser: Client, url: str = "https://hooks.example/in", **form: Any) -> Any:
    """Send the form that adds an endpoint."""
    return send(browser, "/notices/endpoints/add", url=url, **form)


def endpoint() -> Endpoint:
    """Read the one endpoint."""
    with inside():
        return Endpoint.objects.get()


def here() -> str:
    """Give the address of the one endpoint's page."""
    return f"/notices/endpoints/{endpoint().pk}"


def test_a_notice_is_shown_to_whom_it_was_told_and_counted_until_it_is_read(acme: Company, oscar: Client) -> None:
    assert "You have not been told of anything." in text(oscar.get("/notices"))
    post(acme)
    page = oscar.get("/notices")
    assert (
        "New Unknown for 15 min: Refund 20.00 EUR Find out what became of it. Unknown for too long · told to operators"
        in text(page)
    )
    assert 'class="open" href="/unknown"' in page.content.decode()
    assert "Notices 1 not read" in text(oscar.get("/"))
    ann = signed_in(acme.ann)
    assert "You have not been told of anything." in text(ann.get("/notices"))
    assert "not read" not in text(ann.get("/"))


def test_reading_a_page_reads_nothing_and_a_press_does(acme: Company, oscar: Client) -> None:
    post(acme, "First")
    post(acme, "Second")
    with inside():
        first = Copy.objects.get(notice__title="First")
    for _ in range(2):
        assert "Notices 2 not read" in text(oscar.get("/notices"))
    assert oscar.post("/notices/read", {"notice": str(first.pk)})["Location"] == "/notices"
    assert "Notices 1 not read" in text(oscar.get("/notices"))
    with inside():
        last = Copy.objects.get(notice__title="Second")
    assert oscar.post("/notices/read", {"notice": str(last.pk), "all": "yes"}).status_code == 303
    assert "not read" not in text(oscar.get("/notices"))


def test_nobody_reads_for_another(acme: Company, globex: Company) -> None:
    post(acme)
    with inside():
        copy = Copy.objects.get()
    for member in (acme.ann, globex.cara):
        assert signed_in(member).post("/notices/read", {"notice": str(copy.pk)}).status_code == 404
    assert signed_in(acme.oscar).post("/notices/read", {"notice": "nothing"}).status_code == 404
    with inside():
        assert Copy.objects.get().read_at is None


def test_notices_come_by_pages(acme: Company, oscar: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.pages.notices.SHOWN", 2)
    for title in ("One", "Two", "Three"):
        post(acme, title)
    first = oscar.get("/notices")
    assert text(first).index("Three") < text(first).index("Two")
    (older,) = re.findall(r'rel="next" href="([^"]+)"', first.content.decode())
    second = text(oscar.get(older.replace("&amp;", "&")))
    assert "One" in second
    assert "Two" not in second


def test_mail_is_switched_off_and_on_and_said_to_be_missing(acme: Company, oscar: Client, settings: Any) -> None:
    assert "No e-mail is sent from this installation" in text(oscar.get("/notices"))
    settings.EMAIL_IS_SENT = True
    assert "Each notice is also sent to oscar@acme.example." in text(oscar.get("/notices"))
    assert oscar.post("/notices/mail", {"mail": "off"}).status_code == 303
    assert "You have no e-mail sent to you." in text(oscar.get("/notices"))
    post(acme)
    with inside():
        assert not Delivery.objects.exists()
        assert Wishes.objects.get().member_id == acme.oscar.pk
    assert oscar.post("/notices/mail", {"mail": "on"}).status_code == 303
    assert "Each notice is also sent" in text(oscar.get("/notices"))


def test_an_endpoint_is_added_and_its_secret_shown_once(acme: Company, dora: Client) -> None:
    assert "No endpoint yet." in text(dora.get("/notices/endpoints"))
    form = {"url": "https://hooks.example/in", "kinds": ["effect.overdue"], "idempotency_key": "the-form"}
    answer = dora.post("/notices/endpoints/add", form)
    (secret,) = re.findall(SECRET, answer.content.decode())
    assert secret.startswith("whsec_")
    again = dora.post("/notices/endpoints/add", form)
    assert secret not in again.content.decode()
    assert "The secret was shown when this was sent the first time." in text(again)
    assert secret not in dora.get(here()).content.decode()
    assert "https://hooks.example/in Active Unknown for too long" in text(dora.get("/notices/endpoints"))
    assert "Added, for effect.overdue." in text(dora.get(here()))
    refused = add(dora, "ftp://hooks.example/")
    assert (refused.status_code, 'value="ftp://hooks.example/"' in refused.content.decode()) == (422, True)
    assert findings() == []


def test_it_is_tried_changed_renewed_stopped_and_started(acme: Company, dora: Client) -> None:
    add(dora)
    assert "A test is on its way" in text(dora.get(send(dora, f"{here()}/try")["Location"]))
    assert "A test of this endpoint Test Waits" in text(dora.get(here()))
    assert send(dora, f"{here()}/change", kinds=["effect.escalated"]).status_code == 303
    assert endpoint().kinds == ["effect.escalated"]
    assert re.findall(SECRET, send(dora, f"{here()}/renew").content.decode())
    assert "Stopped" in text(dora.get(send(dora, f"{here()}/stop")["Location"]))
    assert send(dora, f"{here()}/try").status_code == 409
    assert send(dora, f"{here()}/start").status_code == 303
    assert endpoint().active
    assert findings() == []


def test_what_was_given_up_is_shown_with_the_last_answer_and_sent_again(
    acme: Company, dora: Client, settings: Any
) -> None:
    settings.EMAIL_IS_SENT = True
    add(dora)
    post(acme)
    with inside():
        Delivery.objects.update(
            state="dead", due_at=None, ended_at=DatabaseNow(), last_at=DatabaseNow(), last_outcome="refused", last_status=500,
            last_answer="<b>no</b>", sent_times=10,
        )  # fmt: skip
        ids = {each.channel: each.pk for each in Delivery.objects.all()}
    page = text(dora.get("/notices/endpoints"))
    assert page.count("500, refused") == 2
    assert "oscar@acme.example" in page
    assert "2 notices given up" in text(dora.get("/"))
    shown = dora.get(here())
    assert "&lt;b&gt;no&lt;/b&gt;" in shown.content.decode()
    answer = send(dora, "/notices/send-again", delivery=str(ids["webhook"]))
    assert "It is on its way again" in text(dora.get(answer["Location"]))
    with inside():
        assert Delivery.objects.get(pk=ids["webhook"]).state == "waiting"
    assert send(dora, "/notices/send-again", delivery=str(ids["webhook"])).status_code == 409
    assert send(dora, "/notices/send-again", delivery="nothing").status_code == 404


def test_where_notices_go_is_for_administrators_and_shown_to_auditors(
    acme: Company, globex: Company, dora: Client
) -> None:
    add(dora)
    for name in ("ann", "oscar"):
        browser = signed_in(acme.members[name])
        assert browser.get("/notices/endpoints").status_code == 403
        assert browser.get(here()).status_code == 403
        for deed in ("try", "change", "renew", "stop", "start"):
            assert send(browser, f"{here()}/{deed}").status_code == 403, deed
        assert add(browser).status_code == 403
        assert send(browser, "/notices/send-again", delivery=str(UUID(int=1))).status_code == 403
    assert signed_in(globex.cara).get(here()).status_code == 404
    assert send(signed_in(globex.cara), f"{here()}/stop").status_code == 404
    assert endpoint().active
