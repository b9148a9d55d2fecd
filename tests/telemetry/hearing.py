"""What was written, exactly as it would stand on stderr in production."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from console.telemetry import lines


class Heard(io.StringIO):
    """The output, and its lines read back."""

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Give the lines; every one of them is a JSON object."""
        return [json.loads(line) for line in self.getvalue().splitlines()]

    def of(self, logger: str) -> list[dict[str, Any]]:
        """Give the lines of one logger."""
        return [line for line in self.lines if line["logger"] == logger]


@pytest.fixture
def heard() -> Iterator[Heard]:
    """Everything that is logged meanwhile, in the form of production."""
    yield from listening(lines.JSON)


def listening(form: str) -> Iterator[Heard]:
    """Listen at the root, as the handler of stderr does."""
    heard, root = Heard(), logging.getLogger()
    handler, level = logging.StreamHandler(heard), root.level
    handler.setFormatter(lines.formatter(form))
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield heard
    root.removeHandler(handler)
    root.setLevel(level)
