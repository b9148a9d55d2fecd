"""Making the HTTP request of an attempt from its contract's templates.

Values never leave the place that the contract gives them: in a URL they are percent-encoded and cannot climb out of
their segment, in a header they cannot begin another line, in the body they are JSON. Secrets stand in headers only.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from console.exact import canonical
from console.exact.paths import ABSENT, Absent, Path
from console.exact.value import Object
from runs.contracts.outcomes import OutcomeTable, outcome_table
from runs.contracts.templates import BadTemplate, CannotFill, Shape, Template, fill, shape, template, templates_in

ROOTS = frozenset({"arguments", "effect", "deadline", "dependency", "secret"})
BASE = "{dependency.base_url}"
SECRET = "secret"  # noqa: S105 - the name of a template's root
_VISIBLE_ASCII = re.compile(r"[\x20-\x7e]*")
_LITERAL = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*")
_LITERAL_QUERY = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*")
_DOTS = {".", ".."}


class BadRequest(ValueError):
    """The request cannot be made from these values; `place` is a JSON pointer into the contract, `path` the placeholder."""

    def __init__(self, place: str, path: Path, why: str) -> None:
        super().__init__(f"{place}: {{{'.'.join(path)}}} {why}" if path else f"{place}: {why}")
        self.place = place
        self.path = path
        self.why = why


class MissingSecret(BadRequest):
    """The secret that the contract names is not set."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a request is made from besides the arguments; `deadline` is an instant (RFC 3339, UTC), `fingerprint` the effect's digest."""

    base_url: str
    effect_key: str
    effect_id: str
    fence: int
    deadline: str
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    operation_id: str | None = None
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One HTTP request of a contract, its templates read."""

    method: str
    path: Template
    query: Template | None
    headers: tuple[tuple[str, Template], ...]
    body: Shape | Absent
    timeout_seconds: float
    max_response_bytes: int
    outcomes: OutcomeTable


@dataclass(frozen=True, slots=True)
class Rendered:
    """A request with its values in place. The headers of `secret_headers` hold secrets and are never kept or shown."""

    method: str
    url: str
    headers: dict[str, str] = field(repr=False)
    body: bytes | None
    timeout_seconds: float
    max_response_bytes: int
    secret_headers: frozenset[str]


def exchange(section: Object) -> Exchange:
    """Read a section that describes a request, in normal form; BadTemplate when a template is none."""
    path, query = url_templates(section["url"])
    return Exchange(
        method=section["method"],
        path=path,
        query=query,
        headers=tuple((name, template(text, ROOTS)) for name, text in section["headers"].items()),
        body=shape(section["body"], ROOTS) if "body" in section else ABSENT,
        timeout_seconds=float(section["attempt_timeout_seconds"]),
        max_response_bytes=int(section["max_response_bytes"]),
        outcomes=outcome_table(section.get("outcomes", [])),
    )


def url_templates(text: str) -> tuple[Template, Template | None]:
    """Read a URL template as its path and its query; BadTemplate when it could lead elsewhere than the base URL says."""
    rest = text.removeprefix(BASE)
    if rest == text or (rest and rest[0] not in "/?"):
        raise BadTemplate(f"a URL begins with {BASE}, followed by a path or a query")
    before, mark, after = rest.partition("?")
    path, query = template(before, ROOTS), template(after, ROOTS) if mark else None
    for part in path.parts:
        if isinstance(part, str) and (not _LITERAL.fullmatch(part) or _DOTS & set(part.split("/"))):
            raise BadTemplate("a URL's path holds no spaces, fragments or dot segments; encode what must stand in it")
    for part in query.parts if query else ():
        if isinstance(part, str) and not _LITERAL_QUERY.fullmatch(part):
            raise BadTemplate("a URL's query holds no spaces or fragments; encode what must stand in it")
    return path, query


def secrets_in(exchange: Exchange) -> set[str]:
    """Give the names of the secrets that a request needs."""
    return {path[1] for _, value in exchange.headers for path in value.paths if path[0] == SECRET}


def render(exchange: Exchange, arguments: Object, around: Surroundings) -> Rendered:
    """Put the values in place; BadRequest when a value cannot stand where the contract puts it, MissingSecret for a secret."""
    facts = facts_of(arguments, around)
    return Rendered(
        method=exchange.method,
        url=_url(exchange, facts, around.base_url),
        headers={name: _header(name, value, facts, around.secrets) for name, value in exchange.headers},
        body=_body(exchange.body, facts),
        timeout_seconds=exchange.timeout_seconds,
        max_response_bytes=exchange.max_response_bytes,
        secret_headers=frozenset(name for name, value in exchange.headers if any(p[0] == SECRET for p in value.paths)),
    )


def facts_of(arguments: Object, around: Surroundings) -> Object:
    """Give what placeholders may name, by their first words."""
    effect: Object = {"key": around.effect_key, "id": around.effect_id, "fence": around.fence}
    if around.operation_id is not None:
        effect["operation_id"] = around.operation_id
    if around.fingerprint is not None:
        effect["fingerprint"] = around.fingerprint
    return {"arguments": arguments, "effect": effect, "deadline": around.deadline, SECRET: dict(around.secrets)}


def _url(exchange: Exchange, facts: Object, base_url: str) -> str:
    try:
        path = exchange.path.text(facts, _segment)
        query = exchange.query.text(facts, lambda _, text: quote(text, safe="")) if exchange.query else None
    except CannotFill as why:
        raise BadRequest("/http/url", why.path, why.why) from None
    if _DOTS & set(path.split("/")):
        raise BadRequest("/http/url", (), "the values make a dot segment, which would climb out of the path")
    return base_url.rstrip("/") + path + ("" if query is None else "?" + query)


def _segment(path: Path, text: str) -> str:
    if not text:
        raise CannotFill(path, "is empty, and a path segment cannot be")
    if _DOTS & set(re.split(r"[/\\]", text)):
        raise CannotFill(path, "holds a dot segment, which would climb out of the path")
    return quote(text, safe="")


def _header(name: str, value: Template, facts: Object, secrets: Mapping[str, str]) -> str:
    place = f"/http/headers/{name}"
    for path in value.paths:
        if path[0] == SECRET and not secrets.get(path[1]):
            raise MissingSecret(place, path, "is not set")
    try:
        text = value.text(facts)
    except CannotFill as why:
        raise BadRequest(place, why.path, why.why) from None
    if not _VISIBLE_ASCII.fullmatch(text):
        raise BadRequest(
            place, next(iter(value.paths), ()), "holds what a header cannot: line breaks, controls, non-ASCII"
        )
    return text


def _body(body: Shape | Absent, facts: Object) -> bytes | None:
    if isinstance(body, Absent):
        return None
    try:
        found = fill(body, facts)
    except CannotFill as why:
        raise BadRequest("/http/body", why.path, why.why) from None
    if found is ABSENT:
        return None
    return canonical(found).encode()


def placeholders(exchange: Exchange) -> set[Path]:
    """Give every placeholder of a request."""
    found = [
        exchange.path,
        *(value for _, value in exchange.headers),
        *(each for _, each in templates_in(exchange.body)),
    ]
    return {path for each in [*found, *([exchange.query] if exchange.query else [])] for path in each.paths}
