"""A contract document: a mapping with apiVersion, kind, name and version, read from YAML."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from console.documents.yaml_text import BadYAML, read
from console.exact import decode
from console.exact.conditions.forms import is_number
from console.exact.value import Object

API_VERSION = "counterfoil/v1"


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was written; `line` is where it begins in its file."""

    value: Object
    line: int = field(default=1, compare=False)

    @property
    def kind(self) -> str:
        """What it is a document of; empty when it does not say."""
        return self._text("kind")

    @property
    def name(self) -> str:
        """Its name; empty when it has none."""
        return self._text("name")

    @property
    def version(self) -> int:
        """Its version, from 1; 0 when it has none."""
        found: Any = self.value.get("version")
        return int(found) if is_number(found) and found == int(found) else 0

    def _text(self, name: str) -> str:
        found = self.value.get(name)
        return found if isinstance(found, str) else ""


def load(text: str) -> list[Document]:
    """Read the documents of a YAML text; BadYAML when the text, or one document, cannot be taken."""
    documents = []
    for line, value in read(text):
        if not isinstance(value, dict):
            raise BadYAML("not_a_mapping", "", "A document must be a mapping of fields.", line)
        documents.append(Document(value, line))
    return documents


def schema_file(path: Path) -> Object:
    """Read a published schema, its numbers exact."""
    found = decode(path.read_bytes())
    if not isinstance(found, dict):
        raise TypeError(f"{path.name} is not a schema")
    return found
