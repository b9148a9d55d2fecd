"""What a new version would change for something that is judged already is named in one word."""

from dataclasses import replace

import pytest

from approvals.comparing import ASKED, DENIED, MORE, OTHERS, RELEASED, SAME, TERMS, Stand, change
from approvals.policy_asks import Ask, Panel

ONE = Ask((Panel(("finance",), 1),), 1800, 900)
TWO = Ask((Panel(("finance",), 2),), 1800, 900)
ALLOWED, DENIES, ASKS = Stand("allow"), Stand("deny"), Stand("ask", ONE)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (ALLOWED, ALLOWED, SAME),
        (DENIES, DENIES, SAME),
        (ASKS, Stand("ask", ONE), SAME),
        (ASKS, ALLOWED, RELEASED),
        (DENIES, ALLOWED, RELEASED),
        (ASKS, DENIES, DENIED),
        (ALLOWED, DENIES, DENIED),
        (ALLOWED, ASKS, ASKED),
        (ASKS, Stand("ask", TWO), MORE),
        (ASKS, Stand("ask", Ask((Panel(("finance",), 1), Panel(("legal",), 1)), 1800, 900)), MORE),
        (ASKS, Stand("ask", Ask((Panel(("legal",), 1),), 1800, 900)), OTHERS),
        (Stand("ask", TWO), ASKS, OTHERS),
        (ASKS, Stand("ask", replace(ONE, use_within_seconds=60)), TERMS),
        (ASKS, Stand("ask", replace(ONE, reason_required=True)), TERMS),
    ],
)
def test_what_becomes_of_something_is_one_word(before: Stand, after: Stand, found: str) -> None:
    assert change(before, after) == found
