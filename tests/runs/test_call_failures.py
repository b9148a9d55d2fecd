"""Where the exchange broke decides what is known (R-B2): nothing was sent, or a write is unknown and a read transient."""

import asyncio
import json
import socket

import pytest

from console.crashpoint import arm
from runs.sending import open_session
from tests.runs.calling import OK, refund, told
from tests.runs.certificate import self_signed
from tests.runs.misbehaving import Serve, server

LONG = 60  # seconds: longer than anybody waits here


@pytest.fixture
async def session():
    async with open_session() as session:
        yield session


def unsent(answer, *, outcome="not_sent"):
    return (answer.outcome, answer.sent, answer.http_status) == (outcome, False, None)


async def once(session, serve, access="write", **more):
    """Call a server once, and give what was said and how many requests it heard."""
    async with server(serve) as there:
        answer = await told(session, refund(there.url + "/refunds", **more), access)
        await asyncio.sleep(0.01)
        assert len(there.heard) <= 1
        return answer


# Before the first byte: nothing was sent


async def test_nobody_listens(session):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        answer = await told(session, refund(f"http://127.0.0.1:{unused.getsockname()[1]}/"))
    assert unsent(answer)
    assert (answer.reason or "").startswith("Nothing was sent: ClientConnectorError")
    assert json.loads(answer.evidence) == {"error": "ClientConnectorError", "sent": False, "status": None}


async def test_the_name_does_not_resolve(session, monkeypatch):
    def unresolved(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unresolved)
    answer = await told(session, refund("http://nowhere.invalid/"))
    assert unsent(answer)
    assert "ClientConnectorDNSError" in (answer.reason or "")


async def test_the_certificate_is_not_trusted(session, tmp_path):
    async def serve(visit):
        await visit.hear()

    async with server(serve, tls=self_signed(tmp_path)) as there:
        answer = await told(session, refund(f"https://127.0.0.1:{there.port}/"))
    assert unsent(answer)
    assert "Certificate" in (answer.reason or "")
    assert there.heard == []


