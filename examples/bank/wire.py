"""Just enough HTTP/1.1 to be a server whose every answer, and silence, is ours to choose."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import partial
from http import HTTPStatus
from time import time
from typing import cast
from urllib.parse import parse_qsl, unquote

MOST_HEAD_BYTES = 32768
MOST_BODY_BYTES = 1 << 20
REASONS = {status.value: status.phrase for status in HTTPStatus}


@dataclass(slots=True)
class Request:
    """One request, read whole."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes

    def asked(self, name: str) -> str | None:
        """Give a parameter of the query."""
        return dict(parse_qsl(self.query)).get(name)


@dataclass(slots=True)
class Reply:
    """What goes back: a status with a body, or raw bytes, or nothing; and what becomes of the connection."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None  # sent as it is instead of status, headers and body
    then: str = "keep"  # keep | close | abort | hang


DROP = Reply(raw=b"", then="close")
HANG = Reply(raw=b"", then="hang")

Handler = Callable[[Request], "Reply | Coroutine[None, None, Reply]"]


class Malformed(Exception):
    """What came cannot be read as a request; the status to refuse it with is its first argument."""


class Connection(asyncio.Protocol):
    """One client: its requests are answered in turn, and what is being done goes on when it hangs up."""

    def __init__(self, handle: Handler) -> None:
        self._handle = handle
        self._unread = b""
        self._working: asyncio.Task[Reply] | None = None
        self._transport: asyncio.Transport | None = None
        self._deaf = False  # a client that is left hanging is heard no more

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note where answers go."""
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client; its work is finished all the same."""
        self._transport = None

    def data_received(self, data: bytes) -> None:
        """Take bytes in, and serve what they complete."""
        self._unread += data
        self._serve()

    def _serve(self) -> None:
        while self._transport is not None and self._working is None and not self._deaf:
            try:
                request, self._unread = read(self._unread)
            except Malformed as refused:
                self._send(Reply(status=refused.args[0], then="close"))
                return
            if request is None:
                return
            doing = self._treated(request)
            if isinstance(doing, Reply):
                self._send(doing)
            else:
                self._working = asyncio.get_running_loop().create_task(doing)
                self._working.add_done_callback(self._worked)

    def _treated(self, request: Request) -> Reply | Coroutine[None, None, Reply]:
        try:
            return self._handle(request)
        except Exception as failure:  # noqa: BLE001 - whatever is wrong with one request, the bank stays open
            return _failed(failure)

    def _worked(self, task: asyncio.Task[Reply]) -> None:
        self._working = None
        if task.cancelled():
            self._send(DROP)
        elif failure := task.exception():
            self._send(_failed(failure))
        else:
            self._send(task.result())
        self._serve()

    def _send(self, reply: Reply) -> None:
        transport = self._transport
        if transport is None:
            return
        transport.write(written(reply) if reply.raw is None else reply.raw)
        if reply.then == "hang":
            self._deaf = True
        elif reply.then == "close":
            transport.close()
            self._transport = None
        elif reply.then == "abort":
            transport.abort()
            self._transport = None


def _failed(failure: BaseException) -> Reply:
    print(f"bank: {type(failure).__name__}: {failure}", file=sys.stderr, flush=True)
    return Reply(500, then="close")


def read(data: bytes) -> tuple[Request | None, bytes]:
    """Take one request off the bytes, or none while it is incomplete; Malformed when it never will be one."""
    end = data.find(b"\r\n\r\n")
    if end < 0:
        if len(data) > MOST_HEAD_BYTES:
            raise Malformed(431)
        return None, data
    first, *lines = data[:end].decode("latin-1").split("\r\n")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    words = first.split(" ")
    length = headers.get("content-length", "0")
    if len(words) != 3 or not length.isdigit():
        raise Malformed(400)
    if "transfer-encoding" in headers:
        raise Malformed(411)
    if int(length) > MOST_BODY_BYTES:
        raise Malformed(413)
    start, stop = end + 4, end + 4 + int(length)
    if len(data) < stop:
        return None, data
    path, _, query = words[1].partition("?")
    return Request(words[0], unquote(path), query, headers, data[start:stop]), data[stop:]


def written(reply: Reply) -> bytes:
    """Write an answer out."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
    kind = "" if "Content-Type" in reply.headers else "Content-Type: application/json\r\n"
    close = "Connection: close\r\n" if reply.then != "keep" else ""
    head = (
        f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Answer')}\r\n{kind}{close}{lines}"
        f"Content-Length: {len(reply.body)}\r\nDate: {_date(int(time()))}\r\n\r\n"
    )
    return head.encode("latin-1") + reply.body


_dates: dict[int, str] = {}


def _date(second: int) -> str:
    if second not in _dates:
        _dates.clear()
        _dates[second] = formatdate(second, usegmt=True)
    return _dates[second]


async def listen(handle: Handler, host: str, port: int) -> asyncio.Server:
    """Open the door; port 0 takes any free one."""
    return await asyncio.get_running_loop().create_server(partial(Connection, handle), host, port, backlog=1024)
