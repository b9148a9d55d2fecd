"""Fields that take a value as what it is: no number for a text, no "yes" for true, nothing trimmed and nothing rounded."""

import base64
import re
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from rest_framework import serializers

from console.http import keys
from console.http.refusals import BadRequest

LARGEST_WHOLE = 2**63 - 1
ID_PATTERN = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
ID_SCHEMA = {"type": "string", "format": "uuid", "pattern": ID_PATTERN}
KEY_SCHEMA = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]([ -~]*[!-~])?$"}
TOKEN_SCHEMA = {"type": "integer", "format": "int64", "minimum": 1, "maximum": LARGEST_WHOLE}
INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})\Z")
NOT_BLANK = r"[^\s\u001c-\u001f\u0085]"


class Text(serializers.CharField):
    """A text, kept character for character; blank only where the field says so."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if not data.strip() and not self.allow_blank:
            self.fail("blank")
        return data


class Key(Text):
    """A key that travels in the body, as those of bulk items do."""

    def to_internal_value(self, data: Any) -> str:
        try:
            return keys.checked(super().to_internal_value(data))
        except BadRequest as refusal:
            raise serializers.ValidationError(refusal.detail, code=refusal.code) from None


class Whole(serializers.IntegerField):
    """A whole number, also when it was written as 30.0."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_value": LARGEST_WHOLE, **options})

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, Decimal) and data == data.to_integral_value():
            data = int(data)
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class YesNo(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=str(data)[:40])
        return data


class Id(serializers.UUIDField):
    """An id, as text."""

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str) or len(data) != 36:
            self.fail("invalid", value=str(data)[:40])
        return super().to_internal_value(data)


class Instant(serializers.DateTimeField):
    """An instant as RFC 3339 writes it, with its offset."""

    def to_internal_value(self, data: Any) -> datetime:
        if not isinstance(data, str) or not INSTANT.match(data):
            self.fail("invalid", format="RFC 3339, with an offset, such as 2026-03-02T09:00:00Z")
        found: datetime = super().to_internal_value(data)
        return found


class Bytes(Text):
    """Bytes, as base64 (RFC 4648, with its padding)."""

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        try:
            return base64.b64decode(text, validate=True)
        except (ValueError, UnicodeEncodeError):
            raise serializers.ValidationError("This is not base64.", code="invalid") from None


class Document(serializers.DictField):
    """A JSON object of any content, exactly as it was sent."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=_kind(data))
        return data


class Anything(serializers.JSONField):
    """Any JSON value, null included, exactly as it was sent."""

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        return (True, None) if data is None else super().validate_empty_values(data)

    def to_internal_value(self, data: Any) -> Any:
        return data


def _kind(data: Any) -> str:
    kinds = {list: "list", str: "text", bool: "true or false", type(None): "null"}
    return kinds.get(type(data), "number")
