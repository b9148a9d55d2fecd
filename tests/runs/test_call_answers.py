"""What an answer means is the contract's to say; what is sent is exactly what was asked for, with our identities on it."""

import gzip
import json

import pytest

from console.exact import canonical, decode
from runs.call import Reading, call
from runs.contracts.outcomes import outcome_table
from runs.contracts.partial import partial_rule
from runs.sending import open_session
from tests.runs.calling import OK, TABLE, refund, told
from tests.runs.misbehaving import server


@pytest.fixture
async def session():
    async with open_session() as session:
        yield session


async def answered(session, body, status="201 Created", *headers, kind="application/json", access="write", **more):
    """Call a server that gives this answer; give ours and what it heard."""

    async def serve(visit):
        await visit.hear()
        await visit.answer(body, status, *headers, kind=kind)

    async with server(serve) as there:
        answer = await told(session, refund(there.url + "/refunds?a=b%20c", **more), access)
        [heard] = there.heard
        return answer, heard


async def test_a_success_with_its_result_and_evidence(session):
    answer, _ = await answered(session, OK, "201 Created", "X-Request-Id: r-1", "Set-Cookie: a=b")
    assert (answer.outcome, answer.http_status, answer.sent) == ("succeeded", 201, True)
    assert answer.result == {"refund": "re_1"}
    assert json.loads(answer.evidence) == {
        "body": '{"id":"re_1"}',
        "body_bytes": 13,
        "headers": {"content-length": "13", "content-type": "application/json", "x-request-id": "r-1"},
        "sent": True,
        "status": 201,
    }
    assert 0 < answer.elapsed_seconds < 60


async def test_what_is_sent_and_nothing_else(session):
    _, heard = await answered(session, OK, Authorization="Bearer t")
    head, _, body = heard.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert first == "POST /refunds?a=b%20c HTTP/1.1"
    assert body == b'{"amount":"12.50"}'
    assert headers.pop("Host").startswith("127.0.0.1:")
    assert headers == {
        "User-Agent": "Counterfoil",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
        "Content-Length": "18",
        "Authorization": "Bearer t",
        "Idempotency-Key": "effect-1",
        "Fencing-Token": "3",
    }


@pytest.mark.parametrize(("method", "length"), [("GET", False), ("HEAD", False), ("DELETE", True)])
async def test_a_request_without_body(session, method, length):
    answer, heard = await answered(session, b"", "200 OK", method=method, access="read")
    assert answer.outcome == "succeeded"
    assert heard.startswith(method.encode() + b" ")
    assert (b"Content-Length: 0\r\n" in heard) == length
    assert heard.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    ("status", "body", "outcome", "more"),
    [
        ("202 Accepted", b'{"operation":"op_7"}', "accepted", {"operation_id": "op_7"}),
        ("422 Unprocessable Content", b'{"reason":"No funds."}', "rejected", {"reason": "No funds."}),
        ("403 Forbidden", b"{}", "denied", {}),
        ("429 Too Many Requests", b"{}", "overload", {}),
        ("503 Service Unavailable", b"{}", "overload", {}),
        ("500 Internal Server Error", b"{}", "unknown", {"reason": "No rule reads this answer."}),
        ("502 Bad Gateway", b"{}", "unknown", {}),
        ("504 Gateway Timeout", b"{}", "unknown", {}),
        ("404 Not Found", b"{}", "absent", {}),
        ("418 I'm a teapot", b"{}", "unknown", {"reason": "No rule reads this answer."}),
    ],
)
async def test_the_table_decides(session, status, body, outcome, more):
    answer, _ = await answered(session, body, status)
    assert answer.outcome == outcome
    assert {name: getattr(answer, name) for name in more} == more


async def test_an_answer_that_no_rule_reads_is_transient_for_a_read(session):
    answer, _ = await answered(session, b"{}", "418 I'm a teapot", access="read")
    assert answer.outcome == "transient"


