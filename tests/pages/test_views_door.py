"""Who may come in, by which way, and what the answer says about caching. For every page at once."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver

from console.database import rows
from console.identity.models import User
from console.urls import urlpatterns
from tests.cast import PASSWORD, Company, inside, signed_in
from tests.errands import call, with_errands
from tests.pages.browsing import without_tokens

PAGES = (
    "/", "/approvals", "/approvals/{request}", "/unknown", "/runs", "/runs/{run}", "/contracts", "/contracts/operation/refund",
    "/policies", "/policies/money", "/policies/-/draft",
    "/agents", "/agents/{agent}", "/tasks", "/tasks/{task}", "/delegations", "/break-glass",
    "/approvals/{request}/break-glass",
)  # fmt: skip
PUBLIC = ("accounts/", "api/", "health", "ready", "metrics")


@pytest.fixture
def addresses(acme: Company) -> list[str]:
    """Give the address of every page, about things that exist."""
    run = acme.run()
    effect = acme.propose(run)
    task = call(with_errands(acme)).pk
    return [page.format(request=effect.request_id, run=run.pk, agent=acme.agent.pk, task=task) for page in PAGES]


def test_a_member_sees_every_page(acme: Company, addresses: list[str]) -> None:
    ann = signed_in(acme.ann)
    for address in addresses:
        answer = ann.get(address)
        assert answer.status_code == 200, address
        assert answer["Cache-Control"] == "no-store"
        assert "HX-Request" in answer["Vary"]
        assert "Ann Okafor" in answer.content.decode()


def test_head_is_answered_like_get(acme: Company, addresses: list[str]) -> None:
    ann = signed_in(acme.ann)
    for address in addresses:
        assert ann.head(address).status_code == 200


def test_reading_changes_nothing(acme: Company, addresses: list[str]) -> None:
    ann = signed_in(acme.ann)
    before = everything()
    for address in addresses:
        for _ in range(2):
            ann.get(address)
            ann.head(address)
            Client().head(address)
    assert everything() == before


def test_a_stranger_is_sent_to_sign_in_and_back(addresses: list[str]) -> None:
    for address in addresses:
        answer = Client().get(address)
        assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={address.replace('/', '%2F')}")
        assert answer["Cache-Control"] == "no-store"


def test_the_way_back_keeps_the_filter_and_drops_the_part(acme: Company) -> None:
    answer = Client().get("/runs", {"state": "open", "q": "a b", "part": "list"})
    assert answer["Location"] == "/accounts/login/?next=%2Fruns%3Fstate%3Dopen%26q%3Da%2Bb"


def test_a_part_without_a_session_moves_the_whole_page(addresses: list[str]) -> None:
    for address in addresses:
        answer = Client().get(
            f"{address}?part=list", headers={"HX-Request": "true", "HX-Current-URL": f"http://testserver{address}"}
        )
        assert answer.status_code == 401
        assert answer["HX-Redirect"] == f"/accounts/login/?next={address.replace('/', '%2F')}"
        assert answer.content == b""


def test_the_way_back_never_leads_elsewhere(addresses: list[str]) -> None:
    answer = Client().get("/runs", headers={"HX-Request": "true", "HX-Current-URL": "https://evil.example/runs"})
    assert answer["HX-Redirect"] == "/accounts/login/?next=%2Fruns"


def test_signing_in_follows_only_our_own_addresses(acme: Company) -> None:  # SEC-10
    elsewhere = ("https://evil.example/", "//evil.example", "/\\\\evil.example", "javascript:alert(1)")
    for then, leads_to in ({"/approvals": "/approvals"} | dict.fromkeys(elsewhere, "/")).items():
        answer = Client().post("/accounts/login/", {"login": "ann@acme.example", "password": PASSWORD, "next": then})
        assert (answer.status_code, answer["Location"]) == (302, leads_to)


def test_signing_in_and_out(acme: Company) -> None:
    browser = Client()
    assert browser.post("/accounts/login/", {"login": "ann@acme.example", "password": "wrong"}).status_code == 200
    assert browser.get("/").status_code == 302
    browser.post("/accounts/login/", {"login": "Ann@Acme.example", "password": PASSWORD})
    assert browser.get("/").status_code == 200
    assert browser.get("/accounts/logout/").status_code == 200
    assert browser.get("/").status_code == 200, "asking does not sign out"
    assert browser.post("/accounts/logout/").status_code == 302
    assert browser.get("/").status_code == 302


def test_a_person_without_a_tenant_is_told_so(db: None) -> None:
    lone = User.objects.create_user("lone@nowhere.example", PASSWORD, name="Lone")
    browser = Client()
    browser.force_login(lone, backend="allauth.account.auth_backends.AuthenticationBackend")
    for address in ("/", "/approvals", f"/runs/{uuid4()}"):
        answer = browser.get(address)
        assert answer.status_code == 403
        assert "You belong to no tenant yet" in answer.content.decode()


def test_a_member_who_left_is_let_in_no_more(acme: Company) -> None:
    ann = signed_in(acme.ann)
    with inside():
        rows("update identity_member set active = false where id = %s returning id", [acme.ann.pk])
    assert ann.get("/approvals").status_code == 403


def test_a_page_takes_no_form(acme: Company, addresses: list[str]) -> None:
    ann = signed_in(acme.ann)
    for address in addresses:
        for method in ("post", "put", "patch", "delete"):
            answer = getattr(ann, method)(address)
            assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD"), (method, address)


def test_what_is_not_here_and_what_belongs_to_others_look_alike(acme: Company, globex: Company) -> None:  # SEC-01
    theirs = globex.run()
    asked = globex.propose(theirs)
    ann = signed_in(acme.ann)
    absent = uuid4()
    for foreign, nothing in (
        (f"/runs/{theirs.pk}", f"/runs/{absent}"),
        (f"/approvals/{asked.request_id}", f"/approvals/{absent}"),
    ):
        one, other = ann.get(foreign), ann.get(nothing)
        assert one.status_code == other.status_code == 404
        assert without_tokens(one) == without_tokens(other)


UNREADABLE = {
    404: ("/runs/not-a-uuid", "/runs/%00", "/approvals/1", "/tasks/1", "/nothing", "/runs/"),
    400: (
        "/approvals?q=%00", "/runs?q=%00", "/runs?q=a%00b", "/approvals?page=99999999999999999999", "/approvals?state=%F0%9F%92%A9",
        "/runs?state=%F0%9F%92%A9", "/runs?state=future_state", "/runs?q=" + "x" * 201, "/runs?after=yesterday",
        "/runs?after=2026-13-45T99:99:99.000000Z_x", "/unknown?after=_", "/runs?after=2026-01-01T00:00:00.000000Z_not-a-uuid",
        "/approvals?after=%00", "/tasks?after=_",
        "/tasks?state=x", "/?part=nothing", "/runs?utm=x", "/runs/{run}?after=x", "/runs/{run}?after=-1",
        "/runs/{run}?after=99999999999", "/runs/{run}?before=x",
        "/runs/{run}?before=2026-01-01T00:00:00.000000Z_", "/runs/{run}?before=%F0",
    ),
}  # fmt: skip


def test_an_address_that_cannot_be_read_is_refused(acme: Company) -> None:  # API-10
    ann, run = signed_in(acme.ann, raise_request_exception=False), acme.run()
    for status, addresses in UNREADABLE.items():
        for address in addresses:
            answer = ann.get(address.format(run=run.pk))
            assert answer.status_code == status, address
            assert "<h1" in answer.content.decode(), address


def test_no_route_is_open_by_mistake(acme: Company) -> None:  # SEC-03
    nobody = Client()
    ids = str(uuid4())
    for route in routes(urlpatterns):
        if route.startswith(PUBLIC):
            continue
        address = "/" + re.sub(r"<[^>]+>", ids, re.sub(r"<int:[^>]+>", "1", route))
        for method in ("get", "post"):
            answer: HttpResponse = getattr(nobody, method)(address)
            assert answer.status_code in {302, 303, 401, 403}, (method, address, answer.status_code)


def test_an_agents_key_opens_no_page(acme: Company, addresses: list[str]) -> None:
    for address in addresses:
        assert Client().get(address, headers={"Authorization": "Bearer cf_whatever"}).status_code == 302


def test_a_poll_sets_no_cookie(acme: Company, addresses: list[str]) -> None:  # UI-02
    ann = signed_in(acme.ann, enforce_csrf_checks=True)
    ann.get("/approvals")
    token = ann.cookies["csrftoken"].value
    for _ in range(5):
        answer = ann.get("/approvals?part=list", headers={"HX-Request": "true"})
        assert not answer.cookies
    assert ann.cookies["csrftoken"].value == token


def test_a_part_is_the_part_and_a_page_is_the_page(acme: Company, addresses: list[str]) -> None:  # UI-08
    ann = signed_in(acme.ann)
    parts = {
        "/": "inbox",
        "/approvals": "list",
        "/unknown": "list",
        "/tasks": "list",
        "/runs": "list",
        addresses[2]: "card",
        addresses[5]: "book",
    }
    for address, part in parts.items():
        asked = f"{address}?part={part}"
        assert ann.get(asked, headers={"HX-Request": "true"}).content.lstrip().startswith((b"<div", b"<article")), (
            address
        )
        for headers in ({}, {"HX-Request": "true", "HX-History-Restore-Request": "true"}):
            assert ann.get(asked, headers=headers).content.lstrip().startswith(b"<!doctype html>"), address


def test_a_form_from_elsewhere_is_refused(acme: Company) -> None:
    run = acme.run()
    effect = acme.propose(run)
    ann = signed_in(acme.ann, enforce_csrf_checks=True)
    answer = ann.post(f"/approvals/{effect.request_id}/decide", {"verdict": "approve"})
    assert answer.status_code == 403
    assert "This form was not taken" in answer.content.decode()


def test_a_fault_of_ours_has_a_page_and_says_nothing_of_the_inside(
    acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runs.queries.runs", lambda *_: 1 / 0)
    answer = signed_in(acme.ann, raise_request_exception=False).get("/runs")
    assert answer.status_code == 500
    assert "An error on our side" in answer.content.decode()
    assert "ZeroDivision" not in answer.content.decode()


def everything() -> list[object]:
    """Give what every table holds, but for sessions (signing in writes them)."""
    with inside():
        tables = [
            row["name"]
            for row in rows(
                "select relname as name from pg_stat_user_tables where relname not like 'django_%%' order by 1", []
            )
        ]
        return [
            rows(f"select count(*) as n, md5(string_agg(t::text, '' order by t::text)) as d from {table} t")
            for table in tables
        ]


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Give every route of the product."""
    for pattern in patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, here)
        else:
            yield here
