"""A mutation: one mistake that somebody could make, and the tests that must notice it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from console.env import BASE_DIR


@dataclass(frozen=True, slots=True)
class Mutation:
    """`before` stands exactly once in `file`; with `after` in its place at least one of `tests` (files, or `file::test`) goes red."""

    name: str
    file: str
    before: str
    after: str
    tests: Sequence[str]

    def times(self, root: Path = BASE_DIR) -> int:
        """Count how often the text stands in the tree."""
        file = root / self.file
        return file.read_text(encoding="utf-8").count(self.before) if file.exists() else 0

    def apply(self, root: Path) -> str:
        """Make the mistake in a copy of the tree; gives what the file said before."""
        file = root / self.file
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(self.before, self.after, 1), encoding="utf-8")
        return text

    def undo(self, root: Path, text: str) -> None:
        """Put the file back."""
        (root / self.file).write_text(text, encoding="utf-8")
