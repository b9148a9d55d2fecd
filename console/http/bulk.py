"""Several things in one request: each item is read, done and answered on its own, in its place."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from console.http import content
from console.http.content import Content
from console.http.describing import Problem
from console.http.fields import Anything
from console.http.problems import document
from console.http.refusals import Refusal

MOST_ITEMS = 500
CREATED, EXISTING, REFUSED = "created", "existing", "refused"
ItemContent: TypeAlias = dict[str, Any]


class Standing(Protocol):
    """An item that stands: made now, or found again under its key."""

    @property
    def created(self) -> bool: ...


Stands = TypeVar("Stands", bound=Standing)


class Items(Content):
    """Several items, each with its own key."""

    items = serializers.ListField(child=Anything(), min_length=1, max_length=MOST_ITEMS)


class ItemDocument(serializers.Serializer):
    """What became of one item."""

    index = serializers.IntegerField(help_text="The item's place in the request, from 0.")
    key = serializers.CharField(allow_null=True, help_text="The item's key, where one could be read.")
    outcome = serializers.CharField(help_text="created, existing or refused.")
    problem = Problem(required=False, help_text="Why it was refused; `path` counts from the top of the body.")


class BulkDocument(serializers.Serializer):
    """What became of several items, in their order."""

    created = serializers.IntegerField()
    existing = serializers.IntegerField(help_text="Items whose keys were used before for the same.")
    refused = serializers.IntegerField()


def read(kind: type[Content], request: Request) -> list[ItemContent | Refusal]:
    """Read the items of a body, each by itself. Raises InvalidContent where there is no list of at most 500 of them."""
    form = kind()
    return [_read(form, item) for item in content.read(Items, request)["items"]]


def _read(form: Content, item: Any) -> ItemContent | Refusal:
    try:
        return dict(form.run_validation(item))
    except ValidationError as faults:
        return content.refusal(faults.detail)


def readable(items: Sequence[ItemContent | Refusal]) -> list[ItemContent]:
    """Give those items that could be read."""
    return [item for item in items if not isinstance(item, Refusal)]


def filled(items: Sequence[ItemContent | Refusal], answers: Iterable[Stands | Refusal]) -> list[Stands | Refusal]:
    """Give the answer to each item: to those that could be read what was answered, in that order, to the others why not."""
    given = iter(answers)
    return [item if isinstance(item, Refusal) else next(given) for item in items]


def answered(
    request: Request, answers: Sequence[Stands | Refusal], show: Callable[[Stands], dict[str, Any]]
) -> Response:
    """Answer with what became of each item: 200 where every one stands, 207 where some were refused."""
    sent: Any = request.data
    shown = [
        _shown(place, _key(item), answer, show)
        for place, (item, answer) in enumerate(zip(sent["items"], answers, strict=True))
    ]
    counts = {word: sum(item["outcome"] == word for item in shown) for word in (CREATED, EXISTING, REFUSED)}
    return Response({**counts, "items": shown}, status=207 if counts[REFUSED] else 200)


def _shown(
    place: int, key: str | None, answer: Stands | Refusal, show: Callable[[Stands], dict[str, Any]]
) -> dict[str, Any]:
    if isinstance(answer, Refusal):
        return {"index": place, "key": key, "outcome": REFUSED, "problem": _problem(f"/items/{place}", answer)}
    return {"index": place, "key": key, "outcome": CREATED if answer.created else EXISTING, **show(answer)}


def _problem(before: str, refusal: Refusal) -> dict[str, Any]:
    facts = {**refusal.facts, "path": before + refusal.facts.get("path", "")}
    if "errors" in facts:
        facts["errors"] = [{**fault, "path": before + fault["path"]} for fault in facts["errors"]]
    return document(refusal.code, refusal.status, refusal.detail, **facts)


def _key(item: Any) -> str | None:
    key = item.get("key") if isinstance(item, dict) else None
    return key if isinstance(key, str) else None
