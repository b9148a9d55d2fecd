"""Columns of our own: a digest is 32 bytes, or none yet; an exact decimal is not rounded."""

from typing import Any

from django.db import models


class Digest(models.BinaryField):
    """A SHA-256 as bytes; read back as `bytes`, never as a memoryview."""

    def from_db_value(self, value: Any, *_: Any) -> bytes | None:
        return None if value is None else bytes(value)


@models.UUIDField.register_lookup
class Among(models.Lookup):
    """`among`: one of many ids, as one parameter. An `in` writes them into the statement, which for thousands costs more than the rest."""

    lookup_name = "among"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        left, parameters = self.process_lhs(compiler, connection)
        return f"{left} = any(%s::uuid[])", (*parameters, f"{{{','.join(map(str, self.rhs))}}}")


class Exact(models.Field):
    """A decimal as it was given: `numeric` without a bound, so that nothing is rounded and no zeros are added."""

    def db_type(self, connection: Any) -> str:
        return "numeric"