@pytest.mark.parametrize("kind", ["text/html", "text/plain; charset=utf-8", "application/octet-stream"])
async def test_a_refusal_may_come_as_a_page_but_a_claim_may_not(session, kind):
    for status, outcome in [("503 Service Unavailable", "overload"), ("403 Forbidden", "denied")]:
        answer, _ = await answered(session, b"<h1>Sorry</h1>", status, kind=kind)
        assert answer.outcome == outcome
    for status in ("404 Not Found", "200 OK", "202 Accepted"):
        answer, _ = await answered(session, b"<h1>Well</h1>", status, kind=kind, access="read")
        assert answer.outcome == "transient"


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "application/vnd.bank+json", "APPLICATION/JSON", ""]
)
async def test_json_goes_by_several_names(session, kind):
    answer, _ = await answered(session, OK, kind=kind)
    assert answer.result == {"refund": "re_1"}


async def test_an_answer_without_a_body(session):
    answer, _ = await answered(session, b"", "200 OK")
    assert answer.outcome == "succeeded"


async def test_an_answer_in_pieces(session):
    async def serve(visit):
        await visit.hear()
        await visit.say(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Type: application/json\r\n")
        await visit.say(b"Transfer-Encoding: chunked\r\n\r\n5\r\n" + OK[:5])
        await visit.say(b"\r\n8\r\n" + OK[5:] + b"\r\n0\r\n\r\n")

    async with server(serve) as there:
        assert (await told(session, refund(there.url))).result == {"refund": "re_1"}


async def test_an_answer_packed_unasked(session):
    answer, _ = await answered(session, gzip.compress(OK), "201 Created", "Content-Encoding: gzip")
    assert answer.result == {"refund": "re_1"}


async def test_numbers_in_an_answer_stay_exact(session):
    answer, _ = await answered(session, b'{"id":90071992547409931.10}')
    assert str(answer.result["refund"]) in {"90071992547409931.1", "90071992547409931.10"}


async def test_retry_after_in_both_forms(session):
    answer, _ = await answered(session, b"{}", "429 Too Many Requests", "Retry-After: 7")
    assert answer.retry_after_seconds == 7
    dated = ("Date: Mon, 02 Mar 2026 10:00:00 GMT", "Retry-After: Mon, 02 Mar 2026 10:01:30 GMT")
    answer, _ = await answered(session, b"{}", "503 Service Unavailable", *dated)
    assert answer.retry_after_seconds == 90
    answer, _ = await answered(session, OK)
    assert answer.retry_after_seconds is None


async def test_redirects_are_not_followed_and_cookies_not_kept(session):
    async def serve(visit):
        while await visit.hear():
            await visit.answer(b"{}", "307 Temporary Redirect", "Location: /elsewhere", "Set-Cookie: a=b; Path=/")

    async with server(serve) as there:
        for _ in range(2):
            assert (await told(session, refund(there.url + "/refunds"))).outcome == "unknown"
        assert len(there.heard) == 2
        for heard in there.heard:
            assert heard.startswith(b"POST /refunds ")
            assert b"cookie" not in heard.lower()


async def test_the_environment_names_no_proxy_for_us(session, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    answer, _ = await answered(session, OK)
    assert answer.outcome == "succeeded"


async def test_evidence_is_written_in_the_canonical_form(session):
    body = '{"id":"re_1","said":"ü\\n\\"\u2028\x7f\t\x01"}'.encode()
    answer, _ = await answered(session, body, "201 Created", 'ETag: "ü\\x"', "Location: /a")
    assert answer.evidence == canonical(decode(answer.evidence))
    assert answer.evidence.startswith('{"body":"{')


async def test_a_header_that_comes_twice_is_one_list(session):
    twice = [{"when": {"path": "headers.x-part", "op": "eq", "value": "1, 2"}, "outcome": "partial"}]

    async def serve(visit):
        await visit.hear()
        await visit.answer(OK, "200 OK", "X-Part: 1", "x-part: 2")

    async with server(serve) as there:
        assert (
            await call(session, refund(there.url), reading=Reading(outcome_table(twice)), access="write")
        ).outcome == "partial"


async def test_what_we_showed_to_be_let_in_is_not_kept_although_the_other_side_repeats_it(session):
    async def serve(visit):
        await visit.hear()
        long = b'{"reason":"you sent Bearer s3cr3t-token","padding":"' + b"x" * 1980 + b's3cr3t-token"}'
        await visit.answer(long, "422 Unprocessable Content", "Location: /?token=s3cr3t-token")

    async with server(serve) as there:
        request = refund(there.url, Authorization="Bearer s3cr3t-token")
        request.secret_headers = frozenset({"Authorization"})
        answer = await told(session, request)
    assert answer.reason == "you sent [secret]"
    assert "[secret]" in json.loads(answer.evidence)["headers"]["location"]
    assert "s3c" not in answer.evidence


async def test_a_reason_is_bounded(session):
    answer, _ = await answered(session, b'{"reason":"' + b"no " * 5000 + b'"}', "422 Unprocessable Content")
    assert len(answer.reason) == 1000


IN_PART = {"recognised_by": {"path": "body.status", "op": "eq", "value": "partial"}, "parts": {"paid": "{body.done}"}}


async def read_by(session, body, status, reading):
    """Call a server that gives this answer, and read it so."""

    async def serve(visit):
        await visit.hear()
        await visit.answer(body, status)

    async with server(serve) as there:
        return await call(session, refund(there.url), reading=reading, access="write")


@pytest.mark.parametrize("status", ["201 Created", "422 Unprocessable Content", "500 Internal Server Error"])
async def test_a_partial_effect_is_told_by_its_condition_before_the_table_is_asked(session, status):
    body = b'{"id":"re_1","status":"partial","done":["a","b"]}'
    answer = await read_by(session, body, status, Reading(TABLE, partial=partial_rule(IN_PART)))
    assert (answer.outcome, answer.result) == ("partial", {"paid": ["a", "b"]})


async def test_without_its_own_parts_it_keeps_what_the_table_keeps(session):
    told_by = {"recognised_by": IN_PART["recognised_by"]}
    answer = await read_by(
        session, b'{"id":"re_1","status":"partial"}', "201 Created", Reading(TABLE, partial=partial_rule(told_by))
    )
    assert (answer.outcome, answer.result) == ("partial", {"refund": "re_1"})


async def test_where_the_condition_does_not_hold_the_table_decides(session):
    answer = await read_by(
        session, b'{"id":"re_1","status":"whole"}', "201 Created", Reading(TABLE, partial=partial_rule(IN_PART))
    )
    assert answer.outcome == "succeeded"


async def test_a_page_is_no_partial_effect_whatever_its_status(session):
    rule = partial_rule({"recognised_by": {"path": "status", "op": "eq", "value": 207}})

    async def serve(visit):
        await visit.hear()
        await visit.answer(b"<p>Multi</p>", "207 Multi-Status", kind="text/html")

    async with server(serve) as there:
        answer = await call(session, refund(there.url), reading=Reading(TABLE, partial=rule), access="write")
    assert answer.outcome == "unknown"


async def test_a_conflict_is_an_outcome_of_its_own(session):
    moved_on = [
        {"when": {"path": "status", "op": "eq", "value": 412}, "outcome": "conflict", "reason": "{body.reason}"}
    ]
    answer = await read_by(
        session, b'{"reason":"Version 4 is newer."}', "412 Precondition Failed", Reading(outcome_table(moved_on))
    )
    assert (answer.outcome, answer.reason) == ("conflict", "Version 4 is newer.")


@pytest.mark.parametrize(("ours", "outcome"), [(True, "succeeded"), (False, "conflict")])
async def test_what_is_found_counts_only_when_it_is_proven_to_be_ours(session, ours, outcome):
    answer = await read_by(session, OK, "201 Created", Reading(TABLE, proven=lambda _: ours))
    assert (answer.outcome, bool(answer.result)) == (outcome, ours)


async def test_what_is_not_there_needs_no_proof(session):
    answer = await read_by(session, b"{}", "404 Not Found", Reading(TABLE, proven=lambda _: False))
    assert answer.outcome == "absent"
