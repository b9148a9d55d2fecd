"""SEC-01, SEC-03, SEC-09 and keys: who asks is known by a header alone, and what is not theirs does not exist for them."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from console.identity import administration
from console.identity.models import Agent, ApiKey
from console.ledger.actors import Actor
from console.ledger.models import Entry
from console.ledger.models import Refusal as KeptRefusal
from tests.api.desk import Answer, Caller, key_for, members_key
from tests.cast import Company, inside, later

ABSENT = "0189a0c0-0000-7000-8000-000000000000"


def writes(run: str, effect: str, request: str) -> list[tuple[str, Any]]:
    """Give every write that names a thing by its id."""
    return [
        (f"runs/{run}/effects", {"operation": "pay", "arguments": {"order": "1", "amount": "1"}}),
        (f"runs/{run}/complete", {"result": None}),
        (f"runs/{run}/fail", {"reason": "x"}),
        (f"effects/{effect}/withdraw", {"reason": "x"}),
        (f"approvals/{request}/decisions", {"verdict": "approve", "shown_digest": "0" * 64}),
    ]


def told(answer: Answer) -> dict[str, str]:
    """Give the headers but the one that names the request."""
    return {name: value for name, value in answer.headers.items() if name.lower() != "x-request-id"}


def test_sec_01_what_is_another_tenants_is_answered_like_what_is_absent(
    acme: Company, globex: Company, agent: Caller, stranger: Caller
) -> None:
    run = agent.run()
    effect = agent.propose(run)
    request = agent.get(f"effects/{effect['id']}")["approval"]
    with inside():
        before = Entry.objects.count()
    for path in (
        "runs/{run}",
        "runs/{run}/effects",
        "runs/{run}/history",
        "effects/{effect}",
        "approvals/{request}",
        "effects/{effect}?wait=5s&known=x",
    ):
        theirs = stranger.get(path.format(run=run["id"], effect=effect["id"], request=request["id"]))
        absent = stranger.get(path.format(run=ABSENT, effect=ABSENT, request=ABSENT))
        assert (theirs.status, theirs.raw, told(theirs)) == (404, absent.raw, told(absent))
    theirs_and_absent = zip(writes(run["id"], effect["id"], request["id"]), writes(ABSENT, ABSENT, ABSENT), strict=True)
    for (path, body), (nowhere, _) in theirs_and_absent:
        theirs, absent = stranger.post(path, body, token=1), stranger.post(nowhere, body, token=1)
        assert (theirs.status, theirs.raw, told(theirs)) == (404, absent.raw, told(absent))
    for listing in (
        "runs",
        "runs?state=open",
        "approvals",
        "approvals?state=decided",
        f"approvals?effect={effect['id']}",
    ):
        assert stranger.get(listing)["items"] == []
    assert (
        agent.get(f"runs/{run['id']}")["version"] == agent.get(f"runs/{run['id']}/effects")["items"][0]["run_version"]
    )
    with inside():
        assert Entry.objects.count() == before
        assert not KeptRefusal.objects.filter(tenant_id=acme.tenant.pk).exists()


def test_sec_01_deciding_on_another_tenants_request(acme: Company, globex: Company, agent: Caller) -> None:
    """The door refuses an agent before it looks; a member of another tenant finds nothing (by the same function)."""
    from approvals.deciding import voting
    from console.http.refusals import NotFound

    request = agent.propose(agent.run())["approval"]
    for request_id in (request["id"], ABSENT):
        with pytest.raises(NotFound):
            voting.approve(globex.actor("cara"), UUID(request_id), shown_digest="0" * 64, reason="", key=str(uuid4()))
    assert agent.get(f"approvals/{request['id']}")["state"] == "pending"


def test_another_agent_of_the_tenant_reads_but_does_not_write(acme: Company, agent: Caller) -> None:
    with inside(acme.tenant.pk):
        owner = acme.members["ben"]
    by = Actor("system", None, "test", acme.tenant.pk, "test")
    colleague = Caller(key_for(acme, administration.add_agent(by, "second-bot", owner)))
    run = agent.run()
    effect = agent.propose(run)
    assert colleague.get(f"runs/{run['id']}").status == 200
    assert colleague.get("runs?mine=true")["items"] == []
    for path, body in writes(run["id"], effect["id"], "")[:-1]:
        assert colleague.post(path, body, token=1).status == 404


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer cf_", "Bearer cf_" + "x" * 43, "Bearer nonsense", "Basic Zm9v", "cf_x", "Bearer cf_é"]
)  # fmt: skip
def test_an_unknown_key_is_challenged(nobody: Caller, header: str) -> None:
    for answer in (
        nobody.get("runs", Authorization=header),
        nobody.post("runs", {"run_type": "errand", "goal": "x"}, Authorization=header),
    ):
        assert (answer.status, answer.code) == (401, "not_authenticated")
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="counterfoil"'


def test_an_expired_revoked_or_retired_key_is_challenged(acme: Company, agent: Caller) -> None:
    short = Caller(key_for(acme, lasts=timedelta(hours=1)))
    assert short.get("runs").status == 200
    with later(hours=1):
        assert (short.get("runs").status, short.get("runs")["detail"]) == (401, "This key has expired.")
    by = Actor("system", None, "test", acme.tenant.pk, "test")
    assert agent.get("runs").status == 200
    with inside():
        administration_key = ApiKey.objects.get(prefix=(agent.bearer or "")[:10])
    administration.revoke_key(by, administration_key.pk)
    assert agent.get("runs").status == 401
    another = Caller(key_for(acme))
    assert another.get("runs").status == 200
    with inside(acme.tenant.pk):
        Agent.objects.filter(pk=acme.agent.pk).update(active=False)
    assert another.get("runs").status == 401


def test_a_key_does_what_its_scopes_say(acme: Company, agent: Caller) -> None:
    reader, writer = Caller(key_for(acme, scopes=["runs:read"])), Caller(key_for(acme, scopes=["runs:write"]))
    assert reader.get("runs").status == 200
    refused = reader.post("runs", {"run_type": "errand", "goal": "x"})
    assert (refused.status, refused.code, refused["scope"]) == (403, "missing_scope", "runs:write")
    assert (writer.get("runs").status, writer.get("runs")["scope"]) == (403, "runs:read")
    assert writer.post("runs", {"run_type": "errand", "goal": "x"}).status == 201


def test_sec_09_a_key_in_the_address_is_not_looked_at(agent: Caller, nobody: Caller) -> None:
    for name in ("token", "key", "api_key", "access_token"):
        answer = nobody.get(f"runs?{name}={agent.bearer}")
        assert answer.status == 401
        assert (agent.bearer or "").encode() not in answer.raw
    page = Client().get("/accounts/login/")
    assert page.headers["Referrer-Policy"] == "same-origin"


def test_a_session_opens_no_door_of_the_api(acme: Company) -> None:
    from tests.cast import signed_in

    assert signed_in(acme.ann).get("/api/v1/runs").status_code == 401


RECOVERY = {  # what members' keys are for
    "api/v1/callbacks", "api/v1/callbacks/<uuid:id>",
    "api/v1/unknown", "api/v1/evidence/<uuid:id>", *(f"api/v1/resolutions/<uuid:id>/{deed}" for deed in ("confirm", "decline", "withdraw")),
    *(f"api/v1/effects/<uuid:id>/{part}" for part in ("exits", "claim", "release", "hand-over", "ask", "resolutions")),
    "api/v1/cancellations", "api/v1/pauses", "api/v1/pauses/<uuid:id>", "api/v1/pauses/<uuid:id>/lift",
    *(f"api/v1/runs/<uuid:id>/{deed}" for deed in ("reopen", "see-to", "extend")),
    "api/v1/grants/propose", *(f"api/v1/grants/<uuid:id>/{deed}" for deed in ("confirm", "decline", "revoke")),
}  # fmt: skip


DECIDED_BY = {
    "api/v1/step-up",
    *(f"api/v1/delegations{part}" for part in ("", "/takers", "/<uuid:id>/revoke")),
    "api/v1/approvals/decisions",
    *(f"api/v1/approvals/<uuid:id>/{deed}" for deed in ("decisions/withdraw", "extend", "escalate", "revoke")),
}  # what approvers' tools alone are for
COMPENSATION = {
    "api/v1/compensations/numbers",
    "api/v1/compensations",
    "api/v1/compensation-files/<uuid:id>",
    *(f"api/v1/compensations/<uuid:id>/endings/<uuid:ending>/{deed}" for deed in ("confirm", "decline", "withdraw")),
    *(
        f"api/v1/compensations/<uuid:id>/{deed}"
        for deed in ("run", "retry", "accept-difference", "claim", "assign", "release")
    ),
    *(f"api/v1/compensations/<uuid:id>/{deed}" for deed in ("escalate", "tick", "files", "resolve", "waive")),
    *(f"api/v1/compensation-plans/<uuid:id>/{deed}" for deed in ("approve", "decline")),
    "api/v1/runs/<uuid:id>/work-items",
}  # what people's tools of compensation alone are for
READ_BY_BOTH = {
    "api/v1/compensations/<uuid:id>",
    "api/v1/compensation-plans/<uuid:id>",
    *(f"api/v1/runs/<uuid:id>/compensation{part}" for part in ("", "/preview")),
    "api/v1/effects/<uuid:id>/compensate",
    "api/v1/approvals",
    "api/v1/approvals/<uuid:id>",
    "api/v1/approvals/<uuid:id>/decisions",
    "api/v1/policies",
    "api/v1/policies/<slug:name>",
    "api/v1/grants",
    "api/v1/grants/<uuid:id>",
}  # people's tools too


def doors() -> list[str]:
    """Give every route of the API that is not open to everybody."""
    return [route for route in routes() if route.startswith("api/v1/") and route not in OPEN | SIGNED]


def test_a_members_key_opens_the_doors_of_recovery_and_no_other(acme: Company, agent: Caller) -> None:
    run = agent.run()
    effect = agent.propose(run)
    tool, reader = (
        Caller(members_key(acme, "ann")),
        Caller(members_key(acme, "oscar", scopes=["recovery:read"])),
    )
    with inside():
        before = Entry.objects.count()
    assert len(doors()) > 15
    for route in doors():
        path = address(route).removeprefix("/api/v1/")
        for caller in (tool, reader):
            for answer in (caller.get(path), caller.post(path, {}), caller.get(f"{path}?wait=1s")):
                if answer.status == 405 or (route in READ_BY_BOTH and answer.code != "wrong_kind_of_key"):
                    continue
                if route in RECOVERY | DECIDED_BY | COMPENSATION:
                    assert answer.code != "wrong_kind_of_key", route
                else:
                    assert (answer.status, answer.code, answer["whose"]) == (403, "wrong_kind_of_key", "agent"), route
                    assert "people do tasks on pages" in answer["detail"]
    for path, body in writes(run["id"], effect["id"], effect["approval"]["id"])[:-1]:
        assert tool.post(path, body, token=1).code == "wrong_kind_of_key", path
    with inside():
        assert Entry.objects.count() == before


def test_no_key_stands_for_a_signature(acme: Company, agent: Caller) -> None:
    answers = [
        caller.post("callbacks/acme/refund", {"data": {}})
        for caller in (agent, Caller(members_key(acme, "oscar")), Caller(None))
    ]
    assert {(answer.status, answer.code) for answer in answers} == {(401, "not_signed")}


def test_an_agents_key_opens_no_door_of_recovery(agent: Caller) -> None:
    for route in RECOVERY | DECIDED_BY | COMPENSATION:
        path = address(route).removeprefix("/api/v1/")
        answers = [answer for answer in (agent.get(path), agent.post(path, {})) if answer.status != 405]
        assert answers, route
        for answer in answers:
            assert (answer.status, answer.code, answer["whose"]) == (403, "wrong_kind_of_key", "member"), route


OPEN = {
    "accounts/login/", "accounts/logout/", "accounts/inactive/",  # how to come in and out
    "api/v1/problems", "api/v1/problems/<slug:code>", "api/v1/openapi.json", "api/v1/docs",  # documentation
    "api/v1/",  # what is nowhere
}  # fmt: skip


# no key opens these; 405: they are only for POST
SIGNED = {"api/v1/callbacks/<str:tenant>/<str:operation>", "api/v1/signals/<str:tenant>/<str:run_type>/<str:name>"}
HIDDEN = {"metrics": [404, 405], **{route: [405] for route in SIGNED}}  # not there for whoever lacks its token
DOORS = ("/accounts/login/", "/admin/login/")  # the second leads to the first


def routes(patterns: list[URLPattern | URLResolver] | None = None, before: str = "") -> Iterator[str]:
    """Give every route of the product."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def address(route: str) -> str:
    """Give an address for a route."""
    route = re.sub(r"<int:\w+>", "1", route)
    route = re.sub(r"<str:\w+>", "acme", route)
    return "/" + re.sub(r"<slug:\w+>", "not_found", re.sub(r"<(?:uuid:)?\w+>", ABSENT, route)).lstrip("^/").rstrip("$")


def test_sec_03_no_address_is_open_that_is_not_meant_to_be(acme: Company, agent: Caller) -> None:
    found = list(routes())
    assert set(found) >= OPEN, "the list of open addresses names one that does not exist"
    bearer = {"Authorization": f"Bearer {agent.bearer}"}
    for route in found:
        if route in OPEN:
            continue
        for method in ("get", "post", "put", "delete"):
            anonymous = getattr(Client(), method)(address(route))
            closed = {401, 403, *HIDDEN.get(route, ())}
            assert anonymous.status_code in closed or (
                anonymous.status_code in {302, 303} and anonymous.headers["Location"].startswith(DOORS)
            ), (method, route, anonymous.status_code)
            if not route.startswith("api/"):
                as_agent = getattr(Client(), method)(address(route), headers=bearer)
                assert as_agent.status_code in {302, 303, *closed}, (method, route, as_agent.status_code)


def test_sec_03_what_is_open_gives_nothing_away(agent: Caller) -> None:
    agent.run(goal="a very secret goal")
    for route in {*OPEN, "health", "ready"}:
        answer = Client().get(address(route))
        assert answer.status_code < 500
        assert b"very secret" not in answer.content
