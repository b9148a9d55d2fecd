"""A digest is 32 bytes, or none yet."""

from typing import Any

from django.db import models


class Digest(models.BinaryField):
    """A SHA-256 as bytes; read back as `bytes`, never as a memoryview."""

    def from_db_value(self, value: Any, *_: Any) -> bytes | None:
        return None if value is None else bytes(value)
