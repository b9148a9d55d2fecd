"""The ways out, as they are said before one is taken: pure, and the same for page, API and move (R-F4, UNK-07)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from console.documents import load
from runs.contracts import OperationDocument, normalise, operation_document
from runs.contracts.operation import UnknownRule
from runs.contracts.retry import Retry
from runs.models import Attempt, Effect, Run
from runs.unknowns.exits import Exit, exits
from tests.shop import operation

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ID = UUID("019a2b00-0000-7000-8000-000000000002")


def contract(**unknown: Any) -> OperationDocument:
    """Give a contract with three attempts, whose unknowns are found out by asking."""
    (document,) = load(operation("pay"))
    rule = UnknownRule(**{"second_person": False, "resolve": "status", **unknown})
    return replace(operation_document(normalise(document).value), retry=Retry(attempts=3), unknown=rule)


def effect(state: str = "unknown", *, run: dict[str, Any] | None = None, **fields: Any) -> Effect:
    """Give an effect in a run that goes on."""
    given = {"state": "running", "completes_itself": False, "closing_toward": "", "deadline_at": None, **(run or {})}
    terms = {
        "required": True,
        "attempts_granted": 0,
        "deadline_at": NOW + timedelta(hours=1),
        "reconciled_at": None,
        **fields,
    }
    return Effect(id=ID, state=state, run=Run(**given), **terms)


def tried(*kinds: str, under_way: str = "") -> list[Attempt]:
    """Give attempts that ended, and one that has not."""
    ended = [Attempt(kind=kind, state="ended", started_at=NOW) for kind in kinds]
    return [*ended, Attempt(kind=under_way, state="running", started_at=NOW)] if under_way else ended


def way(found: list[Exit], name: str, then: str = "") -> Exit:
    """Give one of the ways."""
    return next(each for each in found if (each.name, each.then) == (name, then))


def test_no_way_is_called_a_retry_and_trying_again_says_what_it_needs() -> None:
    found = exits(effect(), tried("act"), contract(), NOW)
    assert [each.title for each in found] == [
        "It happened", "It did not happen → try again with the same key", "It did not happen → give it up", "Still pending",
        "It happened, and must be undone", "Cannot tell → hand it over",
    ]  # fmt: skip
    again = way(found, "did_not_happen", "retry")
    assert again.next == (
        f"It becomes ready, and is sent again as soon as a worker is free, with the same key cf-{ID}: attempt 2 of 3. "
        "Its permission is judged again first, and it is not begun after 2 Mar 2026, 10:00 UTC."
    )


@pytest.mark.parametrize(("executor", "who"), [("agent", "its agent may"), ("human", "whoever does it may")])
def test_who_begins_it_again_is_who_does_it(executor: str, who: str) -> None:
    again = way(exits(effect(executor=executor), tried("act"), contract(), NOW), "did_not_happen", "retry")
    assert f"It becomes ready, and {who} begin it again, with the same key" in again.next


@pytest.mark.parametrize(
    ("attempts", "granted", "left"),
    [(("act",), 0, 2), (("act", "status", "read"), 0, 2), (("act", "resend", "act"), 0, 0), (("act",) * 5, 0, 0), (("act",) * 3, 2, 2)],
)  # fmt: skip
def test_ret_05_attempts_left_are_counted_and_never_below_nothing(
    attempts: tuple[str, ...], granted: int, left: int
) -> None:
    again = way(exits(effect(attempts_granted=granted), tried(*attempts), contract(), NOW), "did_not_happen", "retry")
    assert (again.allowed, again.attempts_left, again.needs_extra) == (True, left, left == 0)
    assert ("grant at least one more, with a reason" in again.next) == (left == 0)


@pytest.mark.parametrize(
    ("run", "fields", "why"),
    [
        ({"state": "closing", "closing_toward": "failed"}, {}, "Its run is closing, to end as failed; nothing in it is begun any more."),
        ({"state": "succeeded_with_unresolved"}, {}, "Its run has ended as succeeded with unresolved; nothing in it is begun any more."),
        ({}, {"deadline_at": NOW}, "Its deadline passed on 2 Mar 2026, 09:00 UTC."),
        ({"deadline_at": NOW}, {}, "Its run's deadline passed on 2 Mar 2026, 09:00 UTC."),
    ],
)  # fmt: skip
def test_trying_again_says_why_it_is_not_open_and_giving_up_stays_open(
    run: dict[str, Any], fields: dict[str, Any], why: str
) -> None:
    found = exits(effect(run=run, **fields), tried("act"), contract(), NOW)
    assert (way(found, "did_not_happen", "retry").allowed, way(found, "did_not_happen", "retry").why_not) == (
        False,
        why,
    )
    assert all(each.allowed for each in found if each.then != "retry")


def test_what_is_being_sent_again_cannot_have_not_happened() -> None:
    found = exits(effect(), tried("act", under_way="resend"), contract(), NOW)
    assert [each.then for each in found if not each.allowed] == ["retry", "give_up"]
    assert way(found, "did_not_happen", "give_up").why_not.startswith("It is being sent again at this moment")


def test_a_look_that_is_under_way_is_told_of() -> None:
    found = exits(effect(), tried("act", under_way="status"), contract(), NOW)
    assert "late evidence" in way(found, "happened").next
    assert all(each.allowed for each in found)


@pytest.mark.parametrize(
    ("run", "then"),
    [
        ({}, "The run goes on, and its agent completes it."),
        ({"completes_itself": True}, "The run ends by itself once nothing in it is open."),
        ({"state": "closing", "closing_toward": "expired"}, "The run ends as expired once nothing in it is in flight or unknown."),
        ({"state": "succeeded_with_unresolved"}, "The run has ended as succeeded with unresolved and stays so."),
    ],
)  # fmt: skip
def test_each_says_what_becomes_of_the_run(run: dict[str, Any], then: str) -> None:
    assert way(exits(effect(run=run), tried("act"), contract(), NOW), "happened").next.endswith(then)


def test_a_second_person_is_needed_for_what_settles_and_for_nothing_else() -> None:
    found = exits(effect(), tried("act"), contract(second_person=True), NOW)
    assert [each.name for each in found if each.needs_second] == [
        "happened",
        "did_not_happen",
        "did_not_happen",
        "must_be_undone",
    ]
    assert all(each.next.startswith("It waits until another member confirms it") == each.needs_second for each in found)
    assert exits(effect("partial"), [], contract(second_person=True), NOW)[0].needs_second


def test_what_must_be_undone_says_who_makes_good_for_it() -> None:
    assert "people do it, because no operation does" in way(exits(effect(), [], contract(), NOW), "must_be_undone").next


def test_it_is_handed_to_whom_the_contract_names() -> None:
    assert "handed to board" in way(exits(effect(), [], contract(escalate_to="board"), NOW), "cannot_tell").next
    assert "handed to operators" in way(exits(effect(), [], contract(), NOW), "cannot_tell").next


@pytest.mark.parametrize("state", ["succeeded", "failed", "ready", "dispatched", "accepted", "rejected"])
def test_what_is_not_unknown_has_no_way_out(state: str) -> None:
    assert exits(effect(state), [], contract(), NOW) == []


def test_what_was_done_in_part_has_one_until_its_rest_is_settled() -> None:
    assert [each.name for each in exits(effect("partial"), [], contract(), NOW)] == ["rest_settled"]
    assert exits(effect("partial", reconciled_at=NOW), [], contract(), NOW) == []
