"""Agents and their keys: everybody sees who acts here; a key is shown once; a stop is one press, a start is the administrator's."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from console.identity.models import Agent, ApiKey
from tests.cast import Company, claim, follow, inside, signed_in
from tests.pages.browsing import text, walk
from tests.record import findings, kinds, told

ROW = r'<a class="open" href="/agents/([^"?]+)"'
SECRET = r'<code class="secret-text"[^>]*>([^<]+)</code>'


@pytest.fixture
def dora(acme: Company) -> Client:
    """The browser of the administrator."""
    return signed_in(acme.dora)


def send(browser: Client, acme: Company, deed: str, **form: Any) -> Any:
    """Send a form of the agent's page."""
    return browser.post(f"/agents/{acme.agent.pk}/{deed}", {"idempotency_key": f"k-{uuid4()}", **form})


def issue(browser: Client, acme: Company, **form: Any) -> Any:
    """Send the form that issues a key."""
    return send(browser, acme, "keys", **{"days": "30", "scopes": ["runs:read", "runs:write"], **form})


def secret(answer: Any) -> str:
    """Give the key that is shown."""
    return str(re.findall(SECRET, answer.content.decode())[0])


def let_in(key: str) -> int:
    """Come in with a key."""
    return Client().get("/api/v1/runs", headers={"Authorization": f"Bearer {key}"}).status_code


def test_everybody_sees_who_acts_here(acme: Company) -> None:
    for name in ("ann", "oscar", "dora"):
        browser = signed_in(acme.members[name])
        assert "refund-bot Active Ben Osei 0" in text(browser.get("/agents"))
        assert "answers for it" in text(browser.get("/agents"))
        assert f'href="/runs?q={acme.agent.name}"' in browser.get(f"/agents/{acme.agent.pk}").content.decode()


def test_an_agent_is_added(acme: Company, dora: Client) -> None:
    form = {"name": "second-bot", "owner": str(acme.ann.pk), "idempotency_key": "the-form"}
    answer = dora.post("/agents/add", form)
    assert answer.status_code == 303
    assert "second-bot" in text(dora.get(answer["Location"]))
    assert dora.post("/agents/add", form)["Location"] == answer["Location"]
    assert kinds(f"tenant:{acme.tenant.pk}").count("agent.added") == 2
    for wrong, status in (
        ({"name": "Second"}, 422),
        ({"owner": "nobody"}, 404),
        ({"owner": str(uuid4())}, 422),
        ({}, 409),
    ):
        refused = dora.post("/agents/add", {**form, "idempotency_key": f"k-{uuid4()}", **wrong})
        assert refused.status_code == status, wrong
    assert signed_in(acme.ann).post("/agents/add", {**form, "name": "x", "idempotency_key": "k"}).status_code == 403
    assert findings() == []


def test_a_key_is_shown_once_and_opens_the_door_until_it_is_revoked(acme: Company, dora: Client) -> None:
    answer = issue(dora, acme, idempotency_key="the-form")
    assert answer["Cache-Control"] == "no-store"
    key = secret(answer)
    assert let_in(key) == 200
    again = issue(dora, acme, idempotency_key="the-form")
    assert key not in again.content.decode()
    assert "is kept nowhere" in text(again)
    page = dora.get(f"/agents/{acme.agent.pk}").content.decode()
    assert key not in page
    assert key[:10] in page
    with inside():
        assert ApiKey.objects.count() == 1
        stored = ApiKey.objects.get()
    assert send(dora, acme, "revoke", api_key=str(stored.pk)).status_code == 303
    assert let_in(key) == 401
    assert "Revoked" in text(dora.get(f"/agents/{acme.agent.pk}"))
    assert findings() == []


def test_a_key_is_in_no_log(acme: Company, dora: Client, caplog: pytest.LogCaptureFixture) -> None:
    key = secret(issue(dora, acme))
    let_in(key)
    assert key not in caplog.text
    assert key not in str(told(f"tenant:{acme.tenant.pk}"))


@pytest.mark.parametrize(
    "form", [{"days": "0"}, {"days": "367"}, {"days": "²"}, {"days": "x"}, {"scopes": []}, {"scopes": ["all"]}]
)
def test_a_key_has_an_end_and_a_scope(acme: Company, dora: Client, form: dict[str, Any]) -> None:
    answer = issue(dora, acme, **form)
    assert answer.status_code == 422
    assert "from 1 to 366 days" in text(answer)
    assert "secret-text" not in answer.content.decode()


