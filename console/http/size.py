"""A body that is too large is refused before it is read to the end: at the server's edge, for every address."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from django.template.loader import render_to_string

from console.exact import canonical
from console.http.parsing import LARGEST_BODY, LARGEST_WITH_FILES
from console.http.problems import MEDIA_TYPE, TOO_LARGE, document

Scope: TypeAlias = dict[str, Any]
Message: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


API = "/api/"
# Where evidence comes with its files, by REST and by the forms on pages; and where an agent keeps its state.
WITH_FILES = re.compile(
    r"/api/v1/(effects/[0-9a-fA-F-]{36}/resolutions|compensations/[0-9a-fA-F-]{36}/(files|resolve)|runs/[0-9a-fA-F-]{36}/checkpoint)\Z"
    r"|/runs/[0-9a-f-]{36}/effects/[0-9]{1,9}/find\Z|/compensation/[0-9a-f-]{36}/(file|resolve)\Z"
)


class _TooMuch(Exception):
    """More came than is taken."""


def limited(app: App) -> App:
    """Wrap an ASGI application so that no request brings more than the largest body."""

    async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        largest = LARGEST_WITH_FILES if WITH_FILES.match(scope["path"]) else LARGEST_BODY
        if _announced(scope) > largest:
            await _refuse(scope, send)
            return
        came = 0

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > largest:
                raise _TooMuch
            return message

        try:
            await app(scope, counted, send)
        except _TooMuch:
            await _refuse(scope, send)

    return bounded


def _announced(scope: Scope) -> int:
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(value) if value.isdigit() else 0


async def _refuse(scope: Scope, send: Send) -> None:
    """Answer with a problem below the API's address, and with a page elsewhere."""
    if scope["path"].startswith(API):
        kind, body = MEDIA_TYPE, canonical(document("too_large", 413, TOO_LARGE)).encode()
    else:
        kind, body = "text/html; charset=utf-8", render_to_string("413.html").encode()
    headers = [
        (b"content-type", kind.encode()),
        (b"cache-control", b"no-store"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