async def test_the_other_side_does_not_speak_tls(session):
    async def serve(visit):
        await visit.reader.read(10)
        await visit.say(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async with server(serve) as there:
        answer = await told(session, refund(f"https://127.0.0.1:{there.port}/"))
    assert unsent(answer)


async def test_no_connection_in_time(session):
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        crowd = [_knock(port) for _ in range(4)]
        answer = await told(session, refund(f"http://127.0.0.1:{port}/", timeout_seconds=0.2))
        for one in crowd:
            one.close()
    assert unsent(answer)
    assert answer.reason == "No connection within 0.2 s; nothing was sent."


async def test_no_place_in_the_pool_in_time():
    async def serve(visit):
        await visit.hear()
        await asyncio.sleep(LONG)

    async with open_session(connections=1) as narrow, server(serve) as there:
        first = asyncio.create_task(told(narrow, refund(there.url, timeout_seconds=3)))
        await asyncio.sleep(0.05)
        second = await told(narrow, refund(there.url, timeout_seconds=0.5))
        assert unsent(second)
        assert (await first).outcome == "unknown"
    assert len(there.heard) == 1


@pytest.mark.parametrize(
    "url",
    [
        "",
        "refunds",
        "ftp://127.0.0.1/",
        "http://",
        "http://127.0.0.1:99999/",
        "http://[::1",
        "http://" + "a" * 70 + "/",
    ],
)
async def test_an_address_that_is_none_is_invalid(session, url):
    assert unsent(await told(session, refund(url)), outcome="invalid")


@pytest.mark.parametrize("value", ["a\r\nX-Other: b", "a\nb", "a\0b"])
async def test_a_header_that_would_smuggle_another_is_invalid(session, value):
    async def serve(visit):
        await visit.hear()

    async with server(serve) as there:
        answer = await told(session, refund(there.url, Authorization=value))
    assert unsent(answer, outcome="invalid")
    assert there.heard == []


# After the first byte: nobody knows


BREAKS: dict[str, Serve] = {}


def breaks(serve):
    BREAKS[serve.__name__] = serve
    return serve


@breaks
async def hangs_up_at_once(visit):
    await visit.hear()
    visit.hang_up()


@breaks
async def resets_at_once(visit):
    await visit.hear()
    visit.reset()


@breaks
async def hangs_up_within_the_request(visit):
    await visit.reader.read(20)
    visit.hang_up()


@breaks
async def says_nothing(visit):
    await visit.hear()
    await asyncio.sleep(LONG)


@breaks
async def hangs_up_within_the_head(visit):
    await visit.hear()
    await visit.say(b"HTTP/1.1 201 Crea")
    visit.hang_up()


@breaks
async def hangs_up_within_the_body(visit):
    await visit.hear()
    await visit.say(b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n" + OK[:5])
    visit.hang_up()


@breaks
async def hangs_up_within_a_chunk(visit):
    await visit.hear()
    await visit.say(
        b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n" + OK[:5]
    )
    visit.hang_up()


@breaks
async def stops_within_the_body(visit):
    await visit.hear()
    await visit.say(b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n" + OK[:5])
    await asyncio.sleep(LONG)


@breaks
async def is_not_http(visit):
    await visit.hear()
    await visit.say(b"220 mail.example ESMTP\r\n\r\n")


@breaks
async def only_ever_continues(visit):
    await visit.hear()
    await visit.say(b"HTTP/1.1 100 Continue\r\n\r\n")
    visit.hang_up()


@breaks
async def switches_protocols(visit):
    await visit.hear()
    await visit.say(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n\0\0\0")
    await asyncio.sleep(LONG)


@breaks
async def has_a_head_without_end(visit):
    await visit.hear()
    await visit.say(b"HTTP/1.1 201 Created\r\nX-Long: " + b"x" * 100_000)
    await asyncio.sleep(LONG)


@breaks
async def answers_broken_json(visit):
    await visit.hear()
    await visit.answer(b'{"id":"re_')


@breaks
async def answers_json_with_two_meanings(visit):
    await visit.hear()
    await visit.answer(b'{"id":"re_1","id":"re_2"}')


@breaks
async def answers_a_page(visit):
    await visit.hear()
    await visit.answer(b"<p>Done.</p>", kind="text/html")


@breaks
async def answers_too_much(visit):
    await visit.hear()
    await visit.answer(b'{"id":"re_1","padding":"' + b"x" * 70_000 + b'"}')


@breaks
async def never_ends_its_answer(visit):
    await visit.hear()
    await visit.say(b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n")
    while True:
        await visit.say(b" " * 10_000)


@breaks
async def unpacks_to_too_much(visit):
    import gzip

    await visit.hear()
    await visit.answer(gzip.compress(b" " * 10_000_000), "201 Created", "Content-Encoding: gzip")


@breaks
async def sends_elsewhere(visit):
    await visit.hear()
    await visit.answer(b"", "307 Temporary Redirect", "Location: /elsewhere")


@breaks
async def fails(visit):
    await visit.hear()
    await visit.answer(b'{"reason":"internal error"}', "500 Internal Server Error")


@breaks
async def stands_behind_a_failing_gateway(visit):
    await visit.hear()
    await visit.answer(b"<p>Bad gateway</p>", "502 Bad Gateway", kind="text/html")


@breaks
async def took_too_long_for_a_gateway(visit):
    await visit.hear()
    await visit.answer(b"<p>Gateway timeout</p>", "504 Gateway Timeout", kind="text/html")


@breaks
async def answers_a_list(visit):
    await visit.hear()
    await visit.answer(b'[{"id":"re_1"}]')


@breaks
async def answers_a_word(visit):
    await visit.hear()
    await visit.answer(b'"done"')


@breaks
async def takes_it_with_a_number_for_an_operation(visit):
    await visit.hear()
    await visit.answer(b"7", "202 Accepted")


@pytest.mark.parametrize(("access", "outcome"), [("write", "unknown"), ("read", "transient")])
@pytest.mark.parametrize("serve", BREAKS.values(), ids=BREAKS)
async def test_after_the_first_byte_nobody_knows(session, serve, access, outcome):
    answer = await once(session, serve, access, timeout_seconds=1.0)
    assert (answer.outcome, answer.sent) == (outcome, True)
    assert answer.reason
    assert len(answer.evidence) < 6000
    assert json.loads(answer.evidence)["sent"] is True
    assert answer.elapsed_seconds < LONG, "it was waited for longer than its time"


async def test_what_came_before_it_broke_is_kept(session):
    answer = await once(session, hangs_up_within_the_body)
    kept = json.loads(answer.evidence)
    assert (answer.http_status, kept["body"], kept["body_bytes"]) == (201, '{"id"', 5)
    assert kept["error"] == "ClientPayloadError"
    assert kept["headers"]["content-length"] == "13"
    assert answer.reason.startswith("The answer broke off")


@pytest.mark.parametrize(
    ("serve", "reason"),
    [
        (says_nothing, "No answer within 1 s; the request had been sent."),
        (stops_within_the_body, "No whole answer within 1 s; the request had been sent."),
        (answers_too_much, "The answer is larger than 65536 bytes."),
        (answers_a_page, "The answer is text/html, not JSON."),
    ],
)
async def test_the_reason_is_a_sentence_for_people(session, serve, reason):
    assert (await once(session, serve, timeout_seconds=1)).reason == reason


async def test_evidence_holds_no_nul_and_no_broken_text(session):
    async def serve(visit):
        await visit.hear()
        await visit.answer(b'{"a":"\0\xff\xed\xa0\x80"', "201 Created", "ETag: \xff")

    answer = await once(session, serve)
    assert "\0" not in answer.evidence + answer.reason
    assert "\\u0000" not in answer.evidence
    answer.evidence.encode()


async def test_a_bad_rule_loses_no_answer(session, monkeypatch):
    def fail(*_):
        raise KeyError("no such thing")

    async def serve(visit):
        await visit.hear()
        await visit.answer(OK)

    monkeypatch.setattr("runs.call.verdict_of", fail)
    answer = await once(session, serve)
    assert (answer.outcome, answer.http_status) == ("unknown", 201)
    assert "re_1" in answer.evidence


async def test_cancelling_is_not_an_outcome(session):
    async with server(says_nothing) as there:
        task = asyncio.create_task(told(session, refund(there.url)))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


# Crash points


@pytest.fixture
def _disarmed():
    yield
    arm("")


@pytest.mark.usefixtures("_disarmed")
@pytest.mark.parametrize(
    ("place", "outcome", "heard"),
    [
        ("dispatch.before_socket", "not_sent", 0),
        ("dispatch.bytes_sent", "unknown", 1),
        ("dispatch.response_received", "unknown", 1),
    ],
)
async def test_the_crash_points_stand_where_their_names_say(session, place, outcome, heard):
    async def serve(visit):
        await visit.hear()
        await visit.answer(OK)

    async with server(serve) as there:
        arm(f"{place}:1:raise")
        answer = await told(session, refund(there.url))
        await there.has_heard(heard)
        assert (answer.outcome, len(there.heard)) == (outcome, heard)


def _knock(port: int) -> socket.socket:
    knocking = socket.socket()
    knocking.setblocking(False)
    knocking.connect_ex(("127.0.0.1", port))
    return knocking
