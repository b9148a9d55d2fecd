"""Whatever happens, in whatever order: the record holds, nothing is done twice, and in the end everything has come to an end."""

import pytest

from tests.record import findings
from tests.runs.walking import Walk, done_twice, left_open
from tests.shop import Shop


@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_the_record_holds_and_everything_ends(shop: Shop, seed: int) -> None:
    walk = Walk(shop, seed)
    walk.steps(90)
    assert findings() == []
    walk.come_to_rest()
    assert (findings(), left_open(), done_twice()) == ([], {}, [])
