"""The ASGI application. Files of our own are answered before Django, so that no request waits for a thread on their account."""

import asyncio
import os
import warnings
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from django.core.asgi import get_asgi_application
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]
from whitenoise.responders import StaticFile  # type: ignore[import-untyped]

from console import durability
from console.http.size import limited

Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
CHUNK = 64 * 1024


class FilesFirst:
    """Answers for the static files, and hands everything else on. WhiteNoise finds them and writes the headers."""

    def __init__(self, app: App) -> None:
        self.app = app
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # that nothing was collected
            self.known = WhiteNoiseMiddleware(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self.found(scope["path"]) if scope["type"] == "http" else None
        if file is None:
            await self.app(scope, receive, send)
        else:
            await self.answer(file, scope, send)

    def found(self, path: str) -> StaticFile | None:
        """Give the file at this address."""
        return self.known.find_file(path) if self.known.autorefresh else self.known.files.get(path)

    async def answer(self, file: StaticFile, scope: Scope, send: Send) -> None:
        """Send the file, or 304 where the browser has it."""
        headers = {
            f"HTTP_{name.decode().upper().replace('-', '_')}": value.decode("latin-1")
            for name, value in scope["headers"]
        }
        made = file.get_response(scope["method"], headers)
        told = [(name.lower().encode(), value.encode("latin-1")) for name, value in made.headers]
        await send({"type": "http.response.start", "status": int(made.status), "headers": told})
        try:
            while made.file and (chunk := await asyncio.to_thread(made.file.read, CHUNK)):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            if made.file:
                made.file.close()
        await send({"type": "http.response.body", "body": b""})


application = limited(FilesFirst(get_asgi_application()))
durability.require()
