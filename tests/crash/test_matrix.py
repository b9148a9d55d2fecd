"""Processes killed at every place, whatever the bank does (R-A3, R-F1, R-F2): a sample in which every two values of different axes meet.

`make crash` runs the whole. Which cases there are and what must come of each is reckoned in cases.py."""

from pathlib import Path

import pytest

from tests.crash.cases import sample
from tests.crash.matrix import ground, run

pytestmark = pytest.mark.crash


@pytest.mark.timeout(1800)  # about three minutes on two cores
def test_whatever_dies_wherever_nothing_happens_twice_and_nothing_unknown_is_called_failed(tmp_path: Path) -> None:
    with ground(tmp_path) as here:
        seen = run(here, sample())
        assert not [found for found in seen if found.faults], "\n" + "\n".join(found.line() for found in seen)
        # One that went down with another's shift is tried again, and so seen more than once; each was struck at its own place in the end.
        assert sorted(found.case.name for found in seen if not found.died_with_another) == sorted(
            case.name for case in sample()
        )
        here.check()
