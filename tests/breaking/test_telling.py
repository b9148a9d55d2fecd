"""What people are told of a broken glass besides that it was broken: nobody is asked any more, and who broke it hears what came of it."""

from typing import Any

import pytest

from console.notices.models import Copy, Delivery
from tests.breaking.glass import asked, break_it, with_glass
from tests.cast import inside
from tests.shop import Shop
from tests.work import claim, follow, settle, sweep


@pytest.fixture
def house(shop: Shop, settings: Any) -> Shop:
    """The shop with a glass to break, which sends e-mail."""
    settings.EMAIL_IS_SENT = True
    return with_glass(shop)


def test_what_nobody_was_sent_yet_asks_nobody_to_decide_any_more(house: Shop) -> None:
    _, request = asked(house)
    break_it(house, request, "dora")
    with inside():
        sent = Delivery.objects.filter(notice__about=request.pk).values_list("notice__kind", "state").distinct()
        assert sorted(sent) == [("approval.asked", "dropped"), ("break_glass.broken", "waiting")]


def test_who_broke_it_is_told_what_became_of_it(house: Shop) -> None:
    _, request = asked(house)
    break_it(house, request, "dora")
    follow()
    settle(claim())
    for _ in range(2):
        sweep()
    with inside():
        told = Copy.objects.filter(notice__about=request.pk, notice__kind="approval.outcome")
        assert [(copy.member_id, copy.because) for copy in told] == [
            (house.members["dora"].pk, "You were told because you broke the glass for it.")
        ]
