"""Resuming from checkpoints: migrated by a tested path, or set aside; nothing is guessed or defaulted (R-H4, RES-03, RES-04)."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from console.exact import canonical, decode, digest
from runs.checkpoints.migrations import forget, migration, shape
from runs.resuming.quarantine import release
from runs.resuming.resume import SchemaMissing
from tests.checkpoints.keeping import checkpoint, keep
from tests.checkpoints.test_damaged import DAMAGES, altered
from tests.record import findings, forger, kinds
from tests.resuming.again import after_the_lease, again, brief, detail, last, pinned, steps
from tests.shop import Shop, draft
from tests.work import claim

WANTED = 2


@pytest.fixture
def run(shop: Shop) -> UUID:
    """A run whose contract reads schema 2."""
    shop.apply(pinned())
    return shop.accept(draft("a"), draft("b", "250"), run_type="pinned", holder="first")


@pytest.fixture(autouse=True)
def paths() -> Iterator[None]:
    """From 1 to 2 there is a tested path, and 2 has its pending effects."""

    @migration("pinned", 1, 2)
    def name_the_effects(state: Any) -> Any:
        return {"pending_effects": state["pending"]}

    @shape("pinned", 2)
    def has_what_it_needs(state: Any) -> list[str]:
        return [] if "pending_effects" in state else ["pending_effects is missing"]

    yield
    forget("pinned")


def test_an_older_schema_is_migrated_and_the_run_goes_on(shop: Shop, run: UUID) -> None:
    keep(shop, run, {"pending": ["b"]}, schema_version=1)
    with after_the_lease():
        assert again(shop, run)["decision"] == "continue"
        assert detail(run, "schema") == "Checkpoint 1 was migrated from schema 1 to 2."
        assert brief(run)["checkpoint"]["migrated_from"] == 1


@pytest.mark.parametrize(
    ("state", "version", "why"),
    [
        ({"pending_effects": []}, 3, "its reader knows 2"),
        ({"pending": []}, None, "does not say its schema version"),
        ({"pending": []}, 0, "No migration"),
        ({"other": []}, 2, "pending_effects is missing"),
        ({"other": []}, 1, "failed"),
    ],
)
def test_what_cannot_be_migrated_is_set_aside(shop: Shop, run: UUID, state: Any, version: int | None, why: str) -> None:
    keep(shop, run, state, schema_version=version)
    with after_the_lease():
        assert again(shop, run)["decision"] == "quarantine"
        stored = shop.run(run)
        assert (stored.state, stored.attention, stored.resume_due) == ("quarantined", "quarantined", True)
        assert stored.lease_expires_at is None
        assert why in stored.attention_reason
        assert claim() == []
    assert shop.attempts(run, "a") == []
    assert kinds(stored.stream())[-1] == "run.resumed"
    assert findings() == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_set_aside(shop: Shop, run: UUID, damage: str) -> None:
    keep(shop, run, {"pending_effects": ["b"]}, schema_version=2)
    sealed = bytes(checkpoint(run).state or b"")
    with altered(run, "state", DAMAGES[damage](sealed)), after_the_lease():
        assert again(shop, run)["decision"] == "quarantine"
    assert steps(run)["schema"] == "failed"


def test_an_authoritative_part_that_lacks_a_section_is_set_aside(shop: Shop, run: UUID) -> None:
    keep(shop, run, {"pending_effects": []}, schema_version=2)
    kept = checkpoint(run)
    said: Any = decode(kept.authoritative or "", 128)
    del said["effects"]["pending"]
    columns = (
        ("authoritative", canonical(said), kept.authoritative),
        ("authoritative_digest", digest(said), kept.authoritative_digest),
    )
    _write(run, {name: value for name, value, _ in columns})
    with after_the_lease():
        assert again(shop, run)["decision"] == "quarantine"
    _write(run, {name: value for name, _, value in columns})
    assert detail(run, "schema").endswith("lacks pending.")


def test_who_cannot_read_the_newest_schema_names_what_it_reads(shop: Shop, run: UUID) -> None:
    keep(shop, run, {"pending": []}, schema_version=1)
    with after_the_lease():
        assert again(shop, run, schema=1)["decision"] == "continue"
        assert brief(run)["checkpoint"]["schema_version"] == 1


def test_a_state_whose_reader_says_nothing_is_not_given(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    keep(shop, run, {"plan": []}, schema_version=1)
    with after_the_lease():
        with pytest.raises(SchemaMissing):
            again(shop, run)
        assert shop.run(run).epoch == 1
        assert again(shop, run, schema=1)["decision"] == "continue"


def test_an_older_checkpoint_can_be_named_and_is_told(shop: Shop, run: UUID) -> None:
    keep(shop, run, {"pending_effects": ["a"]}, schema_version=2)
    keep(shop, run, {"pending_effects": ["b"]}, schema_version=2)
    with after_the_lease():
        assert again(shop, run, checkpoint=1)["decision"] == "replan"
    assert "not the last one" in detail(run, "schema")
    assert last(run).checkpoint_id == checkpoint(run, 1).pk


def test_once_a_person_released_it_the_record_alone_counts(shop: Shop, run: UUID) -> None:
    keep(shop, run, {"pending": []}, schema_version=None)
    with after_the_lease():
        again(shop, run)
        release(shop.actor("ann"), run, reason="Its state is of no use; the record is enough.", key="let it go")
        assert (shop.run(run).state, shop.run(run).resume_due) == ("running", True)
        assert claim() == []
        assert again(shop, run)["decision"] == "replan"
        assert brief(run)["checkpoint"] is None
        assert [row["key"] for row in claim()] == ["a"]
        keep(shop, run, {"pending_effects": []}, schema_version=2, epoch=shop.run(run).epoch)
        assert again(shop, run, epoch=shop.run(run).epoch)["decision"] == "continue"
    assert findings() == []


def test_what_an_agents_state_claims_does_not_count(shop: Shop, run: UUID) -> None:
    """RES-04: the agent writes that its effect is approved and done; it is neither, and stays so."""
    keep(shop, run, {"pending_effects": [], "effects": [{"key": "b", "state": "succeeded"}]}, schema_version=2)
    with after_the_lease():
        assert again(shop, run)["decision"] == "replan"
        assert shop.effect(run, "b").state == "awaiting_approval"
        assert "effect 2: awaiting_approval, not succeeded" in detail(run, "authoritative")
        assert brief(run)["authorised"]["awaiting_approval"]["first"][0]["key"] == "b"
        assert [row["key"] for row in claim()] == ["a"]


def _write(run: UUID, columns: dict[str, Any]) -> None:
    with forger() as hand:
        for name, value in columns.items():
            hand.execute(f"update runs_checkpoint set {name} = %s where run_id = %s", [value, run])
