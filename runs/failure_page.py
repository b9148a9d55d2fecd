"""The table in docs/failures.md, written from runs.failures: `python -m runs.failure_page`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from runs.failures import FAILURES

BEGIN, END = "<!-- classes: written by runs.failure_page -->\n", "<!-- end of classes -->\n"


def rewritten(text: str) -> str:
    """Give the page with its classes brought up to date."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + "".join(_classes()) + END + rest.partition(END)[2]


def _classes() -> Iterator[str]:
    yield "\n| Class | Name in the API | Outcomes | States |\n|---|---|---|---|\n"
    for each in FAILURES:
        yield f"| {each.title} | `{each.name}` | {_listed(each.outcomes)} | {_listed(each.states)} |\n"
    for each in FAILURES:
        yield f"\n### {each.title}\n\n{each.means}\n\n- Told by: {each.told_by}\n- What follows: {each.response}\n"
    yield "\n"


def _listed(words: frozenset[str]) -> str:
    return ", ".join(f"`{word}`" for word in sorted(words))


if __name__ == "__main__":
    page = Path(__file__).resolve().parents[1] / "docs" / "failures.md"
    page.write_text(rewritten(page.read_text()))
    sys.stdout.write(f"{page} is up to date.\n")
