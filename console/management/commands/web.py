"""`manage.py web`: the web server, in this process; SIGTERM lets requests under way end."""

import signal
from typing import Any

import uvicorn
from django.core.management.base import BaseCommand, CommandParser

from console import env

GRACE_SECONDS = 10  # for requests under way: a long poll or a stream is ended then, and its client asks again


class Command(BaseCommand):
    """Serve pages and API until told to stop."""

    help = "Serve pages and API on PORT until told to stop; SIGTERM lets requests under way end."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on; 0.0.0.0 in a container")

    def handle(self, *args: Any, **options: Any) -> None:
        from console.asgi import application  # noqa: PLC0415 - it refuses to be loaded where it may not serve

        # The server takes these signals over while it serves, and raises them again at its end: to be stopped is no failure.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, frame: None)
        uvicorn.run(
            application, host=options["host"], port=env.whole("PORT", 8000, least=1, most=65535), log_config=None, access_log=False,
            server_header=False, timeout_graceful_shutdown=GRACE_SECONDS, lifespan="off",
        )  # fmt: skip
