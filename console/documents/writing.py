"""Writing a document as people read it: YAML in the order of its schema, which reads back as the very same value."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import yaml

from console.documents.defaults import resolved
from console.documents.yaml_text import means_itself
from console.exact import number_text
from console.exact.value import Object

WIDTH = 100


class _Dumper(yaml.SafeDumper):
    """Writes exact numbers, and quotes every text that would be read as something else."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style=None if means_itself(text) and text.isprintable() else '"'
    )


def _number(dumper: yaml.SafeDumper, number: Decimal) -> yaml.ScalarNode:
    kind = "int" if number == number.to_integral_value() else "float"
    return dumper.represent_scalar(f"tag:yaml.org,2002:{kind}", number_text(number))


_Dumper.add_representer(str, _text)
_Dumper.add_representer(Decimal, _number)


def written(value: Any) -> str:
    """Write a value as YAML, its members in the order they come."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
    return text


def in_order(value: Any, schema: Object, root: Object | None = None) -> Any:
    """Give a copy of the value with its members in the order of the schema; those that it does not name come last, as they are."""
    root = schema if root is None else root
    schema = resolved(schema, root)
    if isinstance(value, list):
        items: Any = schema.get("items")
        return [in_order(item, items if isinstance(items, dict) else {}, root) for item in value]
    if not isinstance(value, Mapping):
        return value
    properties: Any = schema.get("properties") or {}
    others: Any = schema.get("additionalProperties")
    named = [name for name in properties if name in value]
    rest = [name for name in value if name not in properties]
    parts = {name: properties.get(name, others if isinstance(others, dict) else {}) for name in (*named, *rest)}
    return {name: in_order(value[name], part, root) for name, part in parts.items()}
