"""docs/contracts.md says what the schemas and the lists say."""

from pathlib import Path

from runs.contracts import SCHEMAS
from runs.contracts.gaps import LINES
from runs.contracts.reference import rewritten

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "contracts.md").read_text()


def test_the_reference_is_up_to_date():
    assert rewritten(PAGE) == PAGE, "run: python -m runs.contracts.reference"


def test_every_kind_and_every_line_is_on_the_page():
    for kind in SCHEMAS:
        assert f"\n### {kind}\n" in PAGE
    for lines in LINES.values():
        for line in lines:
            assert f"| {line.name} |" in PAGE
