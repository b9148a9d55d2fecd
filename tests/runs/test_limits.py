"""Limits: what a run may use is enforced where it is asked for and where it begins, and running out is a state of its own (R-D1, R-D5)."""

from typing import Any

import pytest

from console.http.reasons import ReasonMissing
from console.http.refusals import KeyReused, NotFound, StaleToken
from console.notices.models import Copy, Notice
from runs import driver, intake
from runs.limits import exhausting
from runs.limits.budgets import BadLimit, LimitTooHigh
from runs.limits.extending import NotEnough, NothingGiven, NotYoursToExtend
from runs.limits.intake import LimitReached, RunExhausted, check_children
from runs.limits.usage import NothingUsed, TooMuchUsed
from runs.models import Run
from tests import clock
from tests.cast import inside
from tests.limits import extend, left, limited, use
from tests.pending import open_wait, signal, timer, waits
from tests.permits import begin, with_permits
from tests.record import kinds, told
from tests.shop import Shop, draft
from tests.superuser import hand
from tests.work import claim, claimed, settle, sweep


def test_a_run_may_use_what_its_contract_says_or_less_where_it_asks_for_less(shop: Shop) -> None:
    frugal = limited(shop, limits="{attempts: 9, cost: 12.5, tokens: 1000, children: 2, wall_seconds: 600}")
    assert left(shop, shop.accept(run_type=frugal)) | {"wall_seconds": ""} == {
        "attempts": "9", "cost": "12.5", "tokens": "1000", "children": "2", "wall_seconds": "",
    }  # fmt: skip
    modest = shop.accept(run_type=frugal, limits={"attempts": 3, "cost": "2.000001", "children": 0})
    assert shop.run(modest).limits == (
        '{"attempts":3,"children":0,"cost":"2.000001","on_exhaustion":"hold","tokens":1000,"wall_seconds":600}'
    )


def test_a_run_may_limit_itself_where_its_contract_does_not(shop: Shop) -> None:
    assert shop.run(shop.accept()).limits == ""
    assert left(shop, shop.accept(limits={"tokens": 5})) == {"tokens": "5"}


@pytest.mark.parametrize(
    ("limits", "refusal"),
    [
        ({"attempts": 10}, LimitTooHigh), ({"cost": "12.51"}, LimitTooHigh), ({"cost": "0.0000001"}, BadLimit), ({"cost": "-1"}, BadLimit),
        ({"attempts": "2.5"}, BadLimit), ({"attempts": True}, BadLimit), ({"cost": "1e3"}, BadLimit), ({"patience": 1}, BadLimit),
    ],
)  # fmt: skip
def test_more_than_the_contract_allows_and_what_is_no_amount_is_refused(shop: Shop, limits: Any, refusal: Any) -> None:
    frugal = limited(shop, limits="{attempts: 9, cost: 12.5}")
    with pytest.raises(refusal) as refused:
        shop.accept(run_type=frugal, limits=limits)
    assert refused.value.facts["path"] == f"/limits/{next(iter(limits))}"


def test_the_same_key_with_other_limits_is_another_intent_and_without_any_it_is_the_one_of_before(shop: Shop) -> None:
    run = shop.accept(key="once", limits={"tokens": 5})
    assert shop.accept(key="once", limits={"tokens": 5}) == run
    others: list[dict[str, Any]] = [{"limits": {"tokens": 6}}, {}]
    for other in others:
        with pytest.raises(KeyReused):
            shop.accept(key="once", **other)


def test_attempts_run_out_at_the_claim_and_what_was_due_is_parked(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), draft("c"), limits={"attempts": 3})
    settle(claim(), "transient", http=503, delay=0)
    assert left(shop, run) == {"attempts": "0"}
    assert shop.state(run) == "running"
    assert claim() == []
    stands = shop.run(run)
    assert (stands.state, stands.attention, stands.attention_reason) == ("exhausted", "exhausted", "attempts: 3 of 3")
    assert shop.states(run) == {"a": "ready", "b": "ready", "c": "ready"}
    assert {shop.effect(run, key).next_attempt_at for key in "abc"} == {None}
    assert claim() == []
    assert kinds(f"run:{run}").count("run.exhausted") == 1


