"""Problem documents (RFC 9457): every refusal of the API in one shape, with a stable type, made in one place."""

import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response

from console.exact import canonical
from console.http.refusals import Refusal

logger = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
TYPES = "/api/v1/problems/"
TITLES = {
    400: "The request cannot be read",
    401: "Sign in or send a valid key",
    403: "Not yours to do",
    404: "Not found",
    405: "This address does not take that method",
    406: "That format is not offered",
    409: "It does not stand as you think",
    410: "Gone",
    412: "It has changed since you read it",
    413: "The body is too large",
    415: "Send application/json",
    422: "The content does not fit",
    429: "Too much at once",
    500: "A fault of ours",
    503: "Not at this moment",
}


def document(code: str, status: int, detail: str, **facts: Any) -> dict[str, Any]:
    """Make the problem document; `facts` become its extension members."""
    return {
        "type": TYPES + code,
        "code": code,
        "title": TITLES.get(status, "Refused"),
        "status": status,
        "detail": detail,
        **facts,
    }


def response(code: str, status: int, detail: str, **facts: Any) -> HttpResponse:
    """Answer with a problem outside of REST framework (async views, handlers)."""
    body = canonical(document(code, status, detail, **facts))
    answer = HttpResponse(body, status=status, content_type=MEDIA_TYPE)
    if status == 401:
        answer["WWW-Authenticate"] = 'Bearer realm="counterfoil"'
    if status in {429, 503}:
        answer["Retry-After"] = str(facts.get("retry_after", 1))
    return answer


def as_problem(fault: Exception, context: dict[str, Any]) -> Response:
    """Turn whatever a view raised into a problem; what nobody foresaw is logged and says nothing of the inside."""
    code, status, detail, facts = _read(fault)
    if status >= 500:
        logger.error("unforeseen fault in %s", context.get("request"), exc_info=fault)
    answer = Response(document(code, status, detail, **facts), status=status, content_type=MEDIA_TYPE)
    if status == 401:
        answer["WWW-Authenticate"] = 'Bearer realm="counterfoil"'
    if status in {429, 503}:
        answer["Retry-After"] = str(facts.get("retry_after", 1))
    return answer


FRAMEWORK: dict[type[Exception], tuple[str, int]] = {
    exceptions.NotAuthenticated: ("not_authenticated", 401),
    exceptions.AuthenticationFailed: ("not_authenticated", 401),
    exceptions.PermissionDenied: ("forbidden", 403),
    exceptions.MethodNotAllowed: ("method_not_allowed", 405),
    exceptions.NotAcceptable: ("not_acceptable", 406),
    exceptions.UnsupportedMediaType: ("unsupported_media_type", 415),
    exceptions.ParseError: ("malformed", 400),
    Http404: ("not_found", 404),
    RequestDataTooBig: ("too_large", 413),
}


def _read(fault: Exception) -> tuple[str, int, str, dict[str, Any]]:
    if isinstance(fault, Refusal):
        return fault.code, fault.status, fault.detail, fault.facts
    for kind, (code, status) in FRAMEWORK.items():
        if isinstance(fault, kind):
            return code, status, str(getattr(fault, "detail", "") or TITLES[status]), {}
    return "fault", 500, "Something failed on our side; nothing of your request was kept. It is logged.", {}
