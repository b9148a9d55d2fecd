"""The HTTP client of the peers that work in threads: one kept connection for each, the standard library's."""

import http.client
import os
import socket
import threading

EFFECTS = 5
BODY = b'{"order":"order","amount":"1"}'
_kept = threading.local()


def pay(key: str) -> str:
    """Call the bank once under the key and give its answer."""
    connection: http.client.HTTPConnection | None = getattr(_kept, "connection", None)
    if connection is None:
        connection = http.client.HTTPConnection("127.0.0.1", int(os.environ["BENCH_BANK_PORT"]), timeout=30)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _kept.connection = connection
    connection.request("POST", "/pay", BODY, {"Idempotency-Key": key, "Content-Type": "application/json"})
    return connection.getresponse().read().decode()
