"""Another way to the same end is a new effect that names the old one, and no retry (R-B3); what may have happened stays in the way."""

from typing import Any

import pytest

from runs.driving import UnresolvedEffects
from runs.proposals import AlreadyReplaced, StillOpen
from tests.record import findings, told
from tests.shop import Shop, draft, operation
from tests.work import claim, claimed, settle

UNKNOWN = "{{owner: operators, age_objective_seconds: 600, resolve: status, may_be_superseded: {allowed}, resend_same_key: true}}"


def announcing(allowed: bool) -> str:
    """Write a contract that lets another effect take an unknown one's place, or not."""
    return operation("shout") + f"unknown: {UNKNOWN.format(allowed=str(allowed).lower())}\n"


@pytest.fixture
def square(shop: Shop) -> Shop:
    """The shop with an announcement that may be made twice."""
    assert not shop.apply(announcing(allowed=True))[0].faults
    return shop


def unknown(shop: Shop) -> Any:
    """Have a run with an announcement that may have been made."""
    run = shop.accept(draft("first", operation="shout"))
    settle(claimed(), "unknown")
    return run


def test_what_may_have_happened_is_replaced_where_its_contract_allows_it(square: Shop) -> None:
    run = unknown(square)
    first = square.effect(run, "first")
    square.propose(run, draft("second", operation="shout", supersedes=first.pk))
    assert square.effect(run, "second").supersedes_id == first.pk
    assert square.states(run) == {"first": "unknown", "second": "ready"}


def test_it_is_recorded_as_another_way_and_the_old_one_as_unknown(square: Shop) -> None:
    run = unknown(square)
    square.propose(run, draft("second", operation="shout", supersedes=square.effect(run, "first").pk))
    kind, facts = told(f"run:{run}")[-1]
    assert (kind, facts["supersedes"], facts["supersedes_state"]) == (
        "effect.proposed",
        str(square.effect(run, "first").pk),
        "unknown",
    )
    assert findings() == []


def test_what_was_replaced_stays_unknown_and_blocks_the_end(square: Shop) -> None:
    run = unknown(square)
    first = square.effect(run, "first")
    square.propose(run, draft("second", operation="shout", supersedes=first.pk))
    settle(claimed())
    assert square.states(run) == {"first": "unknown", "second": "succeeded"}
    with pytest.raises(UnresolvedEffects) as refused:
        square.complete(run)
    assert refused.value.facts["unresolved"] == [str(first.pk)]


def test_without_that_leave_it_is_refused(shop: Shop) -> None:
    assert not shop.apply(announcing(allowed=False))[0].faults
    run = unknown(shop)
    with pytest.raises(StillOpen) as refused:
        shop.propose(run, draft("second", operation="shout", supersedes=shop.effect(run, "first").pk))
    assert refused.value.facts["state"] == "unknown"
    assert shop.states(run) == {"first": "unknown"}


def test_the_leave_is_that_of_the_contract_it_was_accepted_under(square: Shop) -> None:
    run = unknown(square)
    stricter = announcing(allowed=False).replace("version: 1\n", "version: 2\n", 1)
    assert not square.apply(stricter)[0].faults
    square.propose(run, draft("second", operation="shout", supersedes=square.effect(run, "first").pk))
    settle(claimed(), "unknown")
    with pytest.raises(StillOpen):
        square.propose(run, draft("third", operation="shout", supersedes=square.effect(run, "second").pk))


@pytest.mark.parametrize("state", ["dispatched", "accepted", "succeeded"])
def test_the_leave_is_about_an_unknown_outcome_only(square: Shop, state: str) -> None:
    run = square.accept(draft("first", operation="shout"))
    attempt = claimed()
    if state in {"accepted", "succeeded"}:
        settle(attempt, state)
    assert square.states(run) == {"first": state}
    with pytest.raises(StillOpen):
        square.propose(run, draft("second", operation="shout", supersedes=square.effect(run, "first").pk))


def test_what_turns_out_not_to_have_happened_is_not_done_after_it_was_replaced(square: Shop) -> None:
    run = square.accept(draft("first", operation="shout"))
    settle(claimed(), "unknown", delay=0, step="status")
    square.propose(run, draft("second", operation="shout", supersedes=square.effect(run, "first").pk))
    (look,) = claim(kinds=["status"])
    settle(look, "absent", to="ready", delay=0, reason="Never seen.")
    first = square.effect(run, "first")
    assert (first.state, first.next_attempt_at) == ("failed", None)
    assert first.state_reason == "Never seen. Another effect took its place, so it is not tried again."
    assert findings() == []


def test_it_is_done_after_all_when_nothing_came_of_what_replaced_it(square: Shop) -> None:
    run = square.accept(draft("first", operation="shout"))
    settle(claimed(), "unknown", delay=0, step="status")
    square.propose(run, draft("second", operation="shout", supersedes=square.effect(run, "first").pk))
    settle(claim(kinds=["act"]), "rejected")
    settle(claim(kinds=["status"]), "absent", to="ready", delay=0)
    assert square.states(run) == {"first": "ready", "second": "rejected"}


def test_what_was_replaced_is_not_sent_again(square: Shop) -> None:
    run = square.accept(draft("first", operation="shout"))
    settle(claimed(), "unknown", delay=0, step="resend")
    square.propose(run, draft("second", operation="shout", supersedes=square.effect(run, "first").pk))
    assert claim(kinds=["resend"]) == []
    first = square.effect(run, "first")
    assert (first.state, first.state_reason) == ("unknown", "It was not sent again: another effect took its place.")
    assert findings() == []


def test_only_one_effect_takes_the_place_of_another_until_nothing_came_of_it(square: Shop) -> None:
    run = unknown(square)
    first = square.effect(run, "first")
    square.propose(run, draft("second", operation="shout", supersedes=first.pk))
    with pytest.raises(AlreadyReplaced):
        square.propose(run, draft("third", operation="shout", supersedes=first.pk))
    settle(claimed(), "rejected")
    square.propose(run, draft("third", operation="shout", supersedes=first.pk))
    assert square.states(run) == {"first": "unknown", "second": "rejected", "third": "ready"}


def test_two_in_one_request_do_not_take_the_place_of_one(square: Shop) -> None:
    run = unknown(square)
    first = square.effect(run, "first")
    with pytest.raises(AlreadyReplaced):
        square.propose(
            run,
            draft("second", operation="shout", supersedes=first.pk),
            draft("third", operation="shout", supersedes=first.pk),
        )
    assert square.states(run) == {"first": "unknown"}
