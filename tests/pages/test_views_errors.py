"""What cannot be shown or done has a page in the same design, with the reason and a way on; below the API's address it is a problem."""

import asyncio
from typing import Any

import pytest
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError
from django.test import Client, RequestFactory

from console.http.parsing import LARGEST_BODY
from console.http.size import limited
from console.pages import errors
from tests.cast import PASSWORD, Company, signed_in
from tests.pages.browsing import text

HERE = "http://testserver"


def test_every_error_is_a_page_in_the_same_design(acme: Company) -> None:
    ann = signed_in(acme.ann)
    for answer, status, words in (
        (ann.get("/nowhere"), 404, "Not here"),
        (ann.get("/runs?state=nothing"), 400, "Not understood"),
        (ann.get("/people"), 403, "Not yours to see or do"),
        (ann.post("/runs"), 405, "Not done this way"),
    ):
        page = answer.content.decode()
        assert answer.status_code == status
        assert f'<h1 class="lead">{words}</h1>' in page
        assert f'<p class="code">{status}</p>' in page
        assert 'href="/">Home</a>' in page
        assert answer["Cache-Control"] == "no-store"


def test_an_error_leads_back_to_where_somebody_came_from(acme: Company) -> None:
    ann = signed_in(acme.ann)
    for came_from, back in {
        f"{HERE}/runs?state=open": 'href="/runs?state=open"',
        "https://evil.example/runs": "",
        f"{HERE}/nowhere": "",
        "": "",
    }.items():
        page = ann.get("/nowhere", headers={"Referer": came_from}).content.decode()
        assert ("Back to where you were" in page) == bool(back), came_from
        assert back in page
        assert "evil" not in page


def test_below_the_apis_address_an_error_is_a_problem() -> None:
    answer = Client().get("/api/v1/nowhere")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    for path, kind in (("/api/v1/runs", "application/problem+json"), ("/people/add", "text/html; charset=utf-8")):
        asked = RequestFactory().post(path)
        large = errors.bad_request(asked, RequestDataTooBig())
        assert (large.status_code, large["Content-Type"]) == (413, kind)


@pytest.mark.parametrize(("path", "words"), [("/people/add", "<h1"), ("/api/v1/runs", '"code":"too_large"')])
def test_what_is_too_large_is_refused_at_the_edge_in_the_manner_of_the_address(path: str, words: str) -> None:
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("it gets no further")

    async def send(message: Any) -> None:
        sent.append(message)

    length = str(LARGEST_BODY + 1).encode()
    scope = {"type": "http", "path": path, "headers": [(b"content-length", length)]}
    asyncio.run(limited(app)(scope, None, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 413
    assert words in sent[1]["body"].decode()


def test_a_form_that_is_not_taken_says_why(acme: Company) -> None:
    browser = Client(enforce_csrf_checks=True)
    form = {"login": "ann@acme.example", "password": PASSWORD}
    assert "Your browser sent no cookie" in text(browser.post("/accounts/login/", form))
    browser.get("/accounts/login/")
    assert "signed in or out in another window" in text(browser.post("/accounts/login/", form))
    elsewhere = browser.post("/accounts/login/", form, headers={"Origin": "https://evil.example"})
    assert elsewhere.status_code == 403
    assert "sent from another site" in text(elsewhere)
    assert "Nothing was recorded" in text(elsewhere)
    assert elsewhere["Cache-Control"] == "no-store"


def test_a_host_that_is_not_ours_is_refused_and_not_repeated() -> None:
    answer = Client(raise_request_exception=False).get(
        "/", headers={"Host": "evil.example", "Referer": "http://evil.example/x"}
    )
    assert answer.status_code == 400
    assert "evil" not in answer.content.decode()


def test_an_error_is_no_dead_end_for_a_member(acme: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = signed_in(acme.ann)
    for answer in (ann.get("/nowhere"), ann.get("/people"), ann.post("/runs"), ann.get(f"/runs/{acme.tenant.pk}")):
        page = answer.content.decode()
        assert 'aria-label="Places"' in page, answer.status_code
        assert "Ann Okafor" in page
    stranger = Client().get("/nowhere").content.decode()
    assert 'aria-label="Places"' not in stranger

    def away(*_: object) -> None:
        raise DatabaseError

    monkeypatch.setattr("console.pages.errors.Nav", away)
    bare = ann.get("/nowhere")
    assert bare.status_code == 404
    assert 'aria-label="Places"' not in bare.content.decode()
