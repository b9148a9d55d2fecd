"""How the API describes itself (OpenAPI 3.1): headers, problems and waits, said once and added to every operation they belong to."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers

from console.http import asked, describing_problems, fields
from console.http.asked import HIGHEST_LIMIT
from console.http.keys import REPLAYED

Method = TypeVar("Method", bound=Callable[..., Any])
OWN: Final = "x-problems"
HEADER: Final = "header"
QUERY: Final = "query"
KEY: Final = OpenApiParameter(
    "Idempotency-Key", fields.KEY_SCHEMA, HEADER, required=True,
    description="Names this one intent: 1 to 255 printable ASCII characters. The same key with the same body gives the same thing "
    "again; with another body it is refused (422 `key_reused`).",
    examples=[OpenApiExample("a key", value="case-4711-refund")],
)  # fmt: skip
PROOF: Final = OpenApiParameter(
    "Step-Up-Proof", {"type": "string", "minLength": 1}, HEADER, required=False,
    description="What POST /api/v1/step-up gave, where the policy asks for a fresh proof of who decides (403 `step_up_needed`).",
    examples=[OpenApiExample("a proof", value="cfp_Zm9yIHRoZSBleGFtcGxlIG9ubHk")],
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
SEEN: Final = OpenApiParameter(
    "If-Match", {"type": "string", "pattern": r'^("(0|[1-9][0-9]{0,18})"|\*)$'}, HEADER, required=True,
    description="The run's `ETag` as you read it: what you keep is from then. If the run has changed since, nothing is kept (412 "
    "`stale_version`); `*` keeps it whatever happened meanwhile.",
    examples=[OpenApiExample("version 12", value='"12"')],
)  # fmt: skip
EXPECTED: Final = OpenApiParameter(
    "If-Match", {"type": "string", "pattern": r'^"(0|[1-9][0-9]{0,18})"$'}, HEADER, required=True,
    description="The `ETag` of the effect's exits, or of its run, as you read it. If anything about the effect is new since, nothing is "
    "done (412 `stale_version`).",
    examples=[OpenApiExample("version 12", value='"12"')],
)  # fmt: skip
AS_SEEN: Final = OpenApiParameter(
    "If-Match", {"type": "string", "pattern": r'^("(0|[1-9][0-9]{0,18})"|\*)$'}, HEADER, required=False,
    description="The `ETag` of the work item, or of the plan, as you read it. If anything about it is new since, nothing is done (412 "
    "`stale_version`, with how it stands now); what became of other work items of the plan is none of that.",
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
GIVEN: Final = {
    "200": "As it stands: what was asked for, or what the key was used for before.",
    "201": "Made.",
    "207": "Some items were refused; the others stand.",
}
HEADERS: Final = {
    "ETag": {"schema": {"type": "string"}, "description": "The version, for If-Match."},
    REPLAYED: {
        "schema": {"type": "string", "enum": ["true"]},
        "description": "There when the key had been answered before.",
    },
    "Location": {"schema": {"type": "string"}, "description": "The address of what was made."},
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
        own = operation.get(OWN, [])
        operation[OWN] = describing_problems.codes(self.method, self.path, operation.get("parameters", []), own)
        operation["responses"] |= describing_problems.responses(operation[OWN], reference)
        operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation

    def _headers(self, status: str) -> list[str]:
        of_a_run = self.path.startswith("/api/v1/runs") and (
            self.method == "POST" or self.path.endswith(("{id}", "/history"))
        )
        of_itself = of_a_run and not self.path.endswith(
            (
                "/effects",
                "/complete",
                "/fail",
                "/bulk",
                "/acquire",
                "/renew",
                "/release",
                "/corrections",
                "/acknowledge",
                "/usage",
                "/extend",
            )
        )
        compensates = self.method == "GET" and self.path.endswith(("/compensation", "compensations/{id}", "plans/{id}"))
        versioned = of_itself or compensates or self.path.endswith("/exits")
        replayed = (
            self.method in {"POST", "PUT"}
            and status == "200"
            and not self.path.endswith(("/bulk", "/heartbeat", "/renew"))
        )
        named = {"ETag": versioned, "Location": status == "201", REPLAYED: replayed}
        return [name for name, there in named.items() if there]


def described(
    name: str, summary: str, *, gives: Any, parameters: Iterable[OpenApiParameter] = (), takes: Any = None,
    examples: Iterable[OpenApiExample] = (), problems: Iterable[str] = (), more: str | None = None,
) -> Callable[[Method], Method]:  # fmt: skip
    """Describe one method of a door: its name, what it does, what it takes and gives (status → document), and its own problems."""
    decorate: Callable[[Method], Method] = extend_schema(
        operation_id=name,
        summary=summary,
        request=takes,
        responses=gives,
        parameters=list(parameters),
        examples=[*examples, *_answers(gives)],
        description=more,
        extensions={OWN: list(problems)},
    )
    return decorate


def _answers(gives: Mapping[int, Any]) -> list[OpenApiExample]:
    """Give the examples that the documents carry themselves."""
    return [
        OpenApiExample(f"an answer {status}", value=form.example, response_only=True, status_codes=[str(status)])
        for status, form in gives.items()
        if hasattr(form, "example")
    ]
