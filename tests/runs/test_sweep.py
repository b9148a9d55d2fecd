"""The clock's pass: what is due happens once, however many clocks there are, and one step that fails stops no other."""

from typing import Any

import psycopg
import pytest

from approvals import closing, spending
from approvals.alone import judging as alone
from approvals.alone import outcomes
from approvals.breaking import ending as glass
from approvals.deciding import escalating
from approvals.granting import ending
from approvals.telling import reminding
from console.database import crossing_tenants, rows, transaction
from console.notices import gathering
from runs import driving, finishing, judging, outcomes_told, overdue
from runs import sweep as passing
from runs.callbacks import applying
from runs.cancelling import left, tree
from runs.checkpoints import dropping
from runs.limits import exhausting
from runs.ownership import watching
from runs.pausing import releasing
from runs.signals import settling as signals
from runs.sweep import CLOCK
from runs.unknowns import alerts, overtaking
from runs.waits import children, dependencies, due
from tests import clock, databases
from tests.cast import inside
from tests.record import kinds
from tests.shop import Shop, dependency, draft, money
from tests.work import LEASE, claim, claimed, follow, settle, sweep

STEPS = [
    "leases ended", "requests expired", "requests escalated", "approvals lapsed", "broken glass ended",
    "reminders told", "requests alone judged again",
    "outcomes not reported", "late work followed", "decisions followed", "callbacks applied", "signals settled",
    "signals expired", "accepted overdue", "times come", "parents told", "dependencies come", "waits expired", "effects expired",
    "runs expired", "runs watched", "runs out of budget", "effects judged again", "effects judged", "cancellations looked at",
    "left by cancellations told", "findings overtaken", "checkpoints let go",
    "alerts posted", "outcomes told", "digests gathered", "pauses released",
    *passing.MORE, "units settled", "grants ended", "sums let go",
]  # fmt: skip


