"""RES-03: a state of an older schema is brought to the reader's by registered functions; what has no tested path is refused by name."""

from collections.abc import Iterator
from typing import Any

import pytest

from runs.checkpoints import migrations
from runs.checkpoints.migrations import Broke, Future, NoPath, NoVersion, Taken, Unfit, migrate, migration, shape

TYPE = "errand"


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    @migration(TYPE, 1, 2)
    def name_the_effects(state: Any) -> Any:
        return {"pending_effects": state["pending"], "plan": state["plan"]}

    @migration(TYPE, 2, 3)
    def count_them(state: Any) -> Any:
        return {**state, "pending_count": len(state["pending_effects"])}

    @shape(TYPE, 2)
    def names_its_effects(state: Any) -> list[str]:
        return [] if "pending_effects" in state else ["pending_effects is missing"]

    yield
    migrations.forget(TYPE)


def test_an_older_state_goes_through_each_step() -> None:
    assert migrate(TYPE, 1, {"pending": ["a"], "plan": "p"}, 3) == (
        {"pending_effects": ["a"], "plan": "p", "pending_count": 1}, 3,
    )  # fmt: skip


def test_a_state_of_the_readers_own_schema_stays_as_it_is() -> None:
    state: Any = {"pending_effects": []}
    assert migrate(TYPE, 2, state, 2) == (state, 2)


def test_what_is_migrated_is_left_as_it_was() -> None:
    state = {"pending": ["a"], "plan": "p"}
    migrate(TYPE, 1, state, 2)
    assert state == {"pending": ["a"], "plan": "p"}


def test_a_newer_state_is_not_read_by_an_older_reader() -> None:
    with pytest.raises(Future, match="4"):
        migrate(TYPE, 4, {}, 3)


def test_a_state_without_a_version_is_not_taken_for_any() -> None:
    with pytest.raises(NoVersion):
        migrate(TYPE, None, {"pending_effects": []}, 2)


def test_a_state_that_lacks_what_its_schema_says_is_refused_and_nothing_filled_in() -> None:
    with pytest.raises(Unfit, match="pending_effects is missing"):
        migrate(TYPE, 2, {"plan": "p"}, 2)


def test_a_step_that_fails_on_a_state_says_so() -> None:
    with pytest.raises(Broke, match="1 to 2"):
        migrate(TYPE, 1, {"plan": "p"}, 2)


def test_a_migration_that_makes_an_unfit_state_is_caught() -> None:
    @migration(TYPE, 0, 2)
    def forget_them(state: Any) -> Any:
        return {"plan": state["plan"]}

    with pytest.raises(Unfit):
        migrate(TYPE, 0, {"plan": "p"}, 2)


def test_without_a_path_nothing_is_guessed() -> None:
    with pytest.raises(NoPath):
        migrate(TYPE, 3, {}, 5)
    with pytest.raises(NoPath):
        migrate("another", 1, {}, 2)


def test_the_shortest_path_is_taken() -> None:
    @migration(TYPE, 1, 3)
    def at_once(state: Any) -> Any:
        return {"at": "once"}

    assert migrate(TYPE, 1, {"pending": [], "plan": "p"}, 3) == ({"at": "once"}, 3)
    assert migrations.paths(TYPE) == [(1, 2), (1, 3), (2, 3)]


def test_a_step_is_registered_once_and_leads_forward() -> None:
    with pytest.raises(Taken):
        migration(TYPE, 1, 2)(lambda state: state)
    with pytest.raises(ValueError, match="later"):
        migration(TYPE, 2, 2)(lambda state: state)


def test_a_text_is_migrated_as_the_text_it_is() -> None:
    @migration("texts", 1, 2)
    def add_a_line(state: str) -> str:
        return state + "\nschema 2"

    try:
        assert migrate("texts", 1, "a", 2) == ("a\nschema 2", 2)
    finally:
        migrations.forget("texts")
