"""The same walk by several at once: no deadlock, no fault, and the record holds."""

from functools import partial

from tests.races.at_once import answers, at_once
from tests.record import findings
from tests.runs.walking import Walk, done_twice, left_open
from tests.shop import Shop


def test_whatever_several_do_at_once_the_record_holds_and_everything_ends(shop: Shop) -> None:
    walks = [Walk(shop, seed) for seed in range(4)]
    for walk in walks[1:]:
        walk.runs = walks[0].runs
    answers(at_once(*(partial(take, walk, 30) for walk in walks)))
    assert findings() == []
    walks[0].come_to_rest()
    assert (findings(), left_open(), done_twice()) == ([], {}, [])


def take(walk: Walk, steps: int) -> None:
    """Do so many things, at the time that it is."""
    for _ in range(steps):
        walk.step()
