"""What all processes remember: kept once for everybody, on the database's clock, and forgotten when its time is over."""

from typing import Any

from django.core.cache import cache

from console.identity.models import Remembered
from console.identity.remembering import SharedMemory
from tests import clock
from tests.races.at_once import at_once


def test_what_one_process_keeps_the_others_find(db: None) -> None:
    cache.set("tries", [1.5, 2.5], 60)
    other = SharedMemory("", {})
    assert other.get("tries") == [1.5, 2.5]
    other.delete("tries")
    assert cache.get("tries", "nothing") == "nothing"


def test_it_is_forgotten_when_its_time_is_over(db: None) -> None:
    cache.set("a", 1, 60)
    assert not cache.add("a", 2, 60)
    with clock.at(61):
        assert cache.get("a") is None
        assert cache.add("a", 3, 60)
        assert cache.get("a") == 3
        cache.set("b", 1, 60)
    with clock.at(200):
        cache.add("c", 1, 60)
        assert list(Remembered.objects.values_list("key", flat=True)) == [":1:c"]


def test_of_many_who_add_at_once_one_does(db: None) -> None:
    """A code is used once, whichever processes it is sent to."""

    def add() -> Any:
        return cache.add("the-code", "y", 60)

    for number in range(8):
        cache.delete("the-code")
        assert sorted(at_once(add, add, add)) == [False, False, True], number
