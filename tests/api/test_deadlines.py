"""One clock for one deadline: what is asked is pending until the moment that it names, and expired from then on (EXP-01, EXP-05)."""

from datetime import datetime

import pytest

from tests import clock
from tests.api.desk import Caller, key_for
from tests.shop import Shop, draft, one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]


@pytest.fixture
def agent(shop: Shop) -> Caller:
    """The shop's agent."""
    return Caller(key_for(shop))  # type: ignore[arg-type]


def test_the_first_look_says_pending_and_so_does_every_other_until_its_moment(shop: Shop, agent: Caller) -> None:
    """EXP-05: the time begins when it is asked, and nothing else is counted in."""
    run = shop.accept(draft("dear", "250"))
    asked = shop.request(run, "dear")
    whole = (asked.decide_by - asked.created_at).total_seconds()
    first = agent.get(f"approvals/{asked.pk}")
    assert (first["state"], first["can_be_decided"]) == ("pending", True)
    assert datetime.fromisoformat(first["decide_by"]) == asked.decide_by
    for second in (1, whole / 2, whole - 300):
        with clock.at(second):
            seen = agent.get(f"approvals/{asked.pk}")
            assert (seen["state"], seen["can_be_decided"], seen["decide_by"]) == ("pending", True, first["decide_by"])


def test_from_its_moment_on_it_cannot_be_decided_although_no_clock_has_passed(shop: Shop, agent: Caller) -> None:
    """EXP-01"""
    asked = shop.request(shop.accept(draft("dear", "250")), "dear")
    with clock.at((asked.decide_by - asked.created_at).total_seconds() + 1):
        assert agent.get(f"approvals/{asked.pk}")["can_be_decided"] is False
