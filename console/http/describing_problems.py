"""Which problems an operation can answer with: what follows from its method, address and headers, and what it names itself."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from console.http.problem_types import PROBLEMS
from console.http.problems import MEDIA_TYPE, TITLES, document

ALWAYS: Final = (
    "bad_request",
    "not_authenticated",
    "wrong_kind_of_key",
    "missing_scope",
    "forbidden",
    "fault",
    "unavailable",
)
OF_AN_ADDRESS: Final = ("not_found",)
OF_A_LIST: Final = ("unknown_parameter", "bad_parameter")
OF_A_BODY: Final = (
    "malformed", "not_utf8", "bom", "duplicate_key", "bad_number", "nul", "lone_surrogate", "too_deep", "not_exact", "too_large",
    "unsupported_media_type", "invalid", "unknown_field",
)  # fmt: skip
OF_A_PARAMETER: Final = {
    "cursor": ("bad_cursor",),
    "wait": ("too_many_waiting",),
    "Idempotency-Key": ("missing_key", "bad_key", "key_reused", "key_expired"),
    "Fencing-Token": ("missing_token", "bad_token"),
    "If-Match": ("bad_version", "stale_version"),
}


def codes(method: str, path: str, parameters: Iterable[Mapping[str, Any]], own: Iterable[str]) -> list[str]:
    """Give the codes of an operation's problems, in the order of the list of problem types."""
    found = {
        *ALWAYS,
        *own,
        *(OF_AN_ADDRESS if "{" in path else ()),
        *(OF_A_BODY if method in {"POST", "PUT"} else OF_A_LIST),
    }
    for parameter in parameters:
        found.update(OF_A_PARAMETER.get(parameter["name"], ()))
    return [code for code in PROBLEMS if code in found]


def responses(found: Iterable[str], schema: Mapping[str, str]) -> dict[str, Any]:
    """Describe the answers with these problems: by status, each code with its meaning and an example."""
    by_status: dict[int, list[str]] = {}
    for code in found:
        by_status.setdefault(PROBLEMS[code].status, []).append(code)
    return {str(status): _response(status, each, schema) for status, each in by_status.items()}


def _response(status: int, found: list[str], schema: Mapping[str, str]) -> dict[str, Any]:
    listed = "\n".join(f"- `{code}`: {PROBLEMS[code].meaning}" for code in found)
    examples = {
        code: {"summary": PROBLEMS[code].meaning, "value": document(code, status, PROBLEMS[code].meaning)}
        for code in found
    }
    described: dict[str, Any] = {
        "description": f"{TITLES[status]}.\n\n{listed}",
        "content": {MEDIA_TYPE: {"schema": dict(schema), "examples": examples}},
    }
    if status == 401:
        described["headers"] = {"WWW-Authenticate": _header("How to authenticate.")}
    if status == 503:
        described["headers"] = {"Retry-After": _header("Seconds until it is worth another try.")}
    return described


def _header(said: str) -> dict[str, Any]:
    return {"schema": {"type": "string"}, "description": said}
