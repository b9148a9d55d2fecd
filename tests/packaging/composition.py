"""Reading compose.yaml as compose does: variables from an environment, one document with its anchors resolved."""

import re
from pathlib import Path
from typing import Any

import yaml

VARIABLE = re.compile(r"\$\{([A-Z_]+)(?::([-?])([^}]*))?\}")


class Missing(Exception):
    """A variable that must be set is not."""


def read(path: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Give the document with its variables in place."""

    def value(found: "re.Match[str]") -> str:
        name, kind, rest = found.groups()
        if environment.get(name):
            return environment[name]
        if kind == "?":
            raise Missing(f"{name}: {rest}")
        return rest or ""

    document: dict[str, Any] = yaml.safe_load(VARIABLE.sub(value, path.read_text()))
    return document


def variables(path: Path) -> set[str]:
    """Give the variables that the document asks for."""
    return {name for name, _, _ in VARIABLE.findall(path.read_text())}


def seconds(span: str) -> float:
    """Read a span like 15s."""
    assert span.endswith("s"), span
    return float(span.removesuffix("s"))
