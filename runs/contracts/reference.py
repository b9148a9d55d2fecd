"""The field reference in docs/contracts.md, written from the published schemas: `python -m runs.contracts.reference`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from console.exact import canonical
from console.exact.value import Object
from runs.contracts.gaps import LINES
from runs.contracts.kinds import SCHEMAS
from runs.contracts.lines import Line

BEGIN, END = "<!-- reference: written by runs.contracts.reference -->\n", "<!-- end of reference -->\n"
_WORDS = {"string": "text", "integer": "whole number", "object": "mapping", "array": "list", "boolean": "true or false"}
LISTS = "<!-- lists: written by runs.contracts.reference -->\n", "<!-- end of lists -->\n"


def rewritten(text: str) -> str:
    """Give the page with its reference and its two lists brought up to date."""
    return _between(_between(text, BEGIN, END, "".join(_reference())), *LISTS, "".join(_lists()))


def _between(text: str, begin: str, end: str, middle: str) -> str:
    before, _, rest = text.partition(begin)
    return before + begin + middle + end + rest.partition(end)[2]


def _reference() -> Iterator[str]:
    for kind, schema in SCHEMAS.items():
        yield f"\n### {kind}\n\n{schema['description']}\n\n| Field | What it takes | Default | What it says |\n|---|---|---|---|\n"
        yield from _rows(schema, schema, "")
    yield "\n"


def _rows(schema: Object, root: Object, at: str) -> Iterator[str]:
    needed = schema.get("required", [])
    for name, part in schema.get("properties", {}).items():
        field = _resolved(part, root)
        default = _default(field) or ("needed" if name in needed else "")
        yield f"| `{at}{name}` | {_cell(_takes(field, root))} | {default} | {_cell(field['description'])} |\n"
        yield from _rows(field, root, f"{at}{name}.")
        if isinstance(field.get("additionalProperties"), dict):
            yield from _rows(_resolved(field["additionalProperties"], root), root, f"{at}{name}.<name>.")
        if "items" in field:
            yield from _rows(_resolved(field["items"], root), root, f"{at}{name}[].")


def _default(field: Object) -> str:
    if "default" in field:
        return f"`{_cell(canonical(field['default']))}`"
    absent: Any = field.get("x-when-absent", "")
    return absent if isinstance(absent, str) else f"`{_cell(canonical(absent))}`"


def _takes(field: Object, root: Object) -> str:
    if "const" in field:
        return f"`{canonical(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{each}`" for each in field["enum"])
    if "anyOf" in field:
        return " or ".join(_takes(_resolved(part, root), root) for part in field["anyOf"])
    if "pattern" in field:
        return "name" if field["pattern"].startswith("^[a-z]") else "text"
    types = field.get("type", "any value")
    words: list[str] = types if isinstance(types, list) else [types]
    if words == ["array"]:
        return f"list of {_takes(_resolved(field.get('items', {}), root), root)}"
    return " or ".join(_WORDS.get(word, word) for word in words)


def _lists() -> Iterator[str]:
    titles = {"Operation": "The recovery contract (Operation)", "RunType": "The resume contract (RunType)"}
    for kind, lines in LINES.items():
        yield f"\n### {titles[kind]}\n\n| Line | Fields |\n|---|---|\n"
        yield from map(_line, lines)
    yield "\n"


def _line(line: Line) -> str:
    return f"| {line.name} | {', '.join(f'`{field}`' for field in line.fields)} |\n"


def _resolved(schema: Object, root: Object) -> Object:
    reference: Any = schema.get("$ref")
    return schema if reference is None else {**root["$defs"][reference.removeprefix("#/$defs/")], **schema}


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    page = Path(__file__).resolve().parents[2] / "docs" / "contracts.md"
    page.write_text(rewritten(page.read_text()))
    sys.stdout.write(f"{page} is up to date.\n")
