"""Where the parts of a YAML text stand: the line of each place, so that a fault is found where it was written."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml


def places(text: str) -> dict[str, int]:
    """Give the line on which each place of the text's first document begins, by its JSON pointer; the text is YAML that was taken."""
    root = next(yaml.compose_all(text, Loader=yaml.SafeLoader), None)
    return dict(_walked(root, "")) if root is not None else {}


def line_of(found: Mapping[str, int], path: str) -> int:
    """Give the line of a place; of one that is not written the line of what it would stand in."""
    while path not in found and path:
        path = path.rpartition("/")[0]
    return found.get(path, 1)


def _walked(node: Any, path: str) -> Iterator[tuple[str, int]]:
    if not path:
        yield path, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = f"{path}/{str(key.value).replace('~', '~0').replace('/', '~1')}"
            yield here, key.start_mark.line + 1
            yield from _walked(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            yield f"{path}/{place}", value.start_mark.line + 1
            yield from _walked(value, f"{path}/{place}")
