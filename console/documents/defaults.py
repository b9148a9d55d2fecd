"""Filling in what a schema says by default, so that what is shown, approved and done is one and the same document."""

import copy
from typing import Any

from console.exact.value import Object


def filled(value: Any, schema: Object, root: Object | None = None) -> Any:
    """Give a copy of the value with each absent field that has a default filled in, inside objects and lists too."""
    root = schema if root is None else root
    schema = resolved(schema, root)
    if isinstance(value, dict):
        return _filled_object(value, schema, root)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [filled(item, schema["items"], root) for item in value]
    return copy.deepcopy(value)


def _filled_object(value: Object, schema: Object, root: Object) -> Object:
    properties: Object = schema.get("properties", {})
    others: Any = schema.get("additionalProperties")
    other: Object = others if isinstance(others, dict) else {}
    found = {name: filled(item, properties.get(name, other), root) for name, item in value.items()}
    for name in properties.keys() - found.keys():
        part = resolved(properties[name], root)
        if "default" in part:
            found[name] = filled(part["default"], part, root)
    return found


def resolved(schema: Object, root: Object) -> Object:
    """Follow a reference into the schema's own $defs; what stands beside the reference wins."""
    reference = schema.get("$ref")
    if reference is None:
        return schema
    return {**root["$defs"][reference.removeprefix("#/$defs/")], **schema}
