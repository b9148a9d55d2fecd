"""The bank's page names every behaviour, switch and way to tell that there is, and none that is not."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from examples.bank import callbacks
from examples.bank.behaviours import BEHAVIOURS
from examples.bank.switches import Switches

PAGE = (Path(callbacks.__file__).parent / "README.md").read_text(encoding="utf-8")


def named(heading: str) -> set[str]:
    """Give what the first column of the table under a heading names."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return {name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split("|")[1])}


@pytest.mark.parametrize(
    ("heading", "there"),
    [
        ("Behaviour", set(BEHAVIOURS)),
        ("Mode", set(callbacks.MODES)),
        ("Switch", {field.name for field in fields(Switches)}),
    ],
)
def test_what_there_is_is_what_is_named(heading, there):
    assert named(heading) == there
