"""How the API describes itself (OpenAPI 3.1): headers, problems and waits, said once and added to every operation they belong to."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers

from console.http import asked, fields
from console.http.asked import HIGHEST_LIMIT
from console.http.problems import AWAY, FAULT, MEDIA_TYPE, TITLES

Method = TypeVar("Method", bound=Callable[..., Any])
HEADER: Final = "header"
QUERY: Final = "query"
KEY: Final = OpenApiParameter(
    "Idempotency-Key", fields.KEY_SCHEMA, HEADER, required=True,
    description="Names this one intent: 1 to 255 printable ASCII characters. The same key with the same body gives the same thing "
    "again; with another body it is refused (422 `key_reused`).",
    examples=[OpenApiExample("a key", value="case-4711-refund")],
)  # fmt: skip
TOKEN: Final = OpenApiParameter(
    "Fencing-Token", fields.TOKEN_SCHEMA, HEADER, required=True,
    description="The run's `epoch`: who drives the run writes with it. An older one is refused (409 `stale_token`).",
    examples=[OpenApiExample("the first driver", value=1)],
)  # fmt: skip
VERSION: Final = OpenApiParameter(
    "If-Match", {"type": "string", "pattern": r'^("(0|[1-9][0-9]{0,18})"|\*)$'}, HEADER, required=False,
    description="The run's `ETag` as you read it. If the run has changed since, nothing is done (412 `stale_version`).",
    examples=[OpenApiExample("version 12", value='"12"')],
)  # fmt: skip
WAIT: Final = OpenApiParameter(
    "wait", {"type": "string", "pattern": "^([1-9]|[1-5][0-9]|60)s$"}, QUERY, required=False,
    description="Wait for news, from `1s` to `60s`. The answer comes at once when what you know is no longer so, else when the time is up.",
    examples=[OpenApiExample("half a minute", value="30s")],
)  # fmt: skip
CURSOR: Final = OpenApiParameter(
    "cursor",
    {"type": "string", "minLength": 1},
    QUERY,
    description="`next_cursor` of the page before, with the same filters.",
)
LIMIT: Final = OpenApiParameter(
    "limit", {"type": "integer", "minimum": 1, "maximum": HIGHEST_LIMIT, "default": asked.LIMIT}, QUERY, description="Items a page holds."
)  # fmt: skip
ALWAYS: Final = (400, 401, 403, 500, 503)
WRITES: Final = (409, 410, 412, 413, 415, 422)
GIVEN: Final = {
    "200": "As it stands: what was asked for, or what the key was used for before.",
    "201": "Made.",
    "207": "Some items were refused; the others stand.",
}
HEADERS: Final = {
    "ETag": {"schema": {"type": "string"}, "description": "The run's version, for If-Match."},
    "Location": {"schema": {"type": "string"}, "description": "The address of what was made."},
}
EXAMPLES: Final = {
    400: ("missing_key", "Send an Idempotency-Key of 1 to 255 visible characters, which names this one intent."),
    401: ("not_authenticated", "This key has expired."),
    403: ("missing_scope", "This key may not do that; it lacks a scope."),
    404: ("not_found", "There is no such thing here."),
    409: ("stale_token", "Somebody else drives this run now; the token is no longer good."),
    410: ("key_expired", "This key was used longer ago than its records are kept; take a new key for a new intent."),
    412: ("stale_version", "This has changed since you read it."),
    413: ("too_large", "A body may have at most 1,048,576 bytes."),
    415: ("unsupported_media_type", "Send the body as application/json."),
    422: ("key_reused", "This key already stands for something else; nothing was changed."),
    500: ("fault", FAULT),
    503: ("unavailable", AWAY),
}


def known(what: str) -> OpenApiParameter:
    """Describe `known`, the partner of `wait`."""
    word = {"type": "string", "pattern": "^([a-z][a-z_]{0,39}|0|[1-9][0-9]{0,18})$"}
    said = f"{what} that you know; without it, the one found at first."
    return OpenApiParameter("known", word, QUERY, required=False, description=said)


class FaultPart(serializers.Serializer):
    """One fault of a body."""

    path = serializers.CharField(help_text="JSON pointer of the place.")
    code = serializers.CharField()
    detail = serializers.CharField()


class Problem(serializers.Serializer):
    """Why something was not done (RFC 9457). `code` is stable; more members may follow, such as the current `state` and `version`."""

    type = serializers.CharField(help_text="The address of the problem's description.")
    code = serializers.CharField(help_text="The last part of `type`. Take unknown ones by their `status`.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    path = serializers.CharField(required=False, help_text="JSON pointer of the fault in the body.")
    errors = FaultPart(many=True, required=False)  # type: ignore[assignment]  # a field; the metaclass takes it away
    state = serializers.CharField(required=False)
    version = serializers.IntegerField(required=False)


class Described(AutoSchema):
    """Adds to every operation the problems that it can answer with."""

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/", 1)[0]]

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        reference = self.resolve_serializer(Problem, "response").ref
        for status, given in operation["responses"].items():
            given["description"] = given["description"] or GIVEN[status]
            given["headers"] = {name: HEADERS[name] for name in self._headers(status)}
        for status in self._problems():
            operation["responses"].setdefault(str(status), _problem(status, reference))
        operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation

    def _headers(self, status: str) -> list[str]:
        of_a_run = self.path.startswith("/api/v1/runs") and (
            self.method == "POST" or self.path.endswith(("{id}", "/history"))
        )
        versioned = of_a_run and not self.path.endswith(("/effects", "/complete", "/fail", "/bulk"))
        return [*(["ETag"] if versioned else []), *(["Location"] if status == "201" else [])]

    def _problems(self) -> list[int]:
        found = [*ALWAYS, 404] if "{" in self.path else [*ALWAYS]
        return sorted([*found, *WRITES] if self.method == "POST" else found)


def described(
    name: str, summary: str, *, gives: Any, parameters: Iterable[OpenApiParameter] = (), takes: Any = None,
    examples: Iterable[OpenApiExample] = (),
) -> Callable[[Method], Method]:  # fmt: skip
    """Describe one method of a door: its name, what it does, what it takes and what it gives (status → document)."""
    decorate: Callable[[Method], Method] = extend_schema(
        operation_id=name,
        summary=summary,
        request=takes,
        responses=gives,
        parameters=list(parameters),
        examples=list(examples),
    )
    return decorate


def _problem(status: int, reference: dict[str, str]) -> dict[str, Any]:
    code, detail = EXAMPLES[status]
    example = {
        "type": f"/api/v1/problems/{code}",
        "code": code,
        "title": TITLES[status],
        "status": status,
        "detail": detail,
    }
    return {
        "description": TITLES[status],
        "content": {MEDIA_TYPE: {"schema": reference, "example": example}},
    }
