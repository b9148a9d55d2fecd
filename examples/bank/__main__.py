"""Open the bank: python -m examples.bank --port 8701 --ledger PATH.

BANK_TOKEN is the token it asks for; without it, the one that the product shows: COUNTERFOIL_SECRET_BANK_TOKEN. What it tells by itself is
signed with BANK_CALLBACK_SECRET, or COUNTERFOIL_SECRET_BANK_CALLBACK."""

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

from examples.bank.book import Book
from examples.bank.counter import Counter
from examples.bank.demo import gentle
from examples.bank.ledger import Ledger
from examples.bank.switches import Switches
from examples.bank.wire import listen


def options(given: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m examples.bank", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8701, help="0 takes any free one; the READY line names it")
    parser.add_argument("--ledger", type=Path, required=True, help="the file that what was done is appended to")
    parser.add_argument("--fsync", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--idempotency", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--latency-ms", type=float, default=0.0, help="how long each effect takes")
    parser.add_argument("--callback-url", default="", help="whom it tells of what it took on, when that is done")
    parser.add_argument("--demo", action="store_true", help="behave well mostly, and now and then as the world does")
    return parser.parse_args(given)


async def serve(given: argparse.Namespace, token: str) -> int:
    """Serve until SIGTERM or SIGINT."""
    ledger = Ledger(given.ledger, fsync=given.fsync)
    switches = Switches(
        idempotency=given.idempotency, latency_seconds=given.latency_ms / 1000, callback_url=given.callback_url
    )
    secret = os.environ.get("BANK_CALLBACK_SECRET") or os.environ.get("COUNTERFOIL_SECRET_BANK_CALLBACK", "")
    counter = Counter(Book(ledger), token, switches, gentle if given.demo else None, secret)
    try:
        server = await listen(counter.serve, given.host, given.port)
    except OSError as error:
        print(f"bank: cannot listen on {given.host}:{given.port}: {error.strerror}", file=sys.stderr)
        return 1
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    print(f"READY http://{given.host}:{server.sockets[0].getsockname()[1]}", flush=True)
    await stop.wait()
    server.close()
    await ledger.close()
    return 0


def main() -> int:
    """Open the bank, if it has a token to ask for."""
    token = os.environ.get("BANK_TOKEN") or os.environ.get("COUNTERFOIL_SECRET_BANK_TOKEN")
    if not token:
        print("bank: BANK_TOKEN is not set: it is the token that callers must show.", file=sys.stderr)
        return 1
    return asyncio.run(serve(options(), token))


if __name__ == "__main__":
    sys.exit(main())
