"""A process killed at a crash point of the call: before the socket nothing arrived, after the write everything did."""

import asyncio
import os
import signal
import sys

import pytest

from console.env import BASE_DIR
from runs import leases
from runs.sending import open_session
from runs.wire import Answer
from tests.runs.calling import OK, refund, told
from tests.runs.misbehaving import server

ONE_CALL = """
import asyncio, sys
from runs.sending import open_session
from tests.runs.calling import refund, told

async def main():
    async with open_session() as session:
        print((await told(session, refund(sys.argv[1]))).outcome)

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("place", "arrived"),
    [("dispatch.before_socket", 0), ("dispatch.bytes_sent", 1), ("dispatch.response_received", 1)],
)
async def test_what_had_arrived_when_it_was_killed(place, arrived):
    async def serve(visit):
        while await visit.hear():
            await visit.answer(OK)

    async with server(serve) as there:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", ONE_CALL, there.url,
            cwd=BASE_DIR, env={**os.environ, "CRASH_AT": f"{place}:1:kill"}, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, _ = await process.communicate()
        await there.has_heard(arrived)
        assert (process.returncode, out) == (-signal.SIGKILL, b"")
        assert [heard.endswith(b'{"amount":"12.50"}') for heard in there.heard] == [True] * arrived


async def test_what_has_not_left_when_its_lease_is_over_does_not_leave_any_more():
    async def serve(visit):
        while await visit.hear():
            await visit.answer(OK)

    async def call_with(ends: float) -> Answer:
        leases.hold_until(lambda: ends)
        async with open_session() as session:
            return await told(session, refund(there.url))

    async with server(serve) as there:
        too_late = await asyncio.create_task(call_with(leases.now()))
        assert (too_late.outcome, too_late.sent, len(there.heard)) == ("not_sent", False, 0)
        in_time = await asyncio.create_task(call_with(leases.now() + 30))
        assert (in_time.outcome, len(there.heard)) == ("succeeded", 1)