def test_a_pass_with_nothing_due_does_nothing(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", "250"))
    before = shop.run(run).ledger_seq
    assert sweep() == {}
    assert shop.run(run).ledger_seq == before


def test_a_second_pass_finds_nothing_more(shop: Shop) -> None:
    shop.accept(draft("a"), draft("b", "250"), deadline_seconds=60)
    with clock.at(61):
        assert sweep() != {}
        assert sweep() == {}


def test_everything_that_is_due_at_once_is_done_in_one_pass(shop: Shop) -> None:
    lost = shop.accept(draft("a"))
    claim()
    undecided = shop.accept(draft("dear", "250"), draft("after", after=["dear"]), completes_itself=True)
    unused = shop.accept(draft("dear", "250"), completes_itself=True)
    shop.approve(shop.request(unused, "dear"))
    with clock.at(1801):
        found = sweep()
    assert found == {
        "leases ended": 1, "requests expired": 1, "approvals lapsed": 1, "decisions followed": 2, "alerts posted": 1,
    }  # fmt: skip
    assert (shop.states(lost), shop.states(undecided), shop.states(unused)) == (
        {"a": "unknown"}, {"dear": "expired", "after": "withdrawn"}, {"dear": "lapsed"},
    )  # fmt: skip
    assert (shop.state(undecided), shop.state(unused)) == ("failed", "failed")


def test_an_effect_that_was_not_begun_by_its_deadline_expires_with_its_question(shop: Shop) -> None:
    run = shop.accept(
        draft("asked", "250", deadline_seconds=60), draft("ready", deadline_seconds=60), draft("after", after=["ready"])
    )
    with clock.at(61):
        assert sweep()["effects expired"] == 1
    assert shop.states(run) == {"asked": "expired", "ready": "expired", "after": "withdrawn"}
    assert shop.request(run, "asked").state == "expired"
    assert shop.effect(run, "ready").state_reason == "its deadline passed before it was begun"
    assert shop.state(run) == "running"


def test_an_effect_that_was_begun_in_time_outlasts_its_deadline(shop: Shop) -> None:
    run = shop.accept(draft("a", deadline_seconds=20), draft("b", deadline_seconds=20))
    settle(claim()[1], "unknown", delay=3600)
    with clock.at(21):
        assert sweep() == {"alerts posted": 1}
    assert shop.states(run) == {"a": "dispatched", "b": "unknown"}


def test_the_last_effect_to_expire_ends_a_run_that_completes_by_itself(shop: Shop) -> None:
    run = shop.accept(draft("a", deadline_seconds=60), completes_itself=True)
    with clock.at(61):
        sweep()
    assert shop.state(run) == "failed"


def test_effects_whose_turn_has_come_are_judged(shop: Shop) -> None:
    run = shop.accept(draft("first"), draft("asked", "250", after=["first"]), draft("allowed", after=["first"]))
    settle(claimed())
    assert shop.states(run) == {"first": "succeeded", "asked": "proposed", "allowed": "ready"}
    assert sweep() == {"effects judged": 1}
    assert shop.states(run)["asked"] == "awaiting_approval"
    assert shop.request(run, "asked").state == "pending"


def test_the_time_to_decide_begins_when_people_are_asked(shop: Shop) -> None:
    run = shop.accept(draft("first"), draft("asked", "250", after=["first"]))
    with clock.at(1000):
        settle(claimed())
        sweep()
    request = shop.request(run, "asked")
    assert (request.decide_by - request.created_at).total_seconds() == 1800


@pytest.mark.parametrize(("of_the_run", "of_the_effect"), [(60, None), (None, 60), (3000, 60)])
def test_nobody_is_asked_for_longer_than_it_would_be_done(
    shop: Shop, of_the_run: int | None, of_the_effect: int | None
) -> None:
    """R-D4, RET-07"""
    run = shop.accept(draft("asked", "250", deadline_seconds=of_the_effect), deadline_seconds=of_the_run)
    request = shop.request(run, "asked")
    assert request.decide_by == shop.effect(run, "asked").deadline_at
    assert (request.decide_by - request.created_at).total_seconds() == 60


def test_a_run_that_somebody_holds_waits_for_the_next_pass(shop: Shop) -> None:
    held, free = (shop.accept(draft("a"), deadline_seconds=60) for _ in range(2))
    with clock.at(61):
        with psycopg.connect(databases.variables()["DATABASE_WORKER_URL"]) as elsewhere:
            elsewhere.execute("select 1 from runs_run where id = %s for no key update", [held])
            sweep()
            assert (shop.state(held), shop.state(free)) == ("running", "expired")
        sweep()
    assert shop.state(held) == "expired"


def test_of_two_clocks_at_once_one_does_it(shop: Shop) -> None:
    run = shop.accept(draft("a"), deadline_seconds=60)
    with clock.at(61):
        with psycopg.connect(databases.variables()["DATABASE_WORKER_URL"]) as other:
            other.execute(passing.LOCK)
            assert sweep() == {}
        sweep()
    assert shop.state(run) == "expired"


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_a_step_that_fails_is_logged_and_stops_no_other(
    shop: Shop, step: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    places: list[tuple[Any, str]] = [
        (passing, "end_leases"), (closing, "expire_due"), (escalating, "escalate_due"), (closing, "lapse_due"), (glass, "end_due"),
        (reminding, "remind_due"),
        (alone, "judge_again_due"), (outcomes, "become_unknown"), (finishing, "follow_due"), (passing, "follow"), (applying, "apply_due"),
        (signals, "settle_due"), (signals, "expire_due"), (overdue, "become_unknown"), (due, "meet_times"), (children, "tell_due"),
        (dependencies, "come"), (due, "expire"), (passing, "expire_effects"),
        (passing, "expire_runs"), (watching, "watch"),
        (exhausting, "follow_due"),
        (judging, "judge_again_due"), (judging, "judge_due"), (tree, "look_due"), (left, "tell_due"),
        (overtaking, "overtake"), (dropping, "drop_due"),
        (alerts, "alert_due"), (outcomes_told, "tell_due"), (gathering, "gather_due"),
        (releasing, "release_due"), *((passing.MORE, name) for name in passing.MORE),
        (passing, "settle_units"),
        (ending, "end_due"),
        (spending, "forget_due"),
    ]  # fmt: skip
    done: list[int] = []
    for number, (where, name) in enumerate(places):
        put = monkeypatch.setitem if where is passing.MORE else monkeypatch.setattr
        put(where, name, _noting(done, number, broken=number == step))
    with crossing_tenants():
        found = passing.sweep()
    assert done == [number for number in range(len(STEPS)) if number != step]
    assert list(found) == STEPS
    assert [name for name, number in found.items() if number is None] == [STEPS[step]], "this was no whole pass"
    assert f"step of the clock failed: {STEPS[step]}" in caplog.text


def _noting(done: list[int], number: int, *, broken: bool) -> Any:
    def step(*_: Any) -> int:
        if broken:
            raise RuntimeError("this step fails")
        done.append(number)
        return 0

    return step


def test_a_step_that_fails_leaves_nothing_half_done(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    run = shop.accept(draft("a"), draft("b", "250", after=["a"]), deadline_seconds=60)
    real = driving.close

    def close(*given: Any, **named: Any) -> Any:
        real(*given, **named)
        raise RuntimeError("at the last moment")

    monkeypatch.setattr(driving, "close", close)
    monkeypatch.setattr(passing, "expire_effects", lambda *_: 0)
    with clock.at(61), crossing_tenants():
        passing.sweep()
    assert (shop.state(run), shop.states(run)) == ("running", {"a": "ready", "b": "blocked"})


def test_a_pass_is_bounded_and_the_next_goes_on_with_the_rest(shop: Shop) -> None:
    runs = [shop.accept(draft("a", "250"), deadline_seconds=60) for _ in range(5)]
    with clock.at(61), crossing_tenants():
        passing.sweep(limit=3)
        assert [shop.state(run) for run in runs].count("running") == 2
        passing.sweep(limit=3)
    assert {shop.state(run) for run in runs} == {"expired"}


def test_it_says_whether_there_is_work_so_that_it_rings_only_then(shop: Shop) -> None:
    def due() -> bool:
        with crossing_tenants():
            return passing.work_is_due()

    assert not due()
    shop.accept(draft("a"), draft("b", "250"))
    assert due()
    settle(claimed(), "unknown", delay=60)
    assert not due()
    with clock.at(61):
        assert due()


def test_what_no_worker_could_begin_now_rings_for_none(shop: Shop) -> None:
    """A dependency without a free slot, and a step that is the clock's own, are no work for another shift."""

    def due() -> bool:
        with crossing_tenants():
            return passing.work_is_due()

    shop.apply(dependency("bank", version=2, concurrency=1))
    shop.accept(draft("a"), draft("b"))
    first = claimed()
    assert not due(), "its only slot is taken"
    settle(first, "unknown", delay=0)
    assert due()
    second = claimed()
    assert not due(), "for looks, too"
    settle(second, "pending" if second["kind"] == "status" else "succeeded", delay=3600)
    settle(claim(), "succeeded")
    assert not due()
    shop.accept(draft("c"))
    settle(claimed(), "accepted", to="accepted", delay=0, step="overdue")
    assert not due(), "nobody can be asked about it"
    shop.accept(draft("d"))
    assert due()


def test_the_clock_decides_on_the_databases_time_alone(shop: Shop) -> None:
    """TIM-10: nothing expires because this process's own clock is fast."""
    run = shop.accept(draft("a", "250"), deadline_seconds=60)
    with clock.at(-3600):
        assert sweep() == {}
    assert shop.states(run) == {"a": "awaiting_approval"}


# Unknown stays unknown (UNK-04, R-F3)


@pytest.mark.parametrize("age", [clock.HOUR, clock.DAY, 30 * clock.DAY])
def test_no_periodic_job_ever_calls_an_unknown_effect_failed(shop: Shop, age: float) -> None:
    run = shop.accept(draft("a"), draft("after", after=["a"]), completes_itself=True)
    settle(claimed(), "unknown", delay=5)
    since = shop.effect(run, "a").unknown_since
    with clock.at(age):
        for _ in range(3):
            sweep()
            for row in claim():
                settle(row, "absent", delay=5)
    effect = shop.effect(run, "a")
    assert (effect.state, effect.unknown_since, effect.ended_at) == ("unknown", since, None)
    assert shop.state(run) in {"running", "closing"}


def test_an_unknown_effect_of_a_run_whose_time_is_up_keeps_the_run_open(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("after", after=["a"]))
    settle(claimed(), "unknown", delay=5)
    with clock.at(2 * clock.DAY):
        for _ in range(3):
            sweep()
    assert (shop.state(run), shop.states(run)) == ("closing", {"a": "unknown", "after": "expired"})


def test_only_evidence_ends_it_and_the_whole_story_stays(shop: Shop) -> None:
    run = shop.accept(draft("a"), completes_itself=True)
    settle(claimed(), "unknown", delay=0)
    settle(claimed(), "absent", delay=0)
    settle(claimed(), "succeeded")
    assert (shop.state(run), shop.effect(run, "a").unknown_since is not None) == ("succeeded", True)
    assert [(attempt.kind, attempt.outcome) for attempt in shop.attempts(run, "a")] == [
        ("act", "unknown"), ("status", "absent"), ("status", "succeeded"),
    ]  # fmt: skip


# Judged again by a newer policy


def judge_again(shop: Shop, text: str) -> dict[str, int]:
    """Publish a policy, and let the clock pass."""
    shop.apply(text)
    return sweep()


def test_what_is_asked_under_a_superseded_policy_is_asked_anew(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    old = shop.request(run, "dear")
    assert judge_again(shop, money(version=2, large="200")) == {"effects judged again": 1}
    new = shop.request(run, "dear")
    with inside():
        old.refresh_from_db()
    assert (old.state, old.closing_reason, new.state, new.quorum, new.rule) == (
        "rerouted",
        "the policy changed",
        "pending",
        2,
        "large",
    )
    assert (new.subject, new.subject_digest) == (old.subject, old.subject_digest)
    assert kinds(f"run:{run}")[-2:] == ["effect.sent_back", "effect.judged"]


def test_what_is_ready_is_judged_again_before_it_is_begun(shop: Shop) -> None:
    run = shop.accept(draft("small"), draft("tiny", "1"), draft("look", operation="look"))
    judge_again(shop, money(version=2, middling="5", small="allow"))
    assert shop.states(run) == {"small": "awaiting_approval", "tiny": "ready", "look": "ready"}
    assert sorted(row["key"] for row in claim()) == ["look", "tiny"]


def test_what_was_approved_and_not_begun_is_asked_anew(shop: Shop) -> None:
    run = shop.accept(draft("heard", "250"), draft("unheard", "260"))
    shop.approve(shop.request(run, "heard"))
    follow()
    shop.approve(shop.request(run, "unheard"))
    assert judge_again(shop, money(version=2, use="600"))["effects judged again"] == 2
    assert set(shop.states(run).values()) == {"awaiting_approval"}
    assert claim() == []


def test_what_waits_for_its_turn_is_judged_by_the_new_policy_when_it_comes(shop: Shop) -> None:
    run = shop.accept(draft("first", operation="look"), draft("next", after=["first"]))
    judge_again(shop, money(version=2, small="deny"))
    assert shop.states(run) == {"first": "ready", "next": "blocked"}
    assert shop.effect(run, "next").verdict == "deny"
    settle(claimed())
    sweep()
    assert shop.states(run) == {"first": "succeeded", "next": "denied"}


def test_what_the_new_policy_denies_ends_and_takes_along_what_waits_for_it(shop: Shop) -> None:
    run = shop.accept(draft("small"), draft("after", after=["small"]), completes_itself=True)
    judge_again(shop, money(version=2, small="deny"))
    assert (shop.states(run), shop.state(run)) == ({"small": "denied", "after": "withdrawn"}, "failed")


def test_what_has_begun_is_not_judged_again(shop: Shop) -> None:
    run = shop.accept(draft("flying"), draft("unknown"))
    rows_claimed = claim()
    settle(rows_claimed[1], "unknown", delay=3600)
    assert judge_again(shop, money(version=2, small="deny")) == {"alerts posted": 1}
    assert shop.states(run) == {"flying": "dispatched", "unknown": "unknown"}


def test_effects_of_several_tenants_are_judged_each_by_its_own_policy(shop: Shop, rival: Shop) -> None:
    ours, theirs = shop.accept(draft("a")), rival.accept(draft("a"))
    for each, verdict in ((shop, "deny"), (rival, "allow")):
        each.apply(money(version=2, small=verdict))
    assert sweep() == {"effects judged again": 2}
    assert (shop.states(ours), rival.states(theirs)) == ({"a": "denied"}, {"a": "ready"})


# News of decisions


def test_news_is_taken_once(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    shop.deny(shop.request(run, "dear"), reason="No.")
    assert sweep() == {"decisions followed": 1}
    assert sweep() == {}
    assert kinds(f"run:{run}").count("effect.denied") == 1
    assert shop.request(run, "dear").heard_at is not None


def test_news_of_a_run_that_somebody_holds_waits_for_the_next_pass(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    shop.approve(shop.request(run, "dear"))
    with psycopg.connect(databases.variables()["DATABASE_WORKER_URL"]) as elsewhere:
        elsewhere.execute("select 1 from runs_run where id = %s for no key update", [run])
        follow()
        assert (shop.states(run), shop.request(run, "dear").heard_at) == ({"dear": "awaiting_approval"}, None)
    follow()
    assert shop.states(run) == {"dear": "ready"}


def test_the_reason_of_a_denial_reaches_the_agent(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    shop.deny(shop.request(run, "dear"), reason="We never pay bob.")
    follow()
    assert (shop.effect(run, "dear").state, shop.effect(run, "dear").state_reason) == ("denied", "We never pay bob.")


def test_a_lease_ends_by_the_databases_clock_and_not_before(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    claim()
    with clock.at(LEASE - 10):
        assert sweep() == {}
    with clock.at(LEASE + 1):
        sweep()
    assert shop.states(run) == {"a": "unknown"}


def test_the_steps_run_inside_a_transaction_of_the_clock(shop: Shop) -> None:
    with crossing_tenants(), transaction(None):
        assert rows(passing.LOCK)[0]["mine"]
        assert str(CLOCK) == "system:clock"
