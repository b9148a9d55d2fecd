"""The difference between two checkpoints: things are compared with themselves, and nothing that is the same is told."""

from typing import Any

from runs.checkpoints import differing
from runs.checkpoints.differing import Difference, differences, of_record


def effect(number: int, key: str, state: str, **more: Any) -> dict[str, Any]:
    return {"number": number, "key": key, "state": state, **more}


def test_an_effect_that_was_pending_and_is_done_is_one_line() -> None:
    before = {"version": 3, "effects": {"pending": [effect(1, "a", "ready"), effect(2, "b", "ready")], "committed": []}}
    after = {
        "version": 5,
        "effects": {"pending": [effect(2, "b", "ready")], "committed": [effect(1, "a", "succeeded")]},
    }
    assert of_record(before, after) == [
        Difference("effect a · state", "ready", "succeeded"), Difference("version", "3", "5"),
    ]  # fmt: skip


def test_what_came_and_what_is_gone_are_told() -> None:
    assert differences({"plan": "look", "old": 1}, {"plan": "look", "new": [1, 2]}) == [
        Difference("new", None, "1, 2"), Difference("old", "1", None),
    ]  # fmt: skip


def test_items_without_a_name_are_compared_by_their_place() -> None:
    assert differences({"steps": [["a"], ["b"]]}, {"steps": [["a"], ["c"]]}) == [Difference("steps 2", "b", "c")]


def test_when_things_are_due_is_no_difference() -> None:
    assert of_record({"schedule": {"lease_expires_at": "1"}}, {"schedule": {"lease_expires_at": "2"}}) == []


def test_the_same_is_no_difference() -> None:
    value: Any = {"a": [1, {"id": "x", "b": None}], "text": ""}
    assert differences(value, value) == []


def test_texts_are_compared_whole() -> None:
    assert differences("before", "after") == [Difference("", "before", "after")]


def test_not_more_is_told_than_a_page_bears() -> None:
    many = {str(number): number for number in range(differing.MOST + 10)}
    assert len(differences({}, many)) <= differing.MOST


def test_a_thing_that_came_or_went_is_one_line_that_says_most() -> None:
    before = {"waits": [{"name": "later", "state": "open"}], "effects": {}}
    after = {
        "waits": [],
        "effects": {"pending": [effect(1, "a", "ready", digest="ab", fence=3)]},
        "artifacts": [{"name": "r", "reference": "s3://r"}],
    }
    assert of_record(before, after) == [
        Difference("effect a", None, "ready"), Difference("waits later", "open", None), Difference("artifacts r", None, "s3://r"),
    ]  # fmt: skip


def test_a_request_is_named_by_its_effect() -> None:
    asked = [effect(1, "a", "awaiting_approval", id="e-1")]
    before = {
        "effects": {"pending": asked},
        "approvals": [{"effect": "e-1", "id": "r-1", "state": "pending", "approved_by": 0}],
    }
    after = {
        "effects": {"pending": asked},
        "approvals": [{"effect": "e-1", "id": "r-1", "state": "approved", "approved_by": 1}],
    }
    assert of_record(before, after) == [
        Difference("approval of a · state", "pending", "approved"), Difference("approval of a · approved_by", "0", "1"),
    ]  # fmt: skip


def test_none_and_nothing_are_the_same() -> None:
    assert differences({"a": None, "b": []}, {"b": None, "c": {}}) == []


def test_two_of_one_name_are_both_compared() -> None:
    before = {"steps": [{"name": "x", "state": "1"}, {"name": "x", "state": "1"}]}
    after = {"steps": [{"name": "x", "state": "1"}, {"name": "x", "state": "2"}]}
    assert differences(before, after) == [Difference("steps x (2) · state", "1", "2")]
