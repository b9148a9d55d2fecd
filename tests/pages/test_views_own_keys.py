"""A member's own keys: made, shown once, seen in use and ended on a page of their own; an administrator sees and ends them too."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from console.identity.models import ApiKey
from tests.api.desk import Caller
from tests.cast import Company, inside, signed_in
from tests.pages.browsing import text, walk
from tests.pages.proving import prove
from tests.record import findings, told

SECRET = r'<code class="secret-text"[^>]*>([^<]+)</code>'
FORM = {"name": "the queue on the wall", "days": "30", "scopes": ["recovery:read", "recovery:write"]}


@pytest.fixture
def oscar(acme: Company) -> Client:
    """The browser of the operator."""
    browser = signed_in(acme.oscar)
    prove(browser)
    return browser


def make(browser: Client, **form: Any) -> Any:
    """Send the form that makes a key."""
    return browser.post("/keys/make", {"idempotency_key": f"k-{uuid4()}", **FORM, **form})


def secret(answer: Any) -> str:
    """Give the key that is shown."""
    return str(re.findall(SECRET, answer.content.decode())[0])


def let_in(key: str) -> bool:
    """Tell whether a key is alive; the door of the runs tells a live one that it is of the wrong kind."""
    return Caller(key).get("runs").code == "wrong_kind_of_key"


def stored() -> ApiKey:
    """Read the one key that there is."""
    with inside():
        return ApiKey.objects.get()


def test_a_key_is_made_shown_once_seen_in_use_and_ended(acme: Company, oscar: Client) -> None:
    assert 'href="/keys"' in oscar.get("/").content.decode()
    assert "You have no key." in text(oscar.get("/keys"))
    answer = make(oscar, idempotency_key="the-form")
    assert answer["Cache-Control"] == "no-store"
    key = secret(answer)
    assert "not yet" in text(answer)
    assert let_in(key)
    again = make(oscar, idempotency_key="the-form")
    assert key not in again.content.decode()
    assert "is kept nowhere" in text(again)
    page = oscar.get("/keys")
    assert key not in page.content.decode()
    assert f"{key[:10]}… the queue on the wall recovery:read, recovery:write" in text(page)
    assert "not yet" not in text(page)
    ended = oscar.post("/keys/revoke", {"api_key": str(stored().pk), "idempotency_key": "end-it"})
    assert ended.status_code == 303
    assert "Revoked" in text(oscar.get(ended["Location"]))
    assert not let_in(key)
    assert findings() == []


def test_everybody_has_only_their_own_keys_here(acme: Company, oscar: Client) -> None:
    key = secret(make(oscar))
    ann = signed_in(acme.ann)
    assert key[:10] not in ann.get("/keys").content.decode()
    assert ann.post("/keys/revoke", {"api_key": str(stored().pk), "idempotency_key": "k"}).status_code == 404
    assert oscar.post("/keys/revoke", {"api_key": "x", "idempotency_key": "k"}).status_code == 404
    assert let_in(key)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"days": "0"}, "from 1 to 366 days"), ({"days": "367"}, "from 1 to 366 days"), ({"days": "²"}, "from 1 to 366 days"),
        ({"scopes": []}, "from 1 to 366 days"), ({"scopes": ["all"]}, "from 1 to 366 days"),
        ({"scopes": ["runs:write"]}, "The scope runs:write is not for the key of a member"), ({"name": " "}, "1 to 63 characters"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_and_stays_in_the_form(oscar: Client, form: dict[str, Any], said: str) -> None:
    answer = make(oscar, **form)
    assert answer.status_code == 422
    assert said in text(answer)
    assert "secret-text" not in answer.content.decode()
    assert f'value="{form.get("days", "30")}"' in answer.content.decode()


def test_an_administrator_sees_and_ends_the_keys_of_a_person(acme: Company, globex: Company, oscar: Client) -> None:
    key = secret(make(oscar))
    dora = signed_in(acme.dora)
    address = f"/people/{acme.oscar.pk}"
    page = dora.get(address)
    assert f"{key[:10]}… the queue on the wall" in text(page)
    assert f"Issued the key {key[:10]}…, for recovery:read and recovery:write. Oscar Wren" in text(page)
    form = {"api_key": str(stored().pk), "idempotency_key": "k"}
    assert signed_in(acme.ann).post(f"{address}/revoke", form).status_code == 403
    assert signed_in(globex.cara).post(f"{address}/revoke", form).status_code == 404
    assert dora.post(f"/people/{acme.ann.pk}/revoke", {**form, "idempotency_key": "other"}).status_code == 404
    assert let_in(key)
    assert dora.post(f"{address}/revoke", form).status_code == 303
    assert not let_in(key)
    assert f"Revoked the key {key[:10]}…. Dora Lindqvist" in text(dora.get(address))
    assert findings() == []


def test_an_auditor_sees_the_keys_of_a_person_and_ends_none(acme: Company, oscar: Client) -> None:
    key = secret(make(oscar))
    dora = signed_in(acme.dora)
    dora.post(f"/people/{acme.ann.pk}/change", {"roles": ["auditor"], "groups": "", "idempotency_key": "k"})
    page = signed_in(acme.ann).get(f"/people/{acme.oscar.pk}").content.decode()
    assert key[:10] in page
    assert "/revoke" not in page


def test_a_key_is_in_no_log_and_not_in_the_record(
    acme: Company, oscar: Client, caplog: pytest.LogCaptureFixture
) -> None:
    key = secret(make(oscar))
    assert let_in(key)
    assert key not in caplog.text
    assert key not in str(told(f"tenant:{acme.tenant.pk}"))


def test_a_long_list_is_read_page_by_page(acme: Company, oscar: Client) -> None:
    with inside():
        ApiKey.objects.bulk_create(
            ApiKey(
                tenant=acme.tenant, member=acme.oscar, prefix=f"cf_{number:07}", digest=bytes([number]) * 32, expires_at="2100-01-01T00:00Z"
            )
            for number in range(60)
        )  # fmt: skip
    every = sorted(f"cf_{number:07}" for number in range(60))
    assert sorted(walk(oscar, "/keys", r"<code>(cf_\d+)…</code>")) == every
    dora = signed_in(acme.dora)
    assert sorted(walk(dora, f"/people/{acme.oscar.pk}", r"<code>(cf_\d+)…</code>")) == every


def test_a_form_needs_its_token_and_is_no_page(acme: Company) -> None:
    browser = signed_in(acme.oscar, enforce_csrf_checks=True)
    for deed in ("make", "revoke"):
        assert browser.post(f"/keys/{deed}", {"idempotency_key": "k"}).status_code == 403
        assert browser.get(f"/keys/{deed}").status_code == 405
    assert browser.get(f"/people/{acme.oscar.pk}/revoke").status_code == 405


def test_it_is_made_after_a_proof_and_what_was_typed_is_there_still(acme: Company) -> None:
    """The form leads to the proof and from there back, with and without JavaScript; a key is made by sending it again."""
    browser = signed_in(acme.oscar)
    form = {**FORM, "idempotency_key": "the-form"}
    asked = browser.post("/keys/make", form, headers={"HX-Request": "true"})
    assert (asked.status_code, asked["HX-Redirect"]) == (403, "/accounts/prove/?next=%2Fkeys")
    asked = browser.post("/keys/make", {**form, "name": "the wall & more"})
    assert (asked.status_code, asked["Location"]) == (303, "/accounts/prove/?next=%2Fkeys")
    there = browser.get(asked["Location"])["Location"]
    assert there == "/accounts/prove/password/?next=%2Fkeys"
    assert "You confirmed" not in text(browser.get("/keys"))
    assert prove(browser, "/keys")["Location"] == "/keys"
    page = browser.get("/keys")
    assert "You confirmed" in text(page)
    assert 'value="the wall &amp; more"' in page.content.decode()
    assert secret(browser.post("/keys/make", form))
    assert "the wall &amp; more" not in browser.get("/keys").content.decode()
