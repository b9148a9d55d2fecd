"""Servers of a few lines that hear exactly what arrives and answer exactly as they are told."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import cast

from tests.processes import comes

Serve = Callable[["Visit"], Awaitable[None]]


class Visit:
    """One connection: what was heard on it, and means to answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, heard: list[bytes]) -> None:
        self.reader = reader
        self.writer = writer
        self.heard = heard

    async def hear(self) -> bytes:
        """Read one whole request; empty when the client has gone."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as ended:
            return ended.partial
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        request = head + (await self.reader.readexactly(length) if length else b"")
        self.heard.append(request)
        return request

    async def say(self, raw: bytes) -> None:
        """Write these bytes."""
        self.writer.write(raw)
        await self.writer.drain()

    async def answer(
        self, body: bytes, status: str = "201 Created", *headers: str, kind: str = "application/json"
    ) -> None:
        """Write a whole answer."""
        lines = "".join(f"{line}\r\n" for line in (f"Content-Type: {kind}", *headers))
        await self.say(f"HTTP/1.1 {status}\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def hang_up(self) -> None:
        """Close the connection."""
        self.writer.close()

    def reset(self) -> None:
        """Break the connection off."""
        self.writer.transport.abort()


class Server:
    """Where it listens, and what it heard over all connections."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.connections = 0
        self.port = 0

    async def has_heard(self, requests: int) -> None:
        """Wait until so many requests were heard, and a moment for one too many."""

        async def enough() -> bool:
            return len(self.heard) >= requests

        assert await comes(enough), self.heard
        await asyncio.sleep(0.05)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def server(serve: Serve, *, tls: object = None) -> AsyncIterator[Server]:
    """Open a server that treats each connection by `serve`."""
    here = Server()
    visits: set[asyncio.Task] = set()

    async def visited(reader, writer):
        here.connections += 1
        visits.add(cast("asyncio.Task", asyncio.current_task()))
        try:
            await serve(Visit(reader, writer, here.heard))
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(visited, "127.0.0.1", 0, ssl=tls)
    here.port = listening.sockets[0].getsockname()[1]
    try:
        yield here
    finally:
        listening.close()
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
