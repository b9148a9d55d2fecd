"""The claim: what is due is taken once, with its permission judged at that moment and its use recorded; everything else stays or ends."""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from console.database import crossing_tenants, rows
from runs.models import OperationContract
from runs.sweep import CLOCK
from tests import clock, databases
from tests.cast import inside
from tests.record import forger, kinds, told
from tests.shop import Shop, dependency, draft, money, operation
from tests.work import LEASE, claim, claimed, follow, settle, sweep


def keys(rows: list[dict[str, object]]) -> list[object]:
    """Give the keys of the effects that were claimed."""
    return [row["key"] for row in rows]


# What is claimed


def test_what_is_ready_is_claimed_with_all_that_the_call_needs(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    effect = shop.effect(run, "a")
    assert {name: row[name] for name in ("run_id", "effect_id", "kind", "number", "fence", "target", "acts", "looks")} == {
        "run_id": run, "effect_id": effect.pk, "kind": "act", "number": 1, "fence": 1, "target": "payee:bob", "acts": 0, "looks": 0,
    }  # fmt: skip
    assert row["arguments"] == effect.arguments
    assert row["dependency_id"] is not None
    assert row["first_at"] == row["claimed_at"]


def test_the_attempt_is_written_down_before_anything_is_called(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    attempt = shop.attempts(run, "a")[0]
    assert (attempt.pk, attempt.state, attempt.fence, attempt.number) == (row["attempt_id"], "running", 1, 1)
    assert attempt.lease_expires_at is not None
    assert (attempt.lease_expires_at - attempt.started_at).total_seconds() == LEASE
    effect = shop.effect(run, "a")
    assert (effect.state, effect.fence, effect.next_attempt_at) == ("dispatched", 1, None)
    assert told(f"run:{run}")[-1] == (
        "attempt.dispatched",
        {"attempt": str(attempt.pk), "effect": str(effect.pk), "number": 1, "kind": "act", "fence": 1, "dependency": "bank"},
    )  # fmt: skip


def test_what_is_claimed_is_not_claimed_again(shop: Shop) -> None:
    shop.accept(draft("a"))
    assert len(claim()) == 1
    assert claim() == []


def test_no_more_is_claimed_than_was_asked_for_and_the_oldest_first(shop: Shop) -> None:
    first = shop.accept(draft("old"))
    shop.accept(draft("new"))
    assert [row["run_id"] for row in claim(1)] == [first]
    assert keys(claim(1)) == ["new"]


def test_effects_of_all_tenants_are_claimed_together(shop: Shop, rival: Shop) -> None:
    shop.accept(draft("ours"))
    rival.accept(draft("theirs"))
    assert sorted(map(str, keys(claim()))) == ["ours", "theirs"]


def test_independent_effects_of_one_run_are_worked_at_once(shop: Shop) -> None:
    shop.accept(draft("a"), draft("b"), draft("c", after=["a"]))
    assert keys(claim()) == ["a", "b"]


# What is left


def test_what_is_not_due_yet_is_left(shop: Shop) -> None:
    shop.accept(draft("a"))
    settle(claimed(), "overload", delay=60)
    assert claim() == []
    with clock.at(61):
        assert keys(claim()) == ["a"]


def test_what_waits_for_people_or_for_its_turn_is_left(shop: Shop) -> None:
    shop.accept(draft("asked", "250"), draft("after", after=["asked"]))
    assert claim() == []


def test_nothing_of_a_run_that_is_closing_is_begun(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"))
    settle(claim(1), "unknown", delay=3600)
    shop.fail(run)
    assert (shop.state(run), shop.effect(run, "b").state) == ("closing", "withdrawn")
    assert claim() == []


@pytest.mark.parametrize("state", ["closing", "quarantined", "exhausted", "a state of tomorrow"])
def test_nothing_is_begun_in_a_run_that_does_not_go_on_whatever_its_effects_say(shop: Shop, state: str) -> None:
    """UPG-03: a state that this version does not know is never acted on."""
    run, other = shop.accept(draft("a")), shop.accept(draft("b"))
    with forger() as hand:
        hand.execute("update runs_run set state = %s, closing_toward = 'failed' where id = %s", [state, run])
    assert keys(claim()) == ["b"]
    assert (shop.states(run), shop.states(other)) == ({"a": "ready"}, {"b": "dispatched"})
    shop.verified = False


@pytest.mark.parametrize("whose", ["the effect's", "the run's"])
def test_nothing_is_begun_after_its_deadline_although_no_clock_has_passed(shop: Shop, whose: str) -> None:
    terms: dict[str, Any] = {"the effect's": {}, "the run's": {"deadline_seconds": 60}}[whose]
    run = shop.accept(draft("a", deadline_seconds=60 if whose == "the effect's" else None), **terms)
    with clock.at(61):
        assert claim() == []
    assert shop.states(run) == {"a": "ready"}


def test_nothing_of_an_agent_that_was_stopped_is_begun_until_it_is_active_again(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    activate(shop, active=False)
    assert claim() == []
    assert shop.states(run) == {"a": "ready"}
    activate(shop, active=True)
    assert claim() == []  # it was put off, so that it stands in nobody's way
    with clock.at(6):
        assert keys(claim()) == ["a"]
    shop.verified = False


def activate(shop: Shop, *, active: bool) -> None:
    """Stop the agent, or let it go on; there is no move for it yet."""
    with forger() as hand:
        hand.execute("update identity_agent set active = %s where id = %s", [active, shop.agent.pk])


def test_what_this_worker_has_no_secret_for_is_left_to_others_and_stands_in_nobodys_way(shop: Shop) -> None:
    run = shop.accept(draft("sealed", operation="seal"), draft("open"))
    with inside():
        sealed = OperationContract.objects.get(name="seal", tenant_id=shop.tenant.pk).pk
    assert keys(claim(1, without=[sealed])) == ["open"]
    assert shop.states(run)["sealed"] == "ready"
    assert claim() == []
    with clock.at(6):
        assert keys(claim(worker="worker:with-secret")) == ["sealed"]


def test_a_run_that_somebody_holds_is_left_and_others_are_not_kept_waiting(shop: Shop) -> None:
    held, free = shop.accept(draft("held")), shop.accept(draft("free"))
    with psycopg.connect(databases_url()) as elsewhere:
        elsewhere.execute("select 1 from runs_run where id = %s for no key update", [held])
        assert [row["run_id"] for row in claim()] == [free]
    assert [row["run_id"] for row in claim()] == [held]


def databases_url() -> str:
    """Give the worker role's address."""
    return databases.variables()["DATABASE_WORKER_URL"]


# Dependencies


def test_no_more_is_in_flight_at_a_dependency_than_it_bears(shop: Shop) -> None:
    shop.accept(*(draft(f"grain {number}", operation="grind") for number in range(5)))
    assert keys(claim()) == ["grain 0", "grain 1"]
    assert claim() == []
    with inside():
        assert rows("select count(*) as n from runs_attempt where state = 'running'")[0]["n"] == 2


def test_a_slot_is_free_again_once_its_attempt_has_ended(shop: Shop) -> None:
    shop.accept(*(draft(f"grain {number}", operation="grind") for number in range(3)))
    first = claim()
    settle(first[0])
    assert keys(claim()) == ["grain 2"]


def test_a_saturated_dependency_holds_up_nobody_else(shop: Shop) -> None:
    shop.accept(*(draft(f"grain {number}", operation="grind") for number in range(40)))
    shop.accept(draft("paid"))
    assert len(claim(4)) == 3
    assert claim(4) == []
    shop.accept(draft("paid too"))
    assert keys(claim(4)) == ["paid too"]


def test_looks_count_as_calls_and_keep_within_what_a_dependency_bears(shop: Shop) -> None:
    shop.accept(*(draft(f"grain {number}", operation="grind") for number in range(8)))
    for _ in range(4):
        settle(claim(2), "unknown", delay=60)
    with clock.at(61):
        assert [row["kind"] for row in claim(64)] == ["status", "status"]
        assert claim(64) == []


def test_looks_at_a_saturated_dependency_hold_up_nobody_elses_looks(shop: Shop) -> None:
    many = [draft(f"grain {number}", operation="grind") for number in range(12)]
    shop.accept(*many)
    for _ in range(6):
        settle(claim(), "unknown", delay=0)
    shop.accept(draft("unsure"))
    settle([row for row in claim(64) if row["key"] == "unsure"], "unknown", delay=0)
    with inside():
        running = rows("select count(*) as n from runs_attempt where state = 'running' and dependency_name = 'mill'")
    assert running == [{"n": 2}]
    assert keys(claim(8)) == ["unsure"]


def test_one_dependencys_backlog_of_looks_does_not_stand_before_the_others(shop: Shop) -> None:
    shop.accept(*(draft(f"old {number}") for number in range(12)))
    settle(claim(), "unknown", delay=0)
    shop.accept(draft("grain", operation="grind"))
    ground = [row for row in claim(64, kinds=["act"]) if row["key"] == "grain"]
    settle(ground, "unknown", delay=0)
    found = keys(claim(8))
    assert len(found) == 2
    assert "grain" in found


def test_each_tenant_has_slots_of_its_own(shop: Shop, rival: Shop) -> None:
    for each in (shop, rival):
        each.accept(*(draft(f"grain {number}", operation="grind") for number in range(3)))
    assert len(claim()) == 4


def test_the_version_of_the_dependency_in_force_says_how_much_it_bears(shop: Shop) -> None:
    shop.accept(*(draft(f"grain {number}", operation="grind") for number in range(5)))
    shop.apply(dependency("mill", version=2, concurrency=3))
    assert len(claim()) == 3


# Permission, judged at the moment of use


def approved(shop: Shop, amount: str = "250", by: tuple[str, ...] = ("ann",)) -> UUID:
    """Accept a payment that is asked about, and have it approved."""
    run = shop.accept(draft("dear", amount))
    for name in by:
        shop.approve(shop.request(run, "dear"), name)
    follow()
    return run


def test_an_approval_is_consumed_before_the_call(shop: Shop) -> None:
    run = approved(shop)
    row = claimed()
    request = shop.request(run, "dear")
    assert (request.state, request.consumed_at) == ("consumed", row["claimed_at"])
    assert kinds(request.stream()) == ["request.opened", "request.decided", "request.approved", "request.consumed"]


def test_another_attempt_of_the_same_effect_is_covered_by_the_approval_that_it_consumed(shop: Shop) -> None:
    run = approved(shop)
    settle(claimed(), "overload", delay=0)
    settle(claimed())
    assert shop.states(run) == {"dear": "succeeded"}
    assert kinds(shop.request(run, "dear").stream()).count("request.consumed") == 1


def test_it_stays_covered_after_its_use_by_for_it_was_begun_in_time(shop: Shop) -> None:
    run = approved(shop)
    settle(claimed(), "overload", delay=0)
    with clock.at(901):
        sweep()
        assert keys(claim()) == ["dear"]
    assert shop.request(run, "dear").state == "consumed"


def test_an_approval_that_was_not_used_in_time_begins_nothing_although_no_clock_has_passed(shop: Shop) -> None:
    run = approved(shop)
    with clock.at(901):
        assert claim() == []
    effect = shop.effect(run, "dear")
    assert (effect.state, effect.state_reason, effect.attempts_count) == ("lapsed", "lapsed", 0)


def test_what_people_approved_is_the_digest_and_nothing_else(shop: Shop) -> None:
    run = approved(shop)
    with forger() as hand:
        hand.execute("update runs_effect set effect_digest = sha256('another') where run_id = %s", [run])
    assert claim() == []
    effect = shop.effect(run, "dear")
    assert (effect.state, effect.state_reason) == ("lapsed", "digest_mismatch")
    shop.verified = False


@pytest.mark.parametrize("lost", [{"active": False}, {"roles": []}, {"groups": ["hr"]}])
def test_a_vote_of_somebody_who_has_lost_the_role_does_not_count_at_use(shop: Shop, lost: dict[str, object]) -> None:
    run = approved(shop, "2000", ("ann", "amir"))
    shop.change("amir", **lost)
    assert claim() == []
    effect = shop.effect(run, "dear")
    assert (effect.state, effect.state_reason) == ("lapsed", "quorum_lost")


def test_it_is_judged_again_for_every_attempt(shop: Shop) -> None:
    run = approved(shop)
    settle(claimed(), "overload", delay=0)
    shop.change("ann", active=False)
    assert claim() == []
    assert shop.states(run) == {"dear": "lapsed"}


def test_what_waits_for_something_that_lapsed_is_withdrawn(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"), draft("after", after=["dear"]))
    shop.approve(shop.request(run, "dear"))
    follow()
    with clock.at(901):
        claim()
    assert shop.states(run) == {"dear": "lapsed", "after": "withdrawn"}


def test_what_a_superseded_policy_allowed_is_not_begun_and_judged_by_the_one_in_force(shop: Shop) -> None:
    run = shop.accept(draft("small"))
    shop.apply(money(version=2, middling="5"))
    assert claim() == []
    assert shop.effect(run, "small").state_reason == "policy_changed"
    sweep()
    assert shop.states(run) == {"small": "awaiting_approval"}
    assert shop.effect(run, "small").rule == "middling"


def test_what_was_approved_under_a_superseded_policy_is_asked_again(shop: Shop) -> None:
    run = approved(shop)
    old = shop.request(run, "dear")
    shop.apply(money(version=2, use="600"))
    assert claim() == []
    assert shop.states(run) == {"dear": "proposed"}
    sweep()
    assert shop.states(run) == {"dear": "awaiting_approval"}
    with inside():
        old.refresh_from_db()
    assert (old.state, shop.request(run, "dear").state) == ("rerouted", "pending")


def test_what_an_approval_was_consumed_for_is_asked_again_before_another_attempt(shop: Shop) -> None:
    run = approved(shop)
    settle(claimed(), "overload", delay=0)
    shop.apply(money(version=2, use="600"))
    assert claim() == []
    sweep()
    assert shop.states(run) == {"dear": "awaiting_approval"}
    shop.approve(shop.request(run, "dear"))
    follow()
    settle(claimed())
    assert shop.states(run) == {"dear": "succeeded"}


def test_what_the_new_policy_allows_needs_nobody_any_more(shop: Shop) -> None:
    run = approved(shop)
    old = shop.request(run, "dear")
    shop.apply(money(version=2, middling="500"))
    claim()
    sweep()
    assert (shop.states(run), shop.effect(run, "dear").request_id) == ({"dear": "ready"}, None)
    with inside():
        old.refresh_from_db()
    assert old.state == "rerouted"
    settle(claimed())


def test_what_the_new_policy_denies_ends(shop: Shop) -> None:
    run = shop.accept(draft("small"), draft("after", after=["small"]))
    shop.apply(money(version=2, small="deny"))
    claim()
    sweep()
    assert shop.states(run) == {"small": "denied", "after": "withdrawn"}


# Looks at what is unknown or accepted


@pytest.mark.parametrize("state", ["unknown", "accepted"])
def test_what_is_unknown_or_accepted_is_asked_about_and_not_done_again(shop: Shop, state: str) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), state, delay=0, reference="op-7")
    row = claimed()
    assert (row["kind"], row["number"], row["acts"], row["looks"], row["effect_state"]) == ("status", 2, 1, 0, state)
    effect = shop.effect(run, "a")
    assert (effect.state, effect.fence, row["fence"], row["operation_reference"]) == (state, 1, 1, "op-7")


def test_looks_go_on_in_a_run_that_has_been_given_up_and_for_an_agent_that_was_stopped(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "unknown", delay=0)
    shop.fail(run)
    activate(shop, active=False)
    assert claimed()["kind"] == "status"
    shop.verified = False


def test_looks_take_a_quarter_of_a_batch_at_most(shop: Shop) -> None:
    run = shop.accept(*(draft(f"unsure {number}") for number in range(8)))
    settle(claim(8), "unknown", delay=0)
    shop.propose(run, *(draft(f"new {number}") for number in range(8)))
    assert [row["kind"] for row in claim(8)].count("status") == 2


def test_a_claim_whose_answer_was_lost_is_given_up_like_any_other(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    claim()
    with clock.at(LEASE + 1):
        sweep()
    assert shop.states(run) == {"a": "unknown"}


def test_applying_a_new_version_of_the_operation_stops_nothing_that_was_accepted(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    shop.apply(operation("pay", version=2))
    settle(claim())
    assert shop.states(run) == {"a": "succeeded"}


def test_the_clock_is_an_actor_of_its_own(shop: Shop) -> None:
    with crossing_tenants():
        assert str(CLOCK) == "system:clock"
