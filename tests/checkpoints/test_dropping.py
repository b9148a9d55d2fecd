"""R-G3: old states are let go by the contract's number and age; the record of each stays, and the newest of an open run is kept."""

from uuid import UUID

from runs import driving
from runs.checkpoints import reading
from runs.checkpoints.reading import Gone
from tests import clock
from tests.cast import inside
from tests.checkpoints.keeping import checkpoint, keep, kept_by
from tests.record import findings, told
from tests.shop import Shop, draft
from tests.work import sweep


def opened(shop: Shop, terms: str) -> UUID:
    """Make a run of a type with such a contract."""
    shop.apply(kept_by(terms))
    return shop.accept(draft("a", "200"), run_type="kept")


def states(run: UUID) -> dict[int, bool]:
    """Say of which checkpoints the state is there."""
    with inside():
        return {each.number: checkpoint_has_state(run, each.number) for each in reading.listed(run, None, 100)}


def checkpoint_has_state(run: UUID, number: int) -> bool:
    return reading.numbered(run, number).state is not None


def test_only_the_newest_are_kept(shop: Shop) -> None:
    run = opened(shop, "keep: 2")
    for number in range(4):
        keep(shop, run, {"step": number})
    assert states(run) == {4: True, 3: True, 2: False, 1: False}
    assert [says for kind, says in told(shop.run(run).stream()) if kind == "checkpoint.dropped"] == [
        {"checkpoint": str(checkpoint(run, number).pk), "number": number, "reason": "a later one was written"}
        for number in (1, 2)
    ]
    assert findings() == []


def test_what_the_record_said_stays_when_a_state_is_let_go(shop: Shop) -> None:
    run = opened(shop, "keep: 1")
    keep(shop, run, {"step": 1}, note="First.")
    keep(shop, run, {"step": 2})
    first = checkpoint(run, 1)
    assert (first.note, first.state_size > 0, first.dropped_at is not None) == ("First.", True, True)
    assert reading.said(first) is not None
    try:
        reading.opened(first)
    except Gone:
        return
    raise AssertionError("a state that was let go was given")


def test_a_state_that_is_too_old_is_let_go_and_the_newest_stays_while_the_run_is_open(shop: Shop) -> None:
    run = opened(shop, "keep_seconds: 600")
    keep(shop, run, {"step": 1})
    keep(shop, run, {"step": 2})
    with clock.at(570):
        assert "checkpoints let go" not in sweep()
    with clock.at(601):
        assert sweep()["checkpoints let go"] == 2
        assert states(run) == {2: True, 1: False}
        assert "checkpoints let go" not in sweep()
    assert findings() == []


def test_the_newest_goes_too_once_its_run_has_ended(shop: Shop) -> None:
    run = opened(shop, "keep_seconds: 600")
    keep(shop, run, {"step": 1})
    driving.fail(shop.bot, run, epoch=1, reason="Not wanted.", key="no")
    with clock.at(601):
        assert sweep()["checkpoints let go"] == 1
        assert states(run) == {1: False}
    assert findings() == []
