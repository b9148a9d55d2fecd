"""What a body may hold: only the fields that are named; every fault is told with the JSON pointer of its place."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request

from console.exact.pointer import pointer
from console.http.refusals import InvalidContent

MOST_FAULTS = 20
WHOLE = "non_field_errors"


class UnknownField(InvalidContent):
    """The body holds a field that is not known here; nothing was kept."""

    code = "unknown_field"


class Content(serializers.Serializer):
    """A body, or a part of one."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                raise ValidationError(
                    {name: [ErrorDetail("There is no such field.", UnknownField.code)] for name in unknown}
                )
        return super().to_internal_value(data)


def read(kind: type[Content], request: Request) -> dict[str, Any]:
    """Read a request's body. Raises UnknownField and InvalidContent with the path of each fault."""
    sent = request.data
    content = kind(data={} if isinstance(sent, QueryDict) else sent)  # a form's media type without a body
    if not content.is_valid():
        raise refusal(content.errors)
    return dict(content.validated_data)


def refusal(errors: Any) -> InvalidContent:
    """Make the refusal for what a serializer found: the first fault in front, all of them listed."""
    faults = [{"path": pointer(place), "code": code, "detail": detail} for place, code, detail in _faults(errors, ())]
    faults = faults[:MOST_FAULTS] or [{"path": "", "code": "invalid", "detail": "The content does not fit."}]
    unknown = next((fault for fault in faults if fault["code"] == UnknownField.code), None)
    first = unknown or faults[0]
    kind = UnknownField if unknown else InvalidContent
    return kind(f"{first['detail']} (at {first['path'] or 'the top'})", path=first["path"], errors=faults)


def _faults(errors: Any, place: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    if isinstance(errors, Mapping):
        for name, inside in errors.items():
            yield from _faults(inside, place if name == WHOLE else (*place, name))
    elif isinstance(errors, list) and any(isinstance(item, Mapping) for item in errors):
        for index, inside in enumerate(errors):
            yield from _faults(inside, (*place, index))
    elif isinstance(errors, list):
        for item in errors:
            yield from _faults(item, place)
    else:
        yield place, str(getattr(errors, "code", "invalid")), str(errors)
