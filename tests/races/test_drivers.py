"""Two for one run at once: one has it, the other learns so; and a sign of life or a write either counts or finds it taken (R-A6, R-H3)."""

from functools import partial
from itertools import count
from typing import Any
from uuid import UUID

from runs.ownership.acquiring import RunHeld, acquire
from runs.ownership.releasing import release
from runs.ownership.renewing import renew
from tests import clock
from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import sweep

LEASE = 60
ROUNDS = 8
_keys = count()


def take(shop: Shop, run: UUID, holder: str = "second", key: str = "") -> dict[str, Any]:
    return acquire(shop.bot, run, holder=holder, key=key or f"take-{next(_keys)}")


def test_of_several_who_take_a_run_at_once_one_has_it_and_the_others_learn_who(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(draft("a", "250"))
        with clock.at(LEASE + 1):
            became = at_once(*[partial(take, shop, run, f"desk-{number}") for number in range(3)])
            [taken] = answers(became)
            assert refusals(became) == ["run_held"] * 2
            assert {each.facts["holder"] for each in became if isinstance(each, RunHeld)} == {taken["holder"]}
        assert kinds(f"run:{run}").count("run.acquired") == 1


def test_the_same_request_twice_at_once_takes_it_once(shop: Shop) -> None:
    for number in range(ROUNDS):
        run = shop.accept()
        with clock.at(LEASE + 1):
            first, second = answers(at_once(*[partial(take, shop, run, key=f"same-{number}")] * 2))
        assert (first["epoch"], second["epoch"]) == (2, 2)
        assert {first.get("replayed"), second.get("replayed")} == {None, True}


def test_a_sign_of_life_and_a_taking_over_at_once_leave_one_driver(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept()
        with clock.at(LEASE + 1):
            renewed, taken = at_once(partial(renew, shop.bot, run, epoch=1), partial(take, shop, run))
            assert refusals([renewed, taken]) in (["stale_token"], ["run_held"])
            assert shop.run(run).epoch == (2 if isinstance(renewed, Exception) else 1)


def test_a_write_and_a_taking_over_at_once_leave_one_driver(shop: Shop) -> None:
    for number in range(ROUNDS):
        run = shop.accept()
        with clock.at(LEASE + 1):
            wrote, taken = at_once(partial(shop.propose, run, draft(f"a-{number}", "250")), partial(take, shop, run))
            assert refusals([wrote, taken]) in (["stale_token"], ["run_held"])
            assert len(shop.states(run)) == (0 if isinstance(wrote, Exception) else 1)


def test_letting_go_and_taking_at_once_end_with_a_driver_or_with_none(shop: Shop) -> None:
    for number in range(ROUNDS):
        run = shop.accept()
        gone, taken = at_once(partial(release, shop.bot, run, epoch=1, key=f"go-{number}"), partial(take, shop, run))
        assert not isinstance(gone, Exception)
        found = shop.run(run)
        if isinstance(taken, Exception):
            assert refusals([taken]) == ["run_held"]
            assert (found.epoch, found.lease_expires_at) == (2, None)
        else:
            assert (found.epoch, found.lease_holder) == (3, "second")


def test_the_end_of_a_run_and_its_taking_over_at_once_leave_one_of_them(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept()
        with clock.at(LEASE + 1):
            ended, taken = at_once(partial(shop.complete, run), partial(take, shop, run))
            assert len(answers([ended, taken])) == 1
            assert refusals([ended, taken]) in (["stale_token"], ["run_ended"])


def test_the_alarm_and_the_driver_that_comes_back_at_once_end_without_an_alarm(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept()
        with clock.at(LEASE + 1):
            at_once(sweep, partial(take, shop, run))
            sweep()
            assert shop.run(run).attention == ""
            shop.fail(run, epoch=2)
