"""Problem documents (RFC 9457): every refusal of the API in one shape, with a stable type, made in one place."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from django.core.exceptions import BadRequest as DjangoBadRequest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from psycopg_pool import PoolTimeout
from rest_framework import exceptions
from rest_framework.response import Response

from console.clock import instant
from console.exact import canonical
from console.http.refusals import NotFound, Refusal
from console.telemetry import context

logger = logging.getLogger(__name__)
Answer = TypeVar("Answer", bound=HttpResponse)
MEDIA_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="counterfoil"'
PREFIX = "/api/v1/"
TYPES = PREFIX + "problems/"
TITLES = {
    400: "The request cannot be read",
    401: "Sign in or send a valid key",
    403: "Not yours to do",
    404: "Not found",
    405: "This address does not take that method",
    409: "It does not stand as you think",
    410: "Gone",
    412: "It has changed since you read it",
    413: "The body is too large",
    415: "Send application/json",
    422: "The content does not fit",
    429: "Too many tries",
    500: "A fault of ours",
    503: "Not at this moment",
}
FAULT = (
    "Something failed on our side, and it is logged. Send the same request again, with the same key: it is done once."
)
AWAY = "The record could not take this just now. Send the same request again, with the same key: it is done once."
TOO_LARGE = "A body may have at most 1,048,576 bytes, and one with evidence files or a checkpoint 15,728,640."
FRAMEWORK: dict[type[Exception], tuple[str, int, str]] = {
    exceptions.NotAuthenticated: (
        "not_authenticated",
        401,
        "Send `Authorization: Bearer` with a key that begins with cf_.",
    ),
    exceptions.AuthenticationFailed: ("not_authenticated", 401, ""),
    exceptions.PermissionDenied: ("forbidden", 403, "This is not yours to do."),
    exceptions.MethodNotAllowed: ("method_not_allowed", 405, ""),
    exceptions.UnsupportedMediaType: ("unsupported_media_type", 415, "Send the body as application/json."),
    exceptions.ParseError: ("malformed", 400, ""),
    PermissionDenied: ("forbidden", 403, "This is not yours to do."),
    RequestDataTooBig: ("too_large", 413, TOO_LARGE),
    SuspiciousOperation: ("bad_request", 400, "The request cannot be read."),
    DjangoBadRequest: ("bad_request", 400, "The request cannot be read."),
    OperationalError: ("unavailable", 503, AWAY),
    InterfaceError: ("unavailable", 503, AWAY),
    PoolTimeout: ("unavailable", 503, AWAY),
}


def document(code: str, status: int, detail: str, **facts: Any) -> dict[str, Any]:
    """Make the problem document; `facts` become its extension members."""
    return {
        **{name: _plain(fact) for name, fact in facts.items()},
        "type": TYPES + code,
        "code": code,
        "title": TITLES.get(status, "Refused"),
        "status": status,
        "detail": detail,
    }


def as_problem(fault: Exception, context: Mapping[str, Any]) -> Response:
    """Turn whatever a view of REST framework raised into a problem."""
    code, status, detail, facts = _read(fault, context.get("request"))
    problem = Response(document(code, status, detail, **facts), status=status, content_type=MEDIA_TYPE)
    return _with_headers(problem, status, facts)


def answer(fault: Exception, request: HttpRequest | None = None) -> HttpResponse:
    """Turn whatever was raised outside of REST framework (async views, handlers, middleware) into a problem."""
    code, status, detail, facts = _read(fault, request)
    return response(code, status, detail, **facts)


def response(code: str, status: int, detail: str, **facts: Any) -> HttpResponse:
    """Answer with a problem outside of REST framework."""
    body = canonical(document(code, status, detail, **facts))
    return _with_headers(HttpResponse(body, status=status, content_type=MEDIA_TYPE), status, facts)


def _with_headers(problem: Answer, status: int, facts: Mapping[str, Any]) -> Answer:
    if status == 401:
        problem["WWW-Authenticate"] = CHALLENGE
    if status == 503 or "retry_after" in facts:
        problem["Retry-After"] = str(facts.get("retry_after", 1))
    return problem


def _read(fault: Exception, request: Any) -> tuple[str, int, str, Mapping[str, Any]]:
    """Give code, status, detail and facts; what nobody foresaw is logged and says nothing of the inside."""
    if isinstance(fault, Http404):
        fault = NotFound()
    if isinstance(fault, Refusal):
        return fault.code, fault.status, fault.detail, fault.facts
    for kind, (code, status, detail) in FRAMEWORK.items():
        if isinstance(fault, kind):
            if status >= 500:
                logger.warning("%s: %s", _asked(request), type(fault).__name__)
            return code, status, detail or str(getattr(fault, "detail", "") or TITLES[status]), {}
    logger.error("unforeseen fault in %s", _asked(request), exc_info=fault)
    asked = context.request_id()
    return "fault", 500, FAULT, {"request_id": asked} if asked else {}


def _asked(request: Any) -> str:
    return f"{getattr(request, 'method', '?')} {getattr(request, 'path', '?')}"


def _plain(fact: Any) -> Any:
    """Give a fact as JSON can say it."""
    if fact is None or isinstance(fact, bool | int | str):
        return fact
    if isinstance(fact, Mapping):
        return {str(name): _plain(inside) for name, inside in fact.items()}
    if isinstance(fact, list | tuple | set | frozenset):
        return [_plain(inside) for inside in fact]
    if isinstance(fact, datetime):
        return instant(fact)
    return str(fact)
