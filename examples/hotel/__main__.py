"""Open the hotel: python -m examples.hotel --port 8702 --register PATH.

HOTEL_TOKEN is the token it asks for; without it, the one that the product shows: COUNTERFOIL_SECRET_HOTEL_TOKEN."""

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

from examples.bank.ledger import Ledger
from examples.bank.wire import listen
from examples.hotel.reception import Reception
from examples.hotel.register import Register


def options(given: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m examples.hotel", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8702, help="0 takes any free one; the READY line names it")
    parser.add_argument("--register", type=Path, required=True, help="the file that bookings are appended to")
    return parser.parse_args(given)


async def serve(given: argparse.Namespace, token: str) -> int:
    """Serve until SIGTERM or SIGINT."""
    ledger = Ledger(given.register, fsync=True)
    try:
        server = await listen(Reception(Register(ledger), token).serve, given.host, given.port)
    except OSError as error:
        print(f"hotel: cannot listen on {given.host}:{given.port}: {error.strerror}", file=sys.stderr)
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
    """Open the hotel, if it has a token to ask for."""
    token = os.environ.get("HOTEL_TOKEN") or os.environ.get("COUNTERFOIL_SECRET_HOTEL_TOKEN")
    if not token:
        print("hotel: HOTEL_TOKEN is not set: it is the token that callers must show.", file=sys.stderr)
        return 1
    return asyncio.run(serve(options(), token))


if __name__ == "__main__":
    sys.exit(main())
