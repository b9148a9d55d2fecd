"""The pages' own files, answered before Django is asked, so that no request waits for a thread on their account."""

import asyncio
import os
import warnings
from typing import Any

from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]
from whitenoise.responders import StaticFile  # type: ignore[import-untyped]

from console.http.size import App, Receive, Scope, Send

CHUNK = 64 * 1024


class Files(WhiteNoiseMiddleware):
    """The files as WhiteNoise finds them at the start, each looked at again when it has changed since."""

    def get_static_file(self, path: str, url: str, stat_cache: Any = None) -> StaticFile:
        """Prepare a file, remembering how it was."""
        file = super().get_static_file(path, url, stat_cache)
        file.path, file.was = path, _looks(path)
        return file

    def at(self, url: str) -> StaticFile | None:
        """Give the file at this address as it is now."""
        file = self.files.get(url)
        if file is not None and _looks(file.path) != file.was:
            file = self.files[url] = self.get_static_file(file.path, url)
        return file


class FilesFirst:
    """Answers for the static files, and hands everything else on. WhiteNoise finds them and writes the headers."""

    def __init__(self, app: App) -> None:
        self.app = app
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # that nothing was collected
            self.files = Files(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self.files.at(scope["path"]) if scope["type"] == "http" else None
        if file is None:
            await self.app(scope, receive, send)
        else:
            await self.answer(file, scope, send)

    async def answer(self, file: StaticFile, scope: Scope, send: Send) -> None:
        """Send the file, or 304 where the browser has it."""
        asked = {name.decode().upper().replace("-", "_"): value.decode("latin-1") for name, value in scope["headers"]}
        made = file.get_response(scope["method"], {f"HTTP_{name}": value for name, value in asked.items()})
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in made.headers]
        headers.append((b"x-content-type-options", b"nosniff"))
        await send({"type": "http.response.start", "status": int(made.status), "headers": headers})
        try:
            while made.file and (chunk := await asyncio.to_thread(made.file.read, CHUNK)):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            if made.file:
                made.file.close()
        await send({"type": "http.response.body", "body": b""})


def _looks(path: str) -> tuple[int, int]:
    try:
        seen = os.stat(path)  # noqa: PTH116 - on every request, so nothing is made of it
    except OSError:
        return 0, 0
    return seen.st_mtime_ns, seen.st_size
