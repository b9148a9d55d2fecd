"""A pause stops what it is of at the next claim, says who and why, and lets it go on when it is lifted (R-N4, R-A3)."""

from collections.abc import Callable
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from console.http.reasons import ReasonMissing
from console.http.refusals import KeyReused, NotFound, ReasonTooLong
from runs.driver import RunEnded
from runs.pausing import pausing
from runs.pausing.pausing import AlreadyLifted, AlreadyPaused, BadPause, NotToPause, Subject
from runs.pausing.sentences import SENTENCES
from runs.states import PAUSE_SCOPES
from tests.halting import EMERGENCY, EVERYTHING, lift, of_operation, of_run, of_type, pause, paused, release, stored
from tests.record import findings, kinds, told
from tests.shop import Shop, draft
from tests.work import claim, claimed, settle, sweep

SCOPES: dict[str, Callable[[UUID], Subject]] = {
    "run": of_run,
    "operation": lambda run: of_operation(),
    "run_type": lambda run: of_type(),
    "tenant": lambda run: EVERYTHING,
    "emergency": lambda run: EMERGENCY,
}


@pytest.mark.parametrize("scope", SCOPES)
def test_what_is_paused_is_not_begun_and_goes_on_when_the_pause_is_lifted(shop: Shop, scope: str) -> None:
    run = shop.accept(draft("a"), draft("b"))
    paused = pause(shop, SCOPES[scope](run))
    assert claim() == []
    assert claim() == [], "it is parked, and found by no claim"
    assert set(shop.states(run).values()) == {"ready"}
    assert shop.effect(run, "a").next_attempt_at is None
    lift(shop, paused)
    sweep()
    assert [row["key"] for row in claim()] == ["a", "b"]


def test_every_scope_of_the_table_is_tried_above() -> None:
    assert set(PAUSE_SCOPES) == set(SCOPES) - {"emergency"}


@pytest.mark.parametrize("scope", ["run", "operation", "run_type"])
def test_what_is_not_paused_goes_on(shop: Shop, scope: str) -> None:
    run = shop.accept(draft("a"))
    other = shop.accept(draft("b", operation="look"), run_type="lenient")
    pause(shop, SCOPES[scope](run))
    assert [row["key"] for row in claim()] == ["b"]
    assert (shop.states(run), shop.states(other)) == ({"a": "ready"}, {"b": "dispatched"})


def test_another_tenant_goes_on(shop: Shop, rival: Shop) -> None:
    shop.accept(draft("ours"))
    rival.accept(draft("theirs"))
    pause(shop, EMERGENCY)
    assert [row["key"] for row in claim()] == ["theirs"]


