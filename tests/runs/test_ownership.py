"""Who drives a run: one process at a time, by the token it has; the time of its lease says only when somebody else may take it (R-A6)."""

from itertools import count
from typing import Any
from uuid import UUID

import pytest

from console.http.refusals import NotFound, StaleToken
from examples.agent.api import LONG_POLL
from runs.driver import RunEnded
from runs.models import Run
from runs.ownership.acquiring import BadHolder, RunHeld, acquire
from runs.ownership.releasing import release
from runs.ownership.renewing import renew
from runs.states import FAILED
from tests import clock
from tests.cast import inside
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim

LEASE = 60
_keys = count()


def take(shop: Shop, run: UUID, holder: str = "second", key: str = "") -> dict[str, Any]:
    return acquire(shop.bot, run, holder=holder, key=key or f"take-{next(_keys)}")


def let_go(shop: Shop, run: UUID, epoch: int = 1, key: str = "") -> dict[str, Any]:
    return release(shop.bot, run, epoch=epoch, key=key or f"let-go-{next(_keys)}")


def test_whoever_makes_a_run_drives_it_for_a_lease(shop: Shop) -> None:
    run = shop.run(shop.accept(draft("a"), holder="first"))
    assert (run.epoch, run.lease_holder) == (1, "first")
    assert run.lease_expires_at is not None
    assert (run.lease_expires_at - run.created_at).total_seconds() == LEASE


def test_another_learns_who_has_it_and_until_when(shop: Shop) -> None:
    made = shop.run(shop.accept(draft("a"), holder="first"))
    with pytest.raises(RunHeld) as refused:
        take(shop, made.pk)
    told = refused.value.facts
    assert (told["holder"], told["epoch"], told["state"]) == ("first", 1, "running")
    assert 0 < told["retry_after"] <= LEASE
    assert shop.run(made.pk).ledger_seq == made.ledger_seq


def test_when_the_lease_has_ended_another_takes_it_and_the_first_is_refused(shop: Shop) -> None:
    run = shop.accept(draft("a"), holder="first")
    with clock.at(LEASE + 1):
        taken = take(shop, run)
        assert (taken["epoch"], taken["holder"], taken["resume_due"]) == (2, "second", True)
        with pytest.raises(StaleToken):
            shop.propose(run, draft("b"), epoch=1)
        with pytest.raises(StaleToken):
            renew(shop.bot, run, epoch=1)
    assert kinds(shop.run(run).stream())[-1] == "run.acquired"


def test_what_is_ready_waits_when_a_run_changes_hands(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with clock.at(LEASE + 1):
        take(shop, run)
        assert claim() == []
    assert shop.states(run) == {"a": "ready"}
    assert shop.effect(run, "a").next_attempt_at is None


def test_the_same_key_takes_a_run_once(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with clock.at(LEASE + 1):
        first, again = take(shop, run, key="take"), take(shop, run, key="take")
    assert again == {**first, "replayed": True}
    assert shop.run(run).epoch == 2


def test_a_sign_of_life_keeps_it_for_another_lease_and_is_no_entry(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    before = shop.run(run)
    with clock.at(LEASE - 5):
        assert renew(shop.bot, run, epoch=1)["resume_due"] is False
    with clock.at(LEASE + 1), pytest.raises(RunHeld):
        take(shop, run)
    assert shop.run(run).ledger_seq == before.ledger_seq


def test_a_driver_whose_lease_ran_out_drives_on_while_nobody_took_it(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with clock.at(LEASE * 10):
        shop.propose(run, draft("b"))
        with pytest.raises(RunHeld):
            take(shop, run)


def test_every_write_of_its_driver_is_a_sign_of_life(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with clock.at(LEASE - 5):
        shop.withdraw(run, "a")
    with clock.at(LEASE + 1), pytest.raises(RunHeld):
        take(shop, run)


def test_a_refused_write_is_no_sign_of_life(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with clock.at(LEASE - 5), pytest.raises(StaleToken):
        shop.propose(run, draft("b"), epoch=7)
    with clock.at(LEASE + 1):
        assert take(shop, run)["epoch"] == 2


def test_a_released_run_is_free_at_once_and_its_token_is_no_longer_good(shop: Shop) -> None:
    run = shop.accept(draft("a"), holder="first")
    let_go(shop, run)
    with pytest.raises(StaleToken):
        shop.propose(run, draft("b"), epoch=1)
    assert take(shop, run)["epoch"] == 3
    assert kinds(shop.run(run).stream())[-2:] == ["run.released", "run.acquired"]


def test_what_is_ready_goes_on_after_a_release(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    let_go(shop, run)
    assert [row["key"] for row in claim()] == ["a"]


def test_nobody_drives_a_run_that_has_ended(shop: Shop) -> None:
    run = shop.accept()
    shop.fail(run)
    assert shop.state(run) == FAILED
    for ask in (lambda: take(shop, run), lambda: renew(shop.bot, run, epoch=1), lambda: let_go(shop, run)):
        with pytest.raises(RunEnded):
            ask()


@pytest.mark.parametrize("holder", ["", "  ", "x" * 256, "a\nb"])
def test_a_driver_has_a_name_that_can_be_shown(shop: Shop, holder: str) -> None:
    run = shop.accept(draft("a"))
    with clock.at(LEASE + 1), pytest.raises(BadHolder):
        take(shop, run, holder)


def test_for_another_tenants_agent_there_is_no_such_run(shop: Shop, rival: Shop) -> None:
    run = shop.accept(draft("a"))
    with clock.at(LEASE + 1), pytest.raises(NotFound):
        acquire(rival.bot, run, holder="thief", key="steal")


def test_a_sign_of_life_that_comes_late_by_a_whole_interval_costs_nobody_the_run(shop: Shop) -> None:
    """LEA-03: as the example agent does it, who looks three times a lease."""
    interval = int(LONG_POLL.removesuffix("s"))
    assert 2 * interval < LEASE
    run = shop.accept(draft("a", "250"))
    with clock.at(interval):
        renew(shop.bot, run, epoch=1)
    with clock.at(3 * interval - 1):
        with pytest.raises(RunHeld):
            take(shop, run)
        renew(shop.bot, run, epoch=1)


def test_a_run_that_is_set_aside_is_taken_over_and_stays_set_aside(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    shop.verified = False  # it is set aside by hand here
    with inside():
        Run.objects.filter(pk=run).update(state="exhausted", attention="exhausted", watch_at=None)
    with clock.at(LEASE + 1):
        taken = take(shop, run)
        assert (taken["state"], taken["epoch"]) == ("exhausted", 2)
        let_go(shop, run, epoch=2)
    found = shop.run(run)
    assert (found.state, found.attention, found.watch_at) == ("exhausted", "exhausted", None)