def test_of_what_is_due_at_once_as_much_begins_as_is_left(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), draft("c"), limits={"attempts": 4})
    settle(claim(2), "transient", http=503, delay=0)
    begun = claim()
    assert len(begun) == 2
    assert (shop.state(run), left(shop, run)) == ("running", {"attempts": "0"})
    assert claim() == []
    assert shop.state(run) == "exhausted"


def test_one_run_that_has_run_out_holds_nobody_else_up(shop: Shop) -> None:
    poor, rich = shop.accept(draft("a"), draft("b"), limits={"attempts": 2}), shop.accept(draft("a"), draft("b"))
    settle([row for row in claim() if row["run_id"] == poor], "transient", http=503, delay=0)
    more = shop.accept(draft("c"))
    assert {row["run_id"] for row in claim()} == {more}
    assert (shop.state(poor), shop.state(rich)) == ("exhausted", "running")


def test_what_is_in_flight_when_a_run_runs_out_is_done_and_counts(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), limits={"attempts": 2, "tokens": 10})
    [first] = claim(1)
    assert use(shop, run, tokens=11)["state"] == "exhausted"
    settle(first)
    assert shop.states(run) == {"a": "succeeded", "b": "ready"}
    assert (shop.state(run), claim()) == ("exhausted", [])


def test_looks_are_not_counted_and_never_held_up(shop: Shop) -> None:
    run = shop.accept(draft("a"), limits={"attempts": 1})
    settle(claimed(), "unknown", http=None, delay=0, step="status")
    look = claimed()
    assert look["kind"] == "status"
    settle(look, "succeeded")
    assert (shop.states(run), left(shop, run)) == ({"a": "succeeded"}, {"attempts": "0"})
    assert shop.complete(run)["state"] == "succeeded"


@pytest.mark.parametrize(("budget", "used"), [("tokens", {"tokens": 100}), ("cost", {"cost": "2.5"})])
def test_what_is_used_up_exactly_stops_the_next_beginning_and_lets_the_run_complete(
    shop: Shop, budget: str, used: dict[str, Any]
) -> None:
    limits = {"tokens": 100} if budget == "tokens" else {"cost": "2.5"}
    ends, goes_on = shop.accept(limits=limits), shop.accept(draft("a"), limits=limits)
    assert use(shop, ends, **used)["budgets"][0]["left"] == "0"
    assert use(shop, goes_on, **used)["state"] == "running"
    assert shop.complete(ends)["state"] == "succeeded"
    assert claim() == []
    assert (shop.state(goes_on), shop.run(goes_on).attention) == ("exhausted", "exhausted")


def test_more_than_it_may_use_sets_a_run_aside_at_once(shop: Shop) -> None:
    run = shop.accept(draft("a"), limits={"cost": "2.5"})
    use(shop, run, cost="2.4")
    told_of = use(shop, run, cost="0.100001")
    assert (told_of["state"], told_of["used_cost"]) == ("exhausted", "2.500001")
    assert shop.run(run).attention_reason == "cost: 2.500001 of 2.5"
    with pytest.raises(driver.RunStopped):
        shop.complete(run)


def test_cost_is_exact_to_the_last_place(shop: Shop) -> None:
    run = shop.accept(limits={"cost": "0.3"})
    for _ in range(3):
        use(shop, run, cost="0.1")
    assert (left(shop, run), shop.state(run)) == ({"cost": "0"}, "running")
    assert use(shop, run, cost="0.000001")["state"] == "exhausted"


def test_the_time_to_use_runs_out(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), limits={"wall_seconds": 60})
    settle(claim(1))
    with clock.at(60):
        assert claim() == []
    assert shop.run(run).attention_reason == "wall seconds: 60 of 60"