def test_what_was_begun_before_is_let_finish(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    pause(shop, EMERGENCY)
    assert settle(row) == []
    assert shop.states(run) == {"a": "succeeded"}


def test_what_may_have_happened_is_still_looked_after(shop: Shop) -> None:
    """A look changes nothing, and an emergency is when somebody wants to know."""
    run = shop.accept(draft("a"))
    settle(claimed(), "unknown", delay=0)
    pause(shop, EMERGENCY)
    assert [row["kind"] for row in claim()] == ["status"]
    assert shop.states(run) == {"a": "unknown"}


def test_a_retry_waits_for_the_pause_to_be_lifted(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "overload", delay=0)
    paused = pause(shop, of_run(run))
    assert claim() == []
    lift(shop, paused)
    assert claimed()["number"] == 2


def test_of_two_pauses_both_must_be_lifted(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    first, second = pause(shop, of_run(run)), pause(shop, of_operation())
    assert claim() == []
    lift(shop, second)
    assert sweep() == {"pauses released": 1}
    assert claim() == []
    lift(shop, first)
    assert claimed()["key"] == "a"


def test_an_effect_that_something_else_stops_stays_parked_when_a_pause_is_lifted(shop: Shop) -> None:
    free, held = shop.accept(draft("a")), shop.accept(draft("b"))
    pause(shop, of_run(held))
    everything = pause(shop, EVERYTHING)
    assert claim() == []
    lift(shop, everything)
    sweep()
    assert (shop.effect(free, "a").next_attempt_at is not None, shop.effect(held, "b").next_attempt_at) == (True, None)


def test_a_pause_of_the_tenant_and_the_emergency_stop_stand_beside_each_other(shop: Shop) -> None:
    pause(shop, EVERYTHING)
    stop = pause(shop, EMERGENCY)
    assert stored(stop).emergency


# Lifting in batches


def test_lifting_goes_in_batches_until_everything_is_due_again(shop: Shop) -> None:
    runs = [shop.accept(draft("a")) for _ in range(7)]
    paused = pause(shop, EVERYTHING)
    assert claim() == []
    lift(shop, paused)
    due = []
    for _ in range(3):
        assert stored(paused).released_at is None
        release(limit=3)
        due.append(sum(shop.effect(run, "a").next_attempt_at is not None for run in runs))
    assert due == [3, 6, 7]
    assert stored(paused).released_at is not None
    assert release(limit=3) == 0
    assert len(claim()) == 7


def test_pauses_that_are_lifted_together_are_all_seen_to_in_one_pass(shop: Shop) -> None:
    runs = [shop.accept(draft("a")), shop.accept(draft("b", operation="wire"))]
    stopped = [pause(shop, of_operation(name)) for name in ("pay", "wire", "look")]
    assert claim() == []
    for each in stopped:
        lift(shop, each)
    sweep()
    assert [stored(each).released_at is not None for each in stopped] == [True] * 3
    assert [shop.effect(run, key).next_attempt_at is not None for run, key in zip(runs, "ab", strict=True)] == [
        True
    ] * 2


def test_a_pause_that_stopped_nothing_is_over_with_the_next_pass(shop: Shop) -> None:
    paused = pause(shop, of_operation())
    lift(shop, paused)
    assert sweep() == {"pauses released": 1}
    assert stored(paused).released_at is not None
    assert sweep() == {}


# Who may


@pytest.mark.parametrize(
    ("by", "scope", "may"),
    [
        ("oscar", "run", True), ("oscar", "operation", True), ("oscar", "run_type", True), ("oscar", "tenant", False),
        ("oscar", "emergency", False), ("dora", "run", True), ("dora", "tenant", True), ("dora", "emergency", True),
        ("ann", "run", False), ("ann", "tenant", False),
    ],
)  # fmt: skip
def test_operators_stop_a_part_and_administrators_everything(shop: Shop, by: str, scope: str, may: bool) -> None:
    run = shop.accept(draft("a"))
    subject = SCOPES[scope](run)
    if may:
        standing = pause(shop, subject, by)
        assert lift(shop, standing, by)["receipt"] == "lifted"
    else:
        with pytest.raises(NotToPause):
            pause(shop, subject, by)
        standing = pause(shop, subject)
        with pytest.raises(NotToPause):
            lift(shop, standing, by)
        assert stored(standing).lifted_at is None


def test_an_agent_pauses_nothing(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with pytest.raises(NotToPause):
        pausing.pause(shop.bot, of_run(run), reason="I would rather not.", key="agent")


def test_a_member_who_lost_the_role_pauses_nothing_more(shop: Shop) -> None:
    shop.change("oscar", roles=["approver"])
    with pytest.raises(NotToPause):
        pause(shop, of_operation(), "oscar")


def test_a_stranger_finds_nothing(shop: Shop, rival: Shop) -> None:
    run = shop.accept(draft("a"))
    standing = pause(shop, of_run(run))
    with pytest.raises(NotFound):
        pause(rival, of_run(run))
    with pytest.raises(NotFound):
        lift(rival, standing)


# What is refused


@pytest.mark.parametrize(
    "subject",
    [
        Subject("everything"), Subject("run"), Subject("run", run=uuid7(), name="pay"), Subject("operation"),
        Subject("tenant", name="pay"), Subject("operation", name="pay", run=uuid7()), Subject("operation", name="pay", emergency=True),
    ],
)  # fmt: skip
def test_a_pause_names_what_its_scope_needs_and_nothing_else(shop: Shop, subject: Subject) -> None:
    with pytest.raises(BadPause):
        pause(shop, subject, "dora")


def test_a_name_that_was_never_in_force_is_not_found(shop: Shop) -> None:
    for subject in (of_operation("fly"), of_type("holiday"), of_run(uuid7())):
        with pytest.raises(NotFound):
            pause(shop, subject)


def test_what_is_paused_already_says_by_whom_and_what_is_lifted_stays_lifted(shop: Shop) -> None:
    standing = pause(shop, of_operation())
    with pytest.raises(AlreadyPaused) as refused:
        pause(shop, of_operation(), "dora")
    assert refused.value.facts["by"] == "Oscar Wren"
    lift(shop, standing)
    with pytest.raises(AlreadyLifted):
        lift(shop, standing)
    assert pause(shop, of_operation()) != standing


def test_a_run_that_has_ended_is_not_paused(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    shop.fail(run)
    with pytest.raises(RunEnded):
        pause(shop, of_run(run))


def test_both_need_a_reason(shop: Shop) -> None:
    standing = pause(shop, of_operation())
    for reason, refusal in ((" ", ReasonMissing), ("x" * 2001, ReasonTooLong)):
        with pytest.raises(refusal):
            pause(shop, of_type(), reason=reason)
        with pytest.raises(refusal):
            lift(shop, standing, reason=reason)


def test_the_same_key_gives_the_same_receipt_and_another_intent_is_refused(shop: Shop) -> None:
    first = paused(shop, of_operation(), key="once")
    again = paused(shop, of_operation(), key="once")
    assert (again["pause"], again["replayed"]) == (first["pause"], True)
    with pytest.raises(KeyReused):
        paused(shop, of_type(), key="once")


# The record


def test_a_pause_of_a_run_stands_in_its_history_with_who_and_why(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    lift(shop, pause(shop, of_run(run), reason="The customer called."), "oscar", "They agree.")
    assert kinds(f"run:{run}")[-2:] == ["run.paused", "run.pause_lifted"]
    said = [SENTENCES[kind](facts, None) for kind, facts in told(f"run:{run}")[-2:]]
    assert "The customer called" in said[0]
    assert "They agree" in said[1]


@pytest.mark.parametrize("subject", [of_operation(), of_type(), EVERYTHING, EMERGENCY])
def test_a_wider_one_stands_in_the_tenants_administration(shop: Shop, subject: Subject) -> None:
    lift(shop, pause(shop, subject))
    assert kinds(f"tenant:{shop.tenant.pk}")[-2:] == ["pause.begun", "pause.lifted"]


def test_the_record_holds_with_pauses_of_every_scope(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    for scope, subject in SCOPES.items():
        standing = pause(shop, subject(run))
        if scope != "run":
            lift(shop, standing)
    assert findings() == []
