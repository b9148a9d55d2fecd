"""Long polls: the plain GET, asked again when the bell rings, until its answer is news or the time is up.

While nothing happens no thread works for the request and no connection to the database is held."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import HttpRequest, HttpResponseBase, QueryDict
from rest_framework.response import Response
from rest_framework.views import APIView

from console.http import listening, problems
from console.http.asked import Asked, BadParameter
from console.http.listening import ear, rung
from console.http.straight import rendered

LONGEST_WAIT = 60
WAITING = ("wait", "known")
_SECONDS = re.compile(r"([1-9][0-9]?)s\Z")
_KNOWN = re.compile(r"[a-z][a-z_]{0,39}\Z|0\Z|[1-9][0-9]{0,18}\Z")
_readers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="long-poll")
View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def long_poll(door: type[APIView], member: str) -> View:
    """Make the async view of a thing's address: `?wait=30s&known=…` waits until `member` of the answer is no longer what is known.

    The subject of the news is the id in the address."""
    plain = door.as_view()

    async def view(request: HttpRequest, **named: Any) -> HttpResponseBase:
        if request.method != "GET" or "wait" not in request.GET:
            return await sync_to_async(rendered)(plain, request, **named)
        try:
            return await _wait(lambda: rendered(plain, request, **named), request, str(named["id"]), member)
        except Exception as fault:  # noqa: BLE001 - an async view has nobody else who makes problems of its faults
            return problems.answer(fault, request)

    view.cls = door  # type: ignore[attr-defined]  # where the description of the API looks
    view.initkwargs = {}  # type: ignore[attr-defined]
    view.csrf_exempt = True  # type: ignore[attr-defined]
    return view


async def _wait(read: Callable[[], Response], request: HttpRequest, subject: str, member: str) -> Response:
    loop = asyncio.get_running_loop()
    began = loop.time()
    with ear().listening(subject) as bell:
        response = await _read(read)
        if response.status_code != 200:
            return response
        end = began + seconds(request.GET["wait"])
        known = request.GET.get("known", str(response.data[member]))
        while str(response.data[member]) == known and (left := end - loop.time()) > 0:
            await rung(bell, min(left, listening.LOOK_AGAIN_SECONDS))
            response = await _read(read)
            if response.status_code != 200:
                break
        return response


async def _read(read: Callable[[], Response]) -> Response:
    return await sync_to_async(_released, thread_sensitive=False, executor=_readers)(read)


def _released(read: Callable[[], Response]) -> Response:
    """Read, and hold no connection afterwards."""
    try:
        return read()
    finally:
        for connection in connections.all(initialized_only=True):
            connection.close()


def check(query: QueryDict) -> None:
    """Refuse what cannot be read of `wait` and `known`, also where nobody waits. Raises UnknownParameter, BadParameter."""
    asked = Asked(query, WAITING)
    if "wait" in query:
        seconds(str(query["wait"]))
    if "known" in query and not _KNOWN.match(str(query["known"])):
        raise asked.bad("known", "is the state, or the version, that you know")


def seconds(text: str) -> int:
    """Read `wait`. Raises BadParameter."""
    found = _SECONDS.match(text)
    if found is None or int(found[1]) > LONGEST_WAIT:
        raise BadParameter(
            f"`wait` is a whole number of seconds from 1s to {LONGEST_WAIT}s, such as 30s.", parameter="wait"
        )
    return int(found[1])
