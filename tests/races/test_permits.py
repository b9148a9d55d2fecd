"""Agents, people and the clock at once: one begins, one report counts, and a lease is either renewed or over (R-A3, R-A6, R-F1)."""

from functools import partial
from typing import Any

import pytest

from tests import clock
from tests.permits import AGREED, DONE, LEASE, beat, begin, hand_back, ready, report, with_permits
from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop
from tests.work import claim, end_leases

ROUNDS = 8


@pytest.fixture
def bench(shop: Shop) -> Shop:
    """The shop, with what its agent and its people do themselves."""
    return with_permits(shop)


def test_two_begin_at_once_and_one_gets_the_permit(bench: Shop) -> None:
    for _ in range(ROUNDS):
        effect = ready(bench)
        became = at_once(partial(begin, bench.bot, effect), partial(begin, bench.bot, effect))
        assert (refusals(became), len(answers(became))) == (["already_held"], 1)
        assert len(bench.attempts(effect.run_id, "a")) == 1


def test_two_people_begin_at_once_and_one_does_it(bench: Shop) -> None:
    for _ in range(ROUNDS):
        effect = ready(bench, "phone")
        became = at_once(*[partial(begin, bench.actor(name), effect) for name in ("ann", "amir", "ben")])
        assert refusals(became) == ["already_held"] * 2
        assert kinds(f"run:{effect.run_id}").count("attempt.dispatched") == 1


def test_the_same_request_twice_at_once_gives_one_permit(bench: Shop) -> None:
    for number in range(ROUNDS):
        effect = ready(bench)
        first, second = answers(at_once(*[partial(begin, bench.bot, effect, key=f"same-{number}")] * 2))
        assert first["attempt"] == second["attempt"]
        assert {first.get("replayed"), second.get("replayed")} == {None, True}


def test_beginning_and_giving_the_run_up_at_once(bench: Shop) -> None:
    for _ in range(ROUNDS):
        effect = ready(bench)
        permit, given_up = at_once(partial(begin, bench.bot, effect), partial(bench.fail, effect.run_id))
        if refusals([permit]):
            assert (permit.code, given_up["state"], bench.states(effect.run_id)) == (
                "run_ended",
                "failed",
                {"a": "withdrawn"},
            )
        else:
            assert (given_up["state"], bench.states(effect.run_id)) == ("closing", {"a": "dispatched"})
            report(bench.bot, permit, result=DONE)
        assert bench.state(effect.run_id) == "failed"


def test_two_reports_at_once_and_one_counts(bench: Shop) -> None:
    for _ in range(ROUNDS):
        effect = ready(bench)
        permit = begin(bench.bot, effect)
        became = at_once(
            partial(report, bench.bot, permit, result=DONE),
            partial(report, bench.bot, permit, "rejected", reason="No."),
        )
        assert refusals(became) == ["already_reported"]
        attempt = bench.attempts(effect.run_id, "a")[0]
        assert {attempt.outcome, attempt.late_outcome} == {"succeeded", "rejected"}
        assert bench.states(effect.run_id) == {"a": attempt.outcome}


def test_a_report_and_the_end_of_the_lease_at_once(bench: Shop) -> None:
    """Whatever comes first, a report whose lease is over never changes the state, and is never lost."""
    for _ in range(ROUNDS):
        effect = ready(bench)
        permit = begin(bench.bot, effect)
        with clock.at(LEASE + 1):
            became = at_once(partial(report, bench.bot, permit, result=DONE), end_leases)
            end_leases()
        assert refusals(became) == ["lease_lost"]
        attempt = bench.attempts(effect.run_id, "a")[0]
        assert (attempt.state, attempt.outcome, attempt.late_outcome) == ("lost", "unknown", "succeeded")
        assert bench.states(effect.run_id) == {"a": "unknown"}


def test_a_sign_of_life_and_the_sweep_at_once(bench: Shop) -> None:
    """Before its end a lease is renewed whatever the sweep does; after its end it is over whatever the agent does."""
    for _ in range(ROUNDS):
        effect = ready(bench)
        permit = begin(bench.bot, effect)
        with clock.at(LEASE - 5):
            assert refusals(at_once(partial(beat, bench.bot, permit), end_leases)) == []
        with clock.at(LEASE + 5):
            assert end_leases() == 0
            report(bench.bot, permit, result=DONE)
        late = ready(bench)
        permit = begin(bench.bot, late)
        with clock.at(LEASE + 1):
            assert refusals(at_once(partial(beat, bench.bot, permit), end_leases)) == ["lease_lost"]
            end_leases()
        assert bench.states(late.run_id) == {"a": "unknown"}


def test_handing_back_and_reporting_at_once(bench: Shop) -> None:
    ann = bench.actor("ann")
    for _ in range(ROUNDS):
        effect = ready(bench, "phone")
        permit = begin(ann, effect)
        became = at_once(
            partial(hand_back, ann, permit), partial(report, ann, permit, result=AGREED, evidence="She said so.")
        )
        assert refusals(became) == ["already_reported"]
        assert bench.states(effect.run_id)["a"] in {"ready", "succeeded"}


def test_a_worker_and_an_agent_at_once_take_each_their_own(bench: Shop) -> None:
    for _ in range(ROUNDS):
        mine, theirs = ready(bench), ready(bench, "pay")
        became: list[Any] = at_once(partial(begin, bench.bot, mine), claim)
        assert refusals(became) == []
        assert [row["effect_id"] for row in became[1]] == [theirs.pk]
        bench.fail(mine.run_id), bench.fail(theirs.run_id)
        report(bench.bot, became[0], result=DONE)
