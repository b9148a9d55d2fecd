"""The API's straight way: nothing on it looks at a session, a cookie or a form's token, so none can matter there, and none costs time."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import async_to_sync, iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import ResolverMatch, resolve
from django.utils.decorators import sync_and_async_middleware

from console.http import problems

API = "/api/"
PAGES = ("/api/v1/problems", "/api/v1/docs")  # these are shown to people too, with all that pages need
Handler = Callable[[HttpRequest], Any]


@sync_and_async_middleware
def straight(get_response: Handler) -> Handler:
    """Answer what lies under /api/ without the middleware that comes after this one."""
    if iscoroutinefunction(get_response):

        async def amiddleware(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = await (_aanswer if _is_for_programs(request) else get_response)(request)
            return response

        return amiddleware

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = (_answer if _is_for_programs(request) else get_response)(request)
        return response

    return middleware


def rendered(view: Callable[..., Any], request: HttpRequest, **named: Any) -> Any:
    """Call a view and write its answer out, in one visit to a thread."""
    response = view(request, **named)
    return response.render() if hasattr(response, "render") else response


async def _aanswer(request: HttpRequest) -> HttpResponse:
    try:
        found = _found(request)
        if iscoroutinefunction(found.func):
            return _finished(await found.func(request, **found.kwargs))
        return _finished(await sync_to_async(rendered)(found.func, request, **found.kwargs))
    except Exception as fault:  # noqa: BLE001 - nobody after this one makes problems of faults
        return _finished(problems.answer(fault, request))


def _answer(request: HttpRequest) -> HttpResponse:
    try:
        found = _found(request)
        view = async_to_sync(found.func) if iscoroutinefunction(found.func) else found.func
        return _finished(rendered(view, request, **found.kwargs))
    except Exception as fault:  # noqa: BLE001
        return _finished(problems.answer(fault, request))


def _finished(response: HttpResponse) -> HttpResponse:
    response.headers.setdefault("Content-Length", str(len(response.content)))
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def _found(request: HttpRequest) -> ResolverMatch:
    request.get_host()  # refuses a host that is not ours
    found = request.resolver_match = resolve(request.path_info)
    return found


def _is_for_programs(request: HttpRequest) -> bool:
    return request.path_info.startswith(API) and not request.path_info.startswith(PAGES)
