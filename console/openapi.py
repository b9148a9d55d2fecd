"""The API's own description: OpenAPI 3.1, made from the code, once per process."""

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.settings import patched_settings

from console.http import describing_fields  # noqa: F401 - its classes describe our fields
from console.http.reading import for_reading

INTRODUCTION = """Agents make runs, propose effects and read what became of them; people decide in the browser.

Everything is JSON, read and written exactly: numbers beyond 2^53 keep every digit, amounts are texts. A POST that makes or
decides something carries an Idempotency-Key; a driver's write carries the run's epoch as Fencing-Token, and may carry the ETag that
it believes in as If-Match. What is refused is a problem document (RFC 9457) whose `type` leads to its description. Lists are pages with an
opaque cursor. Words such as states are open lists. docs/agents.md walks through the whole loop."""
SETTINGS = {
    "TITLE": "Counterfoil",
    "DESCRIPTION": INTRODUCTION,
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}


class BearerKey(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the keys of agents and of members are described, and which of them an operation takes, with which scope."""

    target_class = "console.identity.authentication.KeyAuthentication"
    name = ["key", "member_key"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        bearer = {"type": "http", "scheme": "bearer", "bearerFormat": "cf_…"}
        return [
            {**bearer, "description": "An agent's key: `runs:read` reads, `runs:write` does the rest."},
            {
                **bearer,
                "description": "A member's key. For recovery `recovery:read` reads and `recovery:write` does the rest; for deciding "
                "`approvals:read` reads and `approvals:decide` does the rest; for compensation `compensation:read` reads and "
                "`compensation:decide` does the rest.",
            },
        ]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        place = 0 if auto_schema.method == "GET" else 1
        needed = {whose: scopes[place] for whose, scopes in auto_schema.view.opens.items()}
        return [{"key" if whose == "agent" else "member_key": [scope]} for whose, scope in needed.items() if scope]


@for_reading
def docs(request: HttpRequest) -> HttpResponse:
    """Show the description to people."""
    return render(request, "api_docs.html")


@for_reading
def openapi(request: HttpRequest) -> HttpResponse:
    """Give the description."""
    return HttpResponse(document(), content_type="application/json")


@lru_cache(maxsize=1)
def document() -> bytes:
    """Write the description."""
    patterns: Any = [path("api/v1/", include("console.api"))]
    with patched_settings(SETTINGS):
        generator: Any = SchemaGenerator(patterns=patterns)  # type: ignore[no-untyped-call]
        schema = generator.get_schema(request=None, public=True)
    written: bytes = OpenApiJsonRenderer().render(schema)
    return written