def test_usage_counts_once_for_each_key_and_is_taken_from_the_driver_alone(shop: Shop, rival: Shop) -> None:
    run = shop.accept()
    use(shop, run, tokens=5, cost="0.5", key="once")
    assert use(shop, run, tokens=5, cost="0.50", key="once")["replayed"] is True
    with pytest.raises(KeyReused):
        use(shop, run, tokens=6, cost="0.5", key="once")
    with pytest.raises(StaleToken):
        use(shop, run, tokens=5, epoch=2)
    with pytest.raises(NotFound):
        use(rival, run, tokens=5)
    assert (shop.run(run).used_tokens, str(shop.run(run).used_cost)) == (5, "0.500000")


@pytest.mark.parametrize(
    ("used", "refusal"),
    [
        ({}, NothingUsed), ({"tokens": 0, "cost": "0"}, NothingUsed), ({"tokens": 1, "note": "x" * 501}, NothingUsed),
        ({"tokens": -1}, BadLimit), ({"cost": "0.0000001"}, BadLimit), ({"cost": "NaN"}, BadLimit),
    ],
)  # fmt: skip
def test_what_is_no_usage_is_refused(shop: Shop, used: dict[str, Any], refusal: Any) -> None:
    run = shop.accept()
    with pytest.raises(refusal):
        use(shop, run, **used)


def test_more_than_can_be_kept_is_refused(shop: Shop) -> None:
    run = shop.accept()
    with inside():
        Run.objects.filter(pk=run).update(used_cost="99999999999999")
    shop.verified = False
    with pytest.raises(TooMuchUsed):
        use(shop, run, cost="1")


def test_a_run_that_has_ended_takes_no_usage(shop: Shop) -> None:
    run = shop.accept()
    shop.complete(run)
    with pytest.raises(driver.RunEnded):
        use(shop, run, tokens=1)


def test_a_proposal_for_which_too_little_is_left_is_refused_and_changes_nothing(shop: Shop) -> None:
    run = shop.accept(draft("a"), limits={"attempts": 2})
    before = shop.run(run).ledger_seq
    with pytest.raises(LimitReached) as refused:
        shop.propose(run, draft("b"), draft("c"))
    assert (refused.value.facts["budget"], refused.value.facts["awaited"], refused.value.facts["asked"]) == (
        "attempts",
        1,
        2,
    )
    assert (shop.run(run).ledger_seq, shop.state(run)) == (before, "running")
    shop.propose(run, draft("b"))
    with pytest.raises(LimitReached):
        shop.accept(draft("a"), draft("b"), limits={"attempts": 1})


def test_a_proposal_to_a_run_with_nothing_left_sets_it_aside(shop: Shop) -> None:
    run = shop.accept(draft("a"), limits={"tokens": 10})
    use(shop, run, tokens=10)
    with pytest.raises(RunExhausted):
        shop.propose(run, draft("b"))
    assert shop.state(run) == "exhausted"
    with pytest.raises(driver.RunStopped) as refused:
        shop.propose(run, draft("b"))
    assert refused.value.facts["attention"] == "exhausted"


def test_a_run_that_somebody_set_aside_meanwhile_and_one_with_something_left_stay_as_they_are(shop: Shop) -> None:
    """Two who find at once that it ran out: the second has nothing to do, and does not fail."""
    run, other = shop.accept(limits={"tokens": 10}), shop.accept(limits={"tokens": 10})
    use(shop, run, tokens=11)
    before = shop.run(run).ledger_seq
    for each in (run, other):
        exhausting.exhaust_now(shop.bot, each)
    assert (shop.state(run), shop.run(run).ledger_seq, shop.state(other)) == ("exhausted", before, "running")


def test_of_several_proposals_those_for_which_something_is_left_are_taken(shop: Shop) -> None:
    run = shop.accept(limits={"attempts": 2})
    answers = intake.propose_each(shop.bot, run, [draft("a"), draft("b"), draft("c")], epoch=1)
    assert [getattr(answer, "code", "") for answer in answers] == ["", "", "limit_reached"]
    use(shop, other := shop.accept(limits={"tokens": 1}), tokens=1)
    answers = intake.propose_each(shop.bot, other, [draft("a")], epoch=1)
    assert ([getattr(answer, "code", "") for answer in answers], shop.state(other)) == (["run_exhausted"], "exhausted")


