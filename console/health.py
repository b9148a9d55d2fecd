"""Whether this process lives, and whether it may be sent work: told before anything else is asked, under whatever name it is reached.

Nothing here names a tenant, a role, a host or a secret."""

import asyncio
import concurrent.futures
import json
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.utils.decorators import sync_and_async_middleware

from console import signs
from console.probe import Probe
from console.signs import Sign

LIVE = ("/health", "/health/live")
READY = ("/health/ready", "/ready")
PATIENCE_SECONDS = 1.5
Handler = Callable[[HttpRequest], Any]
Look = Future[dict[str, Sign]]
DATABASE, BELL = Probe(signs.look_at_database), Probe(signs.look_at_bell)


@sync_and_async_middleware
def answered_first(get_response: Handler) -> Handler:
    """Answer for this process's health, and hand on everything else. A load balancer knows none of our names, and is asked for none."""
    if iscoroutinefunction(get_response):

        async def amiddleware(request: HttpRequest) -> HttpResponseBase:
            if request.path_info in READY and request.method in {"GET", "HEAD"}:
                looks = begun()
                await asyncio.wait([asyncio.wrap_future(look) for look in looks], timeout=patience())
                return ready(looks)
            response: HttpResponseBase = _answer(request) or await get_response(request)
            return response

        return amiddleware

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info in READY and request.method in {"GET", "HEAD"}:
            return ready(waited_for(begun()))
        response: HttpResponseBase = _answer(request) or get_response(request)
        return response

    return middleware


def begun() -> tuple[Look, Look]:
    """Begin to look at the database and at the bell, or join those who look already."""
    return DATABASE.begin(), BELL.begin()


def patience() -> float:
    """Give how long to wait for both: at most a second and a half from when they began."""
    return max(DATABASE.left(PATIENCE_SECONDS), BELL.left(PATIENCE_SECONDS))


def waited_for(looks: tuple[Look, Look]) -> tuple[Look, Look]:
    """Wait for both, no longer than the patience lasts."""
    concurrent.futures.wait(looks, timeout=patience())
    return looks


def seen(looks: tuple[Look, Look]) -> dict[str, Sign]:
    """Give what was seen; what did not answer in time hangs."""
    database, bell = looks
    hung = signs.database_is("hung", "The database does not answer in time: nothing can be read, accepted or decided.")
    found = {**_or_hung(database, hung), **_or_hung(bell, signs.bell_is("hung"))}
    return {name: found[name] for name in ("database", "migrations", "bell", "clock", "workers")}


def _or_hung(look: Look, hung: dict[str, Sign]) -> dict[str, Sign]:
    return look.result() if look.done() else hung


def ready(looks: tuple[Look, Look]) -> HttpResponse:
    """Say how each part is: 503 without the database or with migrations to come; what else is amiss only slows it."""
    found = seen(looks)
    status = signs.status(found)
    checks = {name: sign.document() for name, sign in found.items()}
    return _said({"status": status, "checks": checks}, 503 if status == "not_ready" else 200)


def _answer(request: HttpRequest) -> HttpResponse | None:
    """Say that this process lives, to whoever asks that; None to everybody else."""
    if request.path_info not in LIVE + READY:
        return None
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    return _said({"status": "live"}, 200)


def _said(document: Any, status: int) -> HttpResponse:
    answer = HttpResponse(json.dumps(document), status=status, content_type="application/json")
    answer["Cache-Control"] = "no-store"
    answer["X-Content-Type-Options"] = "nosniff"
    if status == 503:
        answer["Retry-After"] = "2"
    return answer
