"""How much of the database statements touch: the buffers that PostgreSQL reads for them, counted and not timed."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connections


@dataclass
class Touched:
    """The buffers that each statement touched, and how long they took PostgreSQL."""

    statements: list[tuple[str, int]] = field(default_factory=list)
    milliseconds: float = 0.0

    @property
    def buffers(self) -> int:
        return sum(buffers for _, buffers in self.statements)

    def most(self, number: int = 3) -> list[tuple[int, str]]:
        """Give the statements that touched most."""
        return sorted(((buffers, " ".join(sql.split())[:200]) for sql, buffers in self.statements), reverse=True)[
            :number
        ]


@contextmanager
def touched(alias: str = "worker") -> Iterator[Touched]:
    """Count what statements of this process touch. Each is carried out twice, so it is for those that find nothing to change."""
    found = Touched()

    def explained(execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().lower().startswith(("select", "update", "with", "insert", "delete")):
            with context["connection"].connection.cursor() as cursor:
                cursor.execute(f"explain (analyze, buffers, format json) {sql}", parameters)
                plans = cursor.fetchone()[0]
            plan = (json.loads(plans) if isinstance(plans, str) else plans)[0]
            found.statements.append((sql, plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]))
            found.milliseconds += plan["Execution Time"]
        return execute(sql, parameters, many, context)

    with connections[alias].execute_wrapper(explained):
        yield found
