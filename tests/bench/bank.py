"""The bank that everybody calls here: a process that answers at once, keeps connections, and counts calls and distinct keys.

POST /pay answers at once; POST /pay/NAME as well, and remembers when it came; POST /slow/MS answers after so many milliseconds.
GET /counts, GET /arrivals and POST /reset are for whoever measures.
"""

import asyncio
import json
import time
from typing import cast

ANSWER = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}'
KEY = b"\r\nidempotency-key:"
LENGTH = b"\r\ncontent-length:"


class Counter:
    """What the bank has seen since the last reset."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.calls = self.in_flight = self.most_in_flight = 0
        self.keys: set[bytes] = set()
        self.arrivals: dict[str, int] = {}  # name -> time.monotonic_ns(), one clock for all processes of a machine

    def counts(self) -> dict[str, int]:
        """Give the counts."""
        distinct = len(self.keys)
        return {
            "calls": self.calls,
            "distinct": distinct,
            "duplicates": self.calls - distinct,
            "in_flight": self.in_flight,
            "most_in_flight": self.most_in_flight,
        }


class Till(asyncio.Protocol):
    """One connection; a client sends its next request when it has the answer to the last."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter
        self.unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.unread += data
        while (end := self.unread.find(b"\r\n\r\n")) >= 0:
            head = self.unread[: end + 2]
            low = head.lower()
            whole = end + 4 + int(header(low, head, LENGTH) or 0)
            if len(self.unread) < whole:
                return
            self.unread = self.unread[whole:]
            self.serve(head.split(b" ", 2)[1].decode(), header(low, head, KEY))

    def serve(self, path: str, key: bytes) -> None:
        """Answer one request."""
        _, place, *rest = path.split("/")
        counter = self.counter
        if place in {"pay", "slow"}:
            counter.calls += 1
            counter.keys.add(key)
            counter.in_flight += 1
            counter.most_in_flight = max(counter.most_in_flight, counter.in_flight)
            if rest and place == "pay":
                counter.arrivals.setdefault(rest[0], time.monotonic_ns())
            if place == "slow":
                asyncio.get_running_loop().call_later(int(rest[0]) / 1000, self.pay)
            else:
                self.pay()
        elif place == "reset":
            counter.reset()
            self.say({})
        else:
            self.say(counter.arrivals if place == "arrivals" else counter.counts())

    def pay(self) -> None:
        """Say that it is done."""
        self.counter.in_flight -= 1
        if not self.transport.is_closing():
            self.transport.write(ANSWER)

    def say(self, value: dict[str, int]) -> None:
        """Answer whoever measures."""
        body = json.dumps(value).encode()
        self.transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )


def header(low: bytes, head: bytes, name: bytes) -> bytes:
    """Give a header's value from a head whose lower-case copy is at hand."""
    begin = low.find(name)
    if begin < 0:
        return b""
    begin += len(name)
    return head[begin : head.index(b"\r\n", begin)].strip()


async def serve() -> None:
    """Serve on a free port of loopback and print it."""
    counter = Counter()
    server = await asyncio.get_running_loop().create_server(lambda: Till(counter), "127.0.0.1", 0, backlog=4096)
    print(json.dumps({"ready": True, "port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())
