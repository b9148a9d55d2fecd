"""The first middleware: a request's id, its span, its line and its count. What happens inside it is written under that id."""

import re
import time
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Any, Final

import structlog
from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from django.utils.functional import LazyObject
from uuid_utils.compat import uuid7

from console.telemetry import context, traces
from console.telemetry.counting import count, observe
from console.telemetry.lines import ACCESS

HEADER: Final = "X-Request-ID"
SANE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}\Z")
QUIET: Final = frozenset({"/health", "/ready", "/metrics"})
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
log = structlog.stdlib.get_logger(ACCESS)


@sync_and_async_middleware
def told(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Tell of every request."""
    if iscoroutinefunction(get_response):

        async def amiddleware(request: HttpRequest) -> HttpResponseBase:
            answering: Callable[[HttpRequest], Awaitable[HttpResponseBase]] = get_response
            began, request_id = time.perf_counter(), id_of(request)
            with context.about(request=request_id), _span(request):
                return finished(request, await answering(request), request_id, began)

        return amiddleware

    def middleware(request: HttpRequest) -> HttpResponseBase:
        began, request_id = time.perf_counter(), id_of(request)
        with context.about(request=request_id), _span(request):
            return finished(request, get_response(request), request_id, began)

    return middleware


def id_of(request: HttpRequest) -> str:
    """Give the id that the caller named the request by, if it can be one, or a new one."""
    named = request.headers.get(HEADER, "")
    return named if SANE.match(named) else str(uuid7())


def finished(request: HttpRequest, response: HttpResponseBase, request_id: str, began: float) -> HttpResponseBase:
    """Give the id back, and tell how the request ended."""
    response.headers.setdefault(HEADER, request_id)
    seconds, route, who = time.perf_counter() - began, route_of(request), principal_of(request)
    status = response.status_code
    traces.name(f"{request.method} {route}")
    traces.note(
        http__request__method=request.method,
        http__route=route,
        http__response__status_code=status,
        request=request_id,
        **who,
    )
    if status >= 500:
        traces.failed(str(status))
    if not is_quiet(request):
        counted(request, route, status, seconds)
        say = log.warning if status >= 500 else log.info
        say(
            "request",
            method=request.method,
            route=route,
            path=request.path,
            status=status,
            ms=round(seconds * 1000, 1),
            **who,
        )
    return response


def is_quiet(request: HttpRequest) -> bool:
    """Tell whether somebody only looks whether we live, or how."""
    return request.path in QUIET or request.path.startswith("/health/")


def counted(request: HttpRequest, route: str, status: int, seconds: float) -> None:
    """Count the request; a long poll's time says how long nothing happened, and is no time to answer."""
    method = request.method if request.method in METHODS else "other"
    count("requests", method=method, route=route, status=status)
    if "wait=" not in request.META.get("QUERY_STRING", ""):
        observe("request_seconds", seconds, method=method, route=route)


def route_of(request: HttpRequest) -> str:
    """Give the address as it is written in urls.py, without ids; `none` where nothing lies."""
    found = getattr(request, "resolver_match", None)
    return "none" if found is None else f"/{found.route}"


def principal_of(request: HttpRequest) -> dict[str, str]:
    """Give tenant and kind of whoever asked: the agent of a key, or the member whom the door let in."""
    by = getattr(request, "by", None) or request.__dict__.get("user")
    if isinstance(by, LazyObject):  # looking at it would ask the database, and says less than the door did
        return {}
    tenant, kind = getattr(by, "tenant_id", None), getattr(by, "kind", None)
    return {"tenant": str(tenant), "principal": str(kind)} if tenant and kind else {}


def _span(request: HttpRequest) -> Any:
    if is_quiet(request):
        return nullcontext()
    return traces.span(f"{request.method}", traces.REQUEST, parent=request.headers.get("traceparent", ""))
