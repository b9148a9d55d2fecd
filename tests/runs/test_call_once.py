"""The caller sends a request once, also when a kept connection turns out to be closed; only then is a count of calls true."""

import asyncio
import socket
import threading
import time
from contextlib import suppress

import aiohttp
import pytest

from runs import sending
from runs.sending import open_session
from tests.runs.calling import OK, refund, told
from tests.runs.misbehaving import server

METHODS = ["GET", "HEAD", "PUT", "DELETE", "POST", "PATCH"]


@pytest.fixture(autouse=True)
def _kept_for_long(monkeypatch):
    """Keep connections however slow the machine is."""
    monkeypatch.setattr(sending, "KEEP_IDLE_SECONDS", 60.0)


async def answers_one_and_hangs_up_on_the_next(visit):
    await visit.hear()
    await visit.answer(b"" if visit.heard[-1].startswith(b"HEAD") else OK)
    await visit.hear()
    visit.hang_up()


@pytest.mark.parametrize("method", METHODS)
async def test_a_kept_connection_closed_after_the_request_is_not_tried_again(method):
    async with open_session() as session, server(answers_one_and_hangs_up_on_the_next) as there:
        first = await told(session, refund(there.url, method=method))
        second = await told(session, refund(there.url, method=method))
        await there.has_heard(2)
    assert (first.outcome, second.outcome, second.sent) == ("succeeded", "unknown", True)
    assert (there.connections, len(there.heard)) == (1, 2)


HEAD = b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n"
MOMENTS = {
    "before a byte of it was read": (0, b""),
    "when its head was read in part": (20, b""),
    "when all of it was read": (None, b""),
    "when the answer was begun": (None, HEAD[:12]),
    "when the head of the answer was sent": (None, HEAD),
    "when half of the answer was sent": (None, HEAD + OK[:6]),
}


@pytest.mark.parametrize("broken", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("method", [method for method in METHODS if method != "HEAD"])
async def test_a_reused_connection_that_ends_at_any_moment_is_one_call(method, moment, broken):
    """Whenever it ends, exactly one request arrived, on that one connection, and nobody knows what came of a write."""
    reads, says = MOMENTS[moment]
    arrived = []

    async def serve(visit):
        await visit.hear()
        await visit.answer(OK)
        head = await visit.reader.read(reads) if reads else b"" if reads == 0 else await visit.hear()
        if reads == 0:
            await asyncio.sleep(0.03)  # it has arrived, and nobody reads it
        arrived.append(head)
        await visit.say(says)
        if broken:
            visit.reset()
        else:
            visit.hang_up()

    async with open_session() as session, server(serve) as there:
        assert (await told(session, refund(there.url, method=method))).outcome == "succeeded"
        second = await told(session, refund(there.url, method=method))
        await asyncio.sleep(0.05)
    assert (second.outcome, second.sent) == ("unknown", True)
    assert (there.connections, len(arrived)) == (1, 1)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_the_library_left_to_itself_would_send_twice(method):
    """Why the session is set as it is: should this fail one day, the switch has become needless."""
    async with aiohttp.ClientSession() as session, server(answers_one_and_hangs_up_on_the_next) as there:
        for _ in range(2):
            async with session.request(method, there.url) as answer:
                assert answer.status == 201
    assert len(there.heard) == 3


async def test_a_connection_hung_up_while_idle_is_passed_over():
    async def serve(visit):
        await visit.hear()
        await visit.answer(OK)
        visit.hang_up()

    async with open_session() as session, server(serve) as there:
        for _ in range(5):
            assert (await told(session, refund(there.url))).outcome == "succeeded"
            await asyncio.sleep(0.02)
    assert (there.connections, len(there.heard)) == (5, 5)


async def test_a_hang_up_that_our_loop_has_not_read_yet_is_seen_all_the_same():
    """The loop was busy when the FIN came: without a look at the socket these would be unknown outcomes."""
    heard, hung_up = [], threading.Event()

    def serve(listening):
        for _ in range(3):
            visit, _ = listening.accept()
            with visit:
                heard.append(visit.recv(65536))
                visit.sendall(
                    b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n" + OK
                )
            hung_up.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        async with open_session() as session:
            for _ in range(3):
                answer = await told(session, refund(f"http://127.0.0.1:{listening.getsockname()[1]}/"))
                assert answer.outcome == "succeeded"
                assert hung_up.wait(30)  # holding the loop is the point
                hung_up.clear()
        thread.join(30)
    assert len(heard) == 3


async def test_connections_are_kept_while_busy_and_let_go_when_idle(monkeypatch):
    monkeypatch.setattr(sending, "KEEP_IDLE_SECONDS", 2.0)

    async def serve(visit):
        while await visit.hear():
            await visit.answer(OK)

    async with open_session() as session, server(serve) as there:
        for _ in range(20):
            await told(session, refund(there.url))
        assert there.connections == 1
        await asyncio.sleep(2.1)
        await told(session, refund(there.url))
        assert there.connections == 2


async def test_many_at_once_each_arrive_once():
    async def serve(visit):
        while await visit.hear():
            await visit.answer(OK)

    async with open_session() as session, server(serve) as there:
        answers = await asyncio.gather(*(told(session, refund(f"{there.url}/{number}")) for number in range(200)))
    assert {answer.outcome for answer in answers} == {"succeeded"}
    assert len({heard.split(b" ")[1] for heard in there.heard}) == len(there.heard) == 200


@pytest.mark.parametrize("pause", [0, 0.02])
@pytest.mark.parametrize("busy", [False, True])
async def test_an_answer_too_many_is_not_taken_for_the_next_call_s(pause, busy):
    """What comes unasked on a kept connection belongs to nobody; such a connection is not used again."""
    extra = b'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{"id":"re_STALE"}'
    heard, said = [], threading.Event()

    def serve(listening):
        while True:
            visit, _ = listening.accept()
            threading.Thread(target=attend, args=(visit,), daemon=True).start()

    def attend(visit):
        with visit, suppress(OSError):
            while request := visit.recv(65536):
                heard.append(request)
                visit.sendall(
                    b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n" + OK
                )
                time.sleep(pause)
                visit.sendall(extra)
                said.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        async with open_session() as session:
            for _ in range(4):
                answer = await told(session, refund(f"http://127.0.0.1:{listening.getsockname()[1]}/"))
                assert answer.result == {"refund": "re_1"}
                if busy:
                    assert said.wait(30)  # holding the loop is the point
                else:
                    assert await asyncio.to_thread(said.wait, 30)
                    await asyncio.sleep(0.05)
                said.clear()
    assert len(heard) == 4
