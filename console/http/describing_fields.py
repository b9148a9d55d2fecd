"""How bodies and their fields are described: as strictly as they read."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from rest_framework.serializers import ListSerializer

from console.http.fields import ID_SCHEMA, KEY_SCHEMA, LARGEST_WHOLE, NOT_BLANK

SMALLEST_WHOLE = -(2**63)


class DescribedContent(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A body: no other fields, and lists with their bounds."""

    target_class = "console.http.content.Content"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        for name, field in self.target.fields.items():
            if isinstance(field, ListSerializer):
                bounds = {
                    "minItems": getattr(field, "min_length", None),
                    "maxItems": getattr(field, "max_length", None),
                }
                schema["properties"][name] |= {word: bound for word, bound in bounds.items() if bound is not None}
        return {**schema, "additionalProperties": False}


class DescribedText(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A text: how long it may be, and whether it may be blank."""

    target_class = "console.http.fields.Text"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "string"}
        if self.target.max_length is not None:
            schema["maxLength"] = self.target.max_length
        return schema if self.target.allow_blank else {**schema, "minLength": 1, "pattern": NOT_BLANK}


class DescribedKey(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A key in a body."""

    target_class = "console.http.fields.Key"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        return dict(KEY_SCHEMA)


class DescribedId(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """An id in a body."""

    target_class = "console.http.fields.Id"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        return dict(ID_SCHEMA)


class DescribedWhole(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A whole number with its bounds."""

    target_class = "console.http.fields.Whole"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        least = SMALLEST_WHOLE if self.target.min_value is None else self.target.min_value
        most = LARGEST_WHOLE if self.target.max_value is None else self.target.max_value
        return {"type": "integer", "format": "int64", "minimum": least, "maximum": most}


class DescribedDocument(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """An object of any content."""

    target_class = "console.http.fields.Document"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": True}
