"""Checkpoints and what else happens at once: numbers have no gaps, a zombie keeps nothing, what is in flight is never missing (R-G1)."""

from functools import partial
from uuid import UUID

from runs.checkpoints import reading
from runs.models import Checkpoint, Run
from runs.ownership.acquiring import acquire
from tests import clock
from tests.cast import inside
from tests.checkpoints.keeping import checkpoint, keep
from tests.races.at_once import answers, at_once, refusals
from tests.record import findings
from tests.shop import Shop, draft
from tests.work import claim

ROUNDS = 6


def numbers(run: UUID) -> list[int]:
    with inside():
        return list(Checkpoint.objects.filter(run_id=run).order_by("number").values_list("number", flat=True))


def test_several_at_once_are_all_kept_one_after_the_other(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(draft("a", "250"))
        became = answers(at_once(*[partial(keep, shop, run, {"step": step}) for step in range(4)]))
        assert sorted(each["number"] for each in became) == numbers(run) == [1, 2, 3, 4]
    assert findings() == []


def test_of_several_that_believe_in_the_same_version_one_is_kept(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(draft("a", "250"))
        version = shop.run(run).ledger_seq
        became = at_once(*[partial(keep, shop, run, {"step": step}, version=version) for step in range(3)])
        assert refusals(became) == ["stale_version"] * 2
        assert numbers(run) == [1]


def test_the_same_request_twice_at_once_keeps_one(shop: Shop) -> None:
    for place in range(ROUNDS):
        run = shop.accept(draft("a", "250"))
        first, second = answers(at_once(*[partial(keep, shop, run, {"step": 1}, key=f"same-{place}")] * 2))
        assert first["number"] == second["number"] == 1
        assert numbers(run) == [1]


def test_a_driver_that_is_losing_the_run_keeps_its_state_before_or_not_at_all(shop: Shop) -> None:
    for place in range(ROUNDS):
        run = shop.accept(draft("a", "250"), holder="first")
        with clock.at(61):
            take = partial(acquire, shop.bot, run, holder="second", key=f"take-{place}")
            kept, taken = at_once(partial(keep, shop, run, {"step": 1}), take)
        if isinstance(kept, Exception):
            assert refusals([kept]) == ["stale_token"]
            assert numbers(run) == []
        else:
            assert refusals([taken]) in ([], ["run_held"])  # a write of the driver renews its lease
            assert numbers(run) == [1]
    assert findings() == []


def test_what_a_worker_is_just_beginning_is_in_flight_or_still_to_come_and_never_missing(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(draft("a"))
        answers(at_once(partial(keep, shop, run, {"step": 1}), claim))
        with inside():
            row = Run.objects.get(pk=run)
        said = reading.said(checkpoint(run))
        assert isinstance(said, dict)
        where = [group for group in ("pending", "in_flight") if said["effects"][group]]
        assert len(where) == 1
        assert said["version"] == (2 if where == ["pending"] else 3) <= row.ledger_seq