def test_an_agent_and_a_person_begin_nothing_of_a_run_with_nothing_left(shop: Shop) -> None:
    with_permits(shop)
    for operation, by in (("label", shop.bot), ("phone", shop.actor("ann"))):
        run = shop.accept(draft("a", operation=operation), limits={"tokens": 10})
        use(shop, run, tokens=10)
        with pytest.raises(RunExhausted):
            begin(by, shop.effect(run, "a"))
        assert shop.state(run) == "exhausted"
        assert told(f"run:{run}")[-1][0] == "run.exhausted"


def test_a_child_beyond_their_number_is_refused_also_within_one_request(shop: Shop) -> None:
    run = shop.accept(limits={"children": 2})
    drafts = [shop.draft(parent=run, parent_epoch=1) for _ in range(3)]
    answers = intake.accept_each(shop.bot, drafts)
    assert [getattr(answer, "code", "") for answer in answers] == ["", "", "limit_reached"]
    with pytest.raises(LimitReached):
        shop.accept(parent=run, parent_epoch=1)
    assert left(shop, run) == {"children": "0"}


def test_children_are_refused_beyond_their_number_and_stop_nothing_else(shop: Shop) -> None:
    run = shop.accept(draft("a"), limits={"children": 1})
    child = shop.accept()
    parent = shop.run(run)
    with inside():
        check_children(parent)
        Run.objects.filter(pk=child).update(parent_id=run)
        with pytest.raises(LimitReached):
            check_children(parent)
        Run.objects.filter(pk=child).update(parent_id=None)
    settle(claimed())
    assert shop.complete(run)["state"] == "succeeded"


def test_an_operator_gives_more_and_the_run_goes_on_where_it_stood(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), limits={"attempts": 2})
    settle(claim(1))
    settle(claimed(), "transient", http=503, delay=0)
    assert claim() == []
    receipt = extend(shop, run, attempts=1)
    assert receipt["state"] == "running"
    stands = shop.run(run)
    assert (stands.attention, stands.attention_since, stands.attention_reason) == ("", None, "")
    settle(claimed())
    assert shop.complete(run)["state"] == "succeeded"
    assert kinds(f"run:{run}").count("run.extended") == 1


def test_what_is_not_enough_is_refused(shop: Shop) -> None:
    run = shop.accept(limits={"cost": "1", "tokens": 10})
    use(shop, run, cost="1.5", tokens=20)
    for more in ({"cost": "0.5", "tokens": 11}, {"cost": "0.6"}):
        with pytest.raises(NotEnough):
            extend(shop, run, **more)
    assert extend(shop, run, cost="0.6", tokens=11)["state"] == "running"


def test_a_run_that_goes_on_can_be_given_more_before_it_runs_out(shop: Shop) -> None:
    run = shop.accept(limits={"attempts": 1})
    extend(shop, run, attempts=1)
    assert left(shop, run) == {"attempts": "2"}
    assert shop.state(run) == "running"


def test_who_may_give_more_and_with_which_words(shop: Shop, rival: Shop) -> None:
    run = shop.accept(limits={"attempts": 1})
    with pytest.raises(NotYoursToExtend):
        extend(shop, run, name="ann", attempts=1)
    with pytest.raises(NotFound):
        extend(rival, run, attempts=1)
    with pytest.raises(ReasonMissing):
        extend(shop, run, reason=" ", attempts=1)
    for nothing in ({}, {"attempts": 0}, {"cost": "1"}):  # no amount, none, and of a budget that it does not have
        with pytest.raises(NothingGiven):
            extend(shop, run, **nothing)
    shop.complete(run)
    with pytest.raises(driver.RunEnded):
        extend(shop, run, attempts=1)


