"""R-G3: with a run's contents go those of its checkpoints; that they were written, when and with which digests can still be shown."""

from typing import Any
from uuid import UUID

import pytest

from console.database import crossing_tenants
from runs import driving, erasing
from runs.checkpoints import places, reading
from runs.checkpoints.reading import Gone
from runs.history import story
from runs.models import Run
from tests.cast import inside, later
from tests.checkpoints.keeping import checkpoint, keep, kept_by
from tests.record import findings
from tests.shop import Shop, draft
from tests.work import claimed, settle

SECRET = "the customer is in Lübeck"


@pytest.fixture
def erased(shop: Shop) -> UUID:
    shop.apply(kept_by("keep: 1"))
    run = shop.accept(draft("a", "250"), draft("paid"), run_type="kept")
    settle(claimed())
    report: Any = {"name": SECRET, "reference": "s3://kept/report", "digest": "ab" * 32}
    for step in (1, 2):
        keep(shop, run, {"step": step, "where": SECRET}, note=SECRET, artifacts=[report], versions={"prompt": SECRET})
    driving.fail(shop.bot, run, epoch=1, reason="Not wanted.", key="no")
    with later(days=366), crossing_tenants():
        erasing.erase(shop.actor("dora", via="command"), run, reason="kept for a year, and that is over")
    return run


def test_nothing_of_what_was_kept_is_left(erased: UUID) -> None:
    for number in (1, 2):
        kept = checkpoint(erased, number)
        assert SECRET not in repr(vars(kept))
        assert (kept.state, kept.authoritative, kept.note, kept.artifacts, kept.versions) == (None, None, "", "", "")
        assert reading.said(kept) is None
        with pytest.raises(Gone):
            reading.value(kept)


def test_its_place_and_digests_remain_and_the_record_holds(erased: UUID) -> None:
    kept = checkpoint(erased, 2)
    assert (kept.number, kept.schema_version, kept.epoch) == (2, 1, 1)
    assert kept.state_digest
    assert kept.dropped_at
    assert findings() == []


def test_its_story_is_still_told(shop: Shop, erased: UUID) -> None:
    with inside():
        lines = story(Run.objects.get(pk=erased), None, 100).lines
    told = [line.sentence for line in lines if line.kind.startswith("checkpoint.")]
    assert told[0] == "Wrote a checkpoint; what it held is erased."
    assert told[-1] == "Kept of checkpoint 2 its place, its versions of the schema and its digests."


def test_the_record_is_no_checkpoint_any_more(erased: UUID) -> None:
    with inside():
        run = Run.objects.get(pk=erased)
        (place,) = places.places(run, 0, 10)
        assert place.kind == "attempt.settled"
        assert places.said(run, place) is None


def test_what_a_child_is_to_do_is_not_kept_with_its_parent_for_it_may_be_erased_before(shop: Shop) -> None:
    shop.apply(kept_by("keep: 1"))
    run = shop.accept(run_type="kept")
    child = shop.accept(goal=SECRET, parent=run, parent_epoch=1)
    keep(shop, run, {"step": 1})
    text = checkpoint(run, 1).authoritative or ""
    assert str(child) in text
    assert SECRET not in text
