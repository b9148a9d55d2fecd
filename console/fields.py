"""Columns of our own: a digest is 32 bytes, or none yet; an exact decimal is not rounded."""

from typing import Any

from django.db import models


class Digest(models.BinaryField):
    """A SHA-256 as bytes; read back as `bytes`, never as a memoryview."""

    def from_db_value(self, value: Any, *_: Any) -> bytes | None:
        return None if value is None else bytes(value)


class Exact(models.Field):
    """A decimal as it was given: `numeric` without a bound, so that nothing is rounded and no zeros are added."""

    def db_type(self, connection: Any) -> str:
        return "numeric"