def test_a_run_whose_contract_says_so_ends_as_failed_when_it_runs_out(shop: Shop) -> None:
    strict = limited(shop, "strict", "{attempts: 1, tokens: 10, on_exhaustion: fail}")
    run = shop.accept(draft("a"), run_type=strict)
    settle(claimed(), "transient", http=503, delay=0)
    assert claim() == []
    assert shop.state(run) == "exhausted"
    assert sweep()["runs out of budget"] == 1
    assert (shop.state(run), shop.run(run).closing_reason) == (
        "failed",
        "it ran out of what it may use (attempts: 1 of 1)",
    )
    assert shop.states(run) == {"a": "withdrawn"}
    spent = shop.accept(run_type=strict)
    assert use(shop, spent, tokens=11)["state"] == "failed"


def test_operators_and_whoever_answers_for_the_agent_are_told_once_of_each_time_that_it_runs_out(shop: Shop) -> None:
    run = shop.accept(draft("a"), limits={"attempts": 1})
    settle(claimed(), "transient", http=503, delay=0)
    claim()
    assert sweep()["runs out of budget"] == 1
    assert "runs out of budget" not in sweep()
    extend(shop, run, attempts=1)
    settle(claimed(), "transient", http=503, delay=0)
    claim()
    sweep()
    with inside():
        told_of = Notice.objects.filter(about=run).order_by("posted_at")
        assert [notice.kind for notice in told_of] == ["run.exhausted"] * 2
        assert set(Copy.objects.filter(notice=told_of[0]).values_list("member__user__name", flat=True)) == {
            "Oscar Wren",
            "Ben Osei",
        }


def test_a_run_without_limits_is_never_asked_what_it_has_used(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    use(shop, run, tokens=10**12, cost="1000000")
    settle(claimed())
    assert (left(shop, run), shop.complete(run)["state"]) == ({}, "succeeded")


def test_the_claim_of_runs_without_limits_reckons_no_budget(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    hand().execute("alter function runs_budgets(uuid[], timestamptz) rename to runs_budgets_away")
    try:
        assert [row["run_id"] for row in claim()] == [run]
    finally:
        hand().execute("alter function runs_budgets_away(uuid[], timestamptz) rename to runs_budgets")


def test_a_run_for_which_something_came_while_it_had_run_out_goes_on_when_it_is_given_more(shop: Shop) -> None:
    run = shop.accept(limits={"tokens": 5})
    open_wait(shop, run, timer(60, name="hour"), signal("paid", name="paid"))
    use(shop, run, tokens=6)
    assert shop.state(run) == "exhausted"
    with clock.at(61):
        sweep()
        assert (shop.state(run), waits(run)) == ("exhausted", {"hour": "met", "paid": "open"})
        assert extend(shop, run, tokens=10)["state"] == "running"
    assert (shop.state(run), waits(run), shop.run(run).open_waits) == (
        "running",
        {"hour": "met", "paid": "withdrawn"},
        0,
    )


def test_a_run_that_had_gone_on_does_not_wait_anew_when_it_is_given_more(shop: Shop) -> None:
    run = shop.accept(limits={"tokens": 5})
    open_wait(shop, run, timer(600, name="late", parks=False))
    shop.propose(run, draft("then", after_waits=["late"]))
    open_wait(shop, run, timer(60, name="soon"), timer(900, name="latest"))
    with clock.at(61):
        sweep()
        use(shop, run, tokens=6)
        assert extend(shop, run, tokens=10)["state"] == "running"
    assert waits(run) == {"late": "open", "soon": "met", "latest": "withdrawn"}


def test_a_run_for_which_nothing_came_meanwhile_waits_on(shop: Shop) -> None:
    run = shop.accept(limits={"tokens": 5})
    open_wait(shop, run, timer(60, name="hour"))
    use(shop, run, tokens=6)
    assert extend(shop, run, tokens=10)["state"] == "waiting"
    with clock.at(61):
        sweep()
    assert shop.state(run) == "running"
