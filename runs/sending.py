"""One request on one connection: sent in one write and never again, so that it is exactly known what may have left.

aiohttp pools the connections and reads the answers; writing is ours. Left to itself it resends GET, PUT, DELETE and the
like when a kept connection turns out to be closed, and takes what came unasked on a kept connection for the next call's
answer; a session opened here does neither."""

import asyncio
import select
import ssl
from typing import Any, Final

import aiohttp
from aiohttp.client_reqrep import ClientRequest, ClientResponse
from aiohttp.connector import Connection
from aiohttp.http_writer import _serialize_headers
from multidict import CIMultiDictProxy

from console.crashpoint import crashpoint
from runs.leases import demand_lease

# Shorter than the idle limit of every common server (2 s and more), so that we seldom write to one that is hanging up.
KEEP_IDLE_SECONDS: Final = 1.0
_HUNG_UP: Final = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR


class HungUp(aiohttp.ClientConnectionError):
    """The other side had closed the connection, or spoken unasked, before anything was written to it."""


class Sending:
    """The bytes to send, whether they may have left, and what came back so far."""

    __slots__ = ("body", "compensates", "headers", "received", "sent", "status")

    def __init__(self, body: bytes | None, *, compensates: bool = False) -> None:
        self.body, self.compensates = body, compensates
        self.sent = False
        self.status: int | None = None
        self.headers: dict[str, str] = {}  # by lower-case name
        self.received = bytearray()

    def begins(self, status: int, headers: CIMultiDictProxy[str]) -> None:
        """Note the head of the answer; a name that comes several times is one list, as RFC 9110 has it."""
        self.status = status
        said = self.headers
        for name, value in headers.items():
            low = name.lower()
            text = value if value.isascii() else plain(value)
            said[low] = f"{said[low]}, {text}" if low in said else text


def plain(text: str) -> str:
    """Make text fit to be kept: no NUL, and nothing that is no character."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


class _Written:
    """What aiohttp's response wants of a stream writer that has finished."""

    output_size = 0


class OneShotRequest(ClientRequest):
    """A request whose head and body leave in a single write; `data` is its Sending."""

    sending: Sending

    def update_body_from_data(self, body: Any, _stacklevel: int = 3) -> None:
        """Take the sending instead of a payload, and say its length."""
        self.sending = body
        if body.body is not None:
            self.headers["Content-Length"] = str(len(body.body))
        elif self.method not in self.GET_METHODS:
            self.headers["Content-Length"] = "0"

    async def send(self, conn: Connection) -> ClientResponse:
        """Write everything at once. From the line that sets `sent`, bytes may have left; before it, none has."""
        sending = self.sending
        transport = conn.transport
        message = _serialize_headers(f"{self.method} {self.url.raw_path_qs} HTTP/1.1", self.headers)
        if sending.body:
            message += sending.body
        if transport is None or await _is_used_up(conn, transport):
            raise HungUp("The connection could not be used any more before anything was written to it.")
        demand_lease()
        sending.sent = True
        transport.write(message)
        crashpoint("dispatch.bytes_sent")
        if sending.compensates:
            crashpoint("compensate.sent")
        self.response = self.response_class(
            self.method,
            self.original_url,
            writer=None,
            continue100=None,
            timer=self._timer,
            request_info=self.request_info,
            traces=self._traces,
            loop=self.loop,
            session=self.session,
            stream_writer=_Written,  # type: ignore[arg-type]
        )
        return self.response


def open_session(*, connections: int = 0, trust: ssl.SSLContext | None = None) -> aiohttp.ClientSession:
    """Open the client a shift calls with, inside its own loop and after its fork.

    `connections` bounds the pool (0: not at all); `trust` replaces the authorities that the machine trusts.

    It follows no redirect unasked, keeps no cookie, heeds no proxy variable and has no clock of its own."""
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=connections, keepalive_timeout=KEEP_IDLE_SECONDS, ssl=trust or True),
        cookie_jar=aiohttp.DummyCookieJar(),
        request_class=OneShotRequest,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
        trust_env=False,
    )
    session._retry_connection = False  # no public switch; a test counts what arrives
    return session


async def _is_used_up(conn: Connection, transport: Any) -> bool:
    """Say whether the other side has hung up or said something since the last answer, read by our loop or still unread."""
    if transport.is_closing() or conn.protocol is None or conn.protocol.should_close:
        return True
    unread = _unread(transport)
    if not unread:
        return False
    if unread & _HUNG_UP or transport.get_extra_info("sslcontext") is None:
        return True
    for _ in range(2):  # with TLS it may be no more than a session ticket: the loop's next turn reads it
        await asyncio.sleep(0)
    return bool(transport.is_closing() or conn.protocol.should_close)


def _unread(transport: Any) -> int:
    """Ask the kernel what our loop has not read yet: the poll(2) events that stand for the socket."""
    sock = transport.get_extra_info("socket")
    if sock is None:
        return 0
    poll = select.poll()
    poll.register(sock.fileno(), select.POLLIN | _HUNG_UP)
    events = poll.poll(0)
    return events[0][1] if events else 0
