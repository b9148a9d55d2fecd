"""A standing approval is revoked while something begins by it, and several want its last unit: one is first, and nothing is overdrawn."""

from decimal import Decimal
from functools import partial

import pytest

from approvals.granting.confirming import confirm
from tests.grants import let_stand_in, proposed, revoked, standing, taken, uses
from tests.races.at_once import REPEATED, answers, at_once, refusals
from tests.shop import Shop, draft
from tests.work import claim, settle, sweep


@pytest.fixture(autouse=True)
def grants(shop: Shop) -> None:
    """Let standing approvals stand in for what the policy asks."""
    let_stand_in(shop)


def test_revoked_and_begun_at_once(shop: Shop) -> None:
    """Either it is begun and its unit is held, or it is sent back and nothing was taken."""
    for number in range(REPEATED):
        found = standing(shop, target_pattern=f"payee:p{number}")
        run = shop.accept(draft("rent", "250", to=f"p{number}"))
        began, _ = answers(at_once(claim, partial(revoked, shop, found)))
        began = [row for row in began if row["run_id"] == run]
        assert shop.states(run)["rent"] == ("dispatched" if began else "proposed")
        assert (uses(found), taken(found)) == ((["reserved"], (1, Decimal(250))) if began else ([], (0, Decimal(0))))
        settle(began)
        shop.fail(run)


def test_two_workers_and_one_unit_left(shop: Shop) -> None:
    for number in range(REPEATED // 2):
        found = standing(shop, target_pattern=f"payee:p{number}", uses_most=1)
        # each was accepted while a unit seemed to be left
        runs = [shop.accept(draft("rent", "250", to=f"p{number}")) for _ in range(2)]
        began = [
            row
            for rows in answers(at_once(*[partial(claim, worker=f"worker:{each}") for each in range(2)]))
            for row in rows
        ]
        began += claim()
        assert len(began) == 1
        assert (uses(found), taken(found)) == (["reserved"], (1, Decimal(250)))
        assert sorted(shop.states(run)["rent"] for run in runs) == ["dispatched", "proposed"]
        settle(began)
        for run in runs:
            shop.fail(run)
    sweep()


def test_confirmed_and_taken_back_at_once(shop: Shop) -> None:
    for number in range(REPEATED // 2):
        found = proposed(shop, target_pattern=f"payee:p{number}")
        became = at_once(
            partial(confirm, shop.actor("amir"), found.pk, key=f"confirm-{number}"),
            partial(revoked, shop, found, "ann"),
        )
        assert refusals(became) in ([], ["grant_closed"])
        run = shop.accept(draft("rent", "250", to=f"p{number}"))
        assert shop.states(run) == {"rent": "awaiting_approval"}
        shop.fail(run)
