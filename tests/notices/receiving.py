"""Receivers on loopback: a web server that answers as it is told, and a mail server that takes everything or nothing."""

import asyncio
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A web server that keeps what it gets, and answers each request by the next of `answers`, or by 204."""

    url: str = ""
    port: int = 0
    got: list[Received] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    hold: threading.Event | None = None  # set: a request waits for it before it is answered

    def next_answer(self) -> tuple[int, dict[str, str], bytes]:
        """Give what the next request is answered."""
        return self.answers.pop(0) if self.answers else (204, {}, b"")


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Serve on a free port of loopback inside the block."""
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            kept.got.append(Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if kept.hold is not None:
                kept.hold.wait(100)
            status, headers, said = kept.next_answer()
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(said))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    kept.port = server.server_address[1]
    kept.url = f"http://127.0.0.1:{kept.port}/in"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield kept
    finally:
        if kept.hold is not None:
            kept.hold.set()
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Post:
    """A mail server that keeps what it takes; with `refuses` it turns every recipient away by that code."""

    port: int = 0
    got: list[tuple[str, str]] = field(default_factory=list)  # recipient, message
    refuses: int = 0
    drips: float = 0  # seconds before each single letter of its answers to what is handed over


@contextmanager
def post_office() -> Iterator[Post]:
    """Serve mail on a free port of loopback inside the block: enough of SMTP for Python's own client."""
    kept, ended = Post(), threading.Event()

    class Talk(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            to = ""
            self.say("220 here")
            while line := self.rfile.readline().decode().strip():
                verb = line[:4].upper()
                if verb == "RCPT":
                    to = line.partition("<")[2].rstrip(">")
                    self.say(f"{kept.refuses} no such mailbox" if kept.refuses else "250 ok")
                elif verb == "DATA":
                    self.say("354 go on")
                    lines = []
                    while (text := self.rfile.readline().decode().rstrip("\r\n")) != ".":
                        lines.append(text)
                    kept.got.append((to, "\n".join(lines)))
                    self.say("250 taken", kept.drips)
                elif verb == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 ok")

        def say(self, text: str, drips: float = 0) -> None:
            for part in text if drips else [text]:
                if ended.wait(drips):
                    return
                self.wfile.write(part.encode())
            self.wfile.write(b"\r\n")

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = daemon_threads = True

    server = Server(("127.0.0.1", 0), Talk)
    kept.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield kept
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def looked_up(monkeypatch: Any, answers: dict[str, list[str]]) -> list[str]:
    """Let names lead to these addresses, in turn: each look-up of a name takes the next and stays at the last. Gives the look-ups."""
    asked: list[str] = []

    async def getaddrinfo(self: Any, host: Any, port: Any, **_: Any) -> list[Any]:
        name = str(host)
        asked.append(name)
        numbers = answers.get(name)
        if numbers is None:
            raise socket.gaierror(-2, "Name or service not known")
        number = numbers.pop(0) if len(numbers) > 1 else numbers[0]
        family = socket.AF_INET6 if ":" in number else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (number, port))]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)
    return asked
