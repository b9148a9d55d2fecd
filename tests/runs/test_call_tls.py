"""The same over TLS, where the other side may send session tickets of its own accord."""

import asyncio
import ssl
import time

import pytest

from runs import sending
from runs.sending import open_session
from tests.runs.calling import OK, refund, told
from tests.runs.certificate import self_signed
from tests.runs.misbehaving import server


@pytest.fixture
def tls(tmp_path):
    return self_signed(tmp_path)


@pytest.fixture
async def session(tls, tmp_path, monkeypatch):
    monkeypatch.setattr(sending, "KEEP_IDLE_SECONDS", 60.0)  # however slow the machine is
    async with open_session(trust=ssl.create_default_context(cafile=tmp_path / "bank.pem")) as session:
        yield session


@pytest.mark.parametrize("busy", [False, True])
async def test_a_kept_connection_is_used_again(session, tls, busy):
    async def serve(visit):
        while await visit.hear():
            await visit.answer(OK)

    async with server(serve, tls=tls) as there:
        for _ in range(4):
            answer = await told(session, refund(f"https://127.0.0.1:{there.port}/"))
            assert answer.result == {"refund": "re_1"}
            if busy:
                time.sleep(0.02)  # noqa: ASYNC251 - holding the loop is the point
    assert (there.connections, len(there.heard)) == (1, 4)


async def test_an_answer_too_many_is_not_taken_for_the_next_call_s(session, tls):
    async def serve(visit):
        while await visit.hear():
            await visit.answer(OK)
            await asyncio.sleep(0.01)
            await visit.answer(b'{"id":"re_STALE"}')

    async with server(serve, tls=tls) as there:
        for _ in range(4):
            answer = await told(session, refund(f"https://127.0.0.1:{there.port}/"))
            assert answer.result == {"refund": "re_1"}
            await asyncio.sleep(0.03)
    assert len(there.heard) == 4


async def test_a_connection_hung_up_while_idle_is_passed_over(session, tls):
    async def serve(visit):
        await visit.hear()
        await visit.answer(OK)
        visit.hang_up()

    async with server(serve, tls=tls) as there:
        for _ in range(3):
            assert (await told(session, refund(f"https://127.0.0.1:{there.port}/"))).outcome == "succeeded"
            await asyncio.sleep(0.02)
    assert len(there.heard) == 3