def test_a_stopped_agent_begins_nothing(acme: Company, dora: Client) -> None:
    effect = acme.propose(acme.run())
    acme.approve("ann", effect)
    follow()
    key = secret(issue(dora, acme))
    send(signed_in(acme.oscar), acme, "stop", reason="It pays twice.")
    assert let_in(key) == 401
    assert claim() == []
    page = text(dora.get(f"/agents/{acme.agent.pk}"))
    assert "none of its effects is begun" in page
    assert "Issue a key" not in page
    assert issue(dora, acme).status_code == 409
    assert send(signed_in(acme.oscar), acme, "start").status_code == 403
    assert send(dora, acme, "start").status_code == 303
    assert let_in(key) == 200
    assert findings() == []


def test_keys_are_shown_to_who_answers_for_them(acme: Company, dora: Client) -> None:
    key = secret(issue(dora, acme))
    for name, sees in (("ann", False), ("ben", True), ("oscar", True), ("dora", True)):
        page = signed_in(acme.members[name]).get(f"/agents/{acme.agent.pk}").content.decode()
        assert (key[:10] in page) == sees, name
        assert (f"{acme.agent.pk}/keys" in page) == (name == "dora"), name
        assert (f"Stop {acme.agent.name}" in page) == sees, name


def test_nobody_else_changes_anything(acme: Company, globex: Company, dora: Client) -> None:
    key = secret(issue(dora, acme))
    with inside():
        stored = ApiKey.objects.get()
    ann, cara = signed_in(acme.ann), signed_in(globex.cara)
    for browser, status in ((ann, 403), (cara, 404)):
        assert send(browser, acme, "stop", reason="").status_code == status
        assert send(browser, acme, "start", reason="").status_code == status
        assert issue(browser, acme).status_code == status
        assert send(browser, acme, "revoke", api_key=str(stored.pk)).status_code == status
    assert send(dora, acme, "revoke", api_key="x").status_code == 404
    other = dora.post("/agents/add", {"name": "second-bot", "owner": str(acme.ann.pk), "idempotency_key": "k"})[
        "Location"
    ]
    through_another = other.partition("?")[0] + "/revoke"
    assert dora.post(through_another, {"api_key": str(stored.pk), "idempotency_key": "k2"}).status_code == 404
    assert cara.get(f"/agents/{acme.agent.pk}").status_code == 404
    assert let_in(key) == 200
    assert acme.stored(acme.agent).active


def test_long_lists_are_read_page_by_page(acme: Company, dora: Client) -> None:
    with inside():
        Agent.objects.bulk_create(
            Agent(tenant=acme.tenant, name=f"bot-{number:02}", owner=acme.ben) for number in range(60)
        )
        ApiKey.objects.bulk_create(
            ApiKey(
                tenant=acme.tenant, agent=acme.agent, prefix=f"cf_{number:07}", digest=bytes([number]) * 32, expires_at="2100-01-01T00:00Z"
            )
            for number in range(60)
        )  # fmt: skip
    assert len(walk(dora, "/agents", ROW)) == 61
    found = walk(dora, f"/agents/{acme.agent.pk}", r"<code>(cf_\d+)…</code>")
    assert sorted(found) == [f"cf_{number:07}" for number in range(60)]


def test_a_form_needs_its_token_and_is_no_page(acme: Company) -> None:
    browser = signed_in(acme.dora, enforce_csrf_checks=True)
    for deed in ("stop", "start", "keys", "revoke"):
        assert send(browser, acme, deed).status_code == 403
        assert browser.get(f"/agents/{acme.agent.pk}/{deed}").status_code == 405
    assert browser.get("/agents/add").status_code == 405


def test_the_record_tells_an_agents_trail(acme: Company, dora: Client) -> None:
    key = secret(issue(dora, acme))
    with inside():
        stored = ApiKey.objects.get()
    send(signed_in(acme.oscar), acme, "stop", reason="It pays <twice>.")
    send(dora, acme, "start", reason="")
    send(dora, acme, "revoke", api_key=str(stored.pk))
    send(signed_in(acme.ben), acme, "stop", reason="Not on a Friday.")
    said = text(dora.get(f"/agents/{acme.agent.pk}"))
    told_of = [
        "Stopped. Ben Osei Not on a Friday.", f"Revoked the key {key[:10]}…. Dora Lindqvist",
        "Started again. Dora Lindqvist", "Stopped. Oscar Wren It pays <twice>.",
        f"Issued the key {key[:10]}…, for runs:read and runs:write. Dora Lindqvist", "Added. the test",
    ]  # fmt: skip
    places = [said.index(each) for each in told_of]
    assert places == sorted(places)
    for name in ("dora", "ann"):
        said = text(signed_in(acme.members[name]).get(f"/agents/{acme.agent.pk}"))
        assert re.search(r"Ben Osei stopped it [^:]{1,20}: Not on a Friday\.", said)
    assert "Oscar Wren" not in text(signed_in(acme.ann).get(f"/agents/{acme.agent.pk}"))
