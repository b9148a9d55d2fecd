"""The completion gate (R-A8), giving a run up, and withdrawing: a run's end says what the world looks like."""

from typing import Any

import pytest

from console.http.reasons import ReasonMissing
from console.http.refusals import KeyReused, NotFound, ReasonTooLong, StaleToken, StaleVersion
from runs import driving
from runs.driver import RunEnded, RunOutOfTime
from runs.driving import AlreadyBegun, NotNamed, UnresolvedEffects
from tests import clock
from tests.record import kinds, told
from tests.shop import Shop, draft
from tests.work import claim, claimed, follow, settle, sweep

ENDED_UNDONE = {"rejected": "rejected", "invalid": "failed"}


def stands_in_the_way(shop: Shop, run: Any, **accepting: Any) -> dict[str, Any]:
    """Try to complete a run, and give what the refusal names."""
    before = shop.run(run)
    with pytest.raises(UnresolvedEffects) as refused:
        shop.complete(run, **accepting)
    assert shop.run(run).ledger_seq == before.ledger_seq
    return {name: refused.value.facts[name] for name in ("open", "unresolved", "not_done")}


def nothing(**named: Any) -> dict[str, Any]:
    """Give what a refusal names: nothing but this."""
    return {
        "open": [],
        "unresolved": [],
        "not_done": [],
        **{name: [str(key) for key in keys] for name, keys in named.items()},
    }


# The gate


def test_a_run_of_which_everything_was_done_is_completed_with_its_result(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed())
    receipt = shop.complete(run, {"paid": "10.10"})
    ended = shop.run(run)
    assert (receipt["state"], ended.state, ended.result) == ("succeeded", "succeeded", '{"paid":"10.10"}')
    assert told(f"run:{run}")[-1] == (
        "run.completed",
        {"to": "succeeded", "result": '{"paid":"10.10"}', "unresolved": []},
    )


def test_a_run_without_effects_is_completed(shop: Shop) -> None:
    assert shop.complete(shop.accept())["state"] == "succeeded"


def test_what_has_not_begun_stands_in_the_way(shop: Shop) -> None:
    run = shop.accept(draft("ready"), draft("asked", "250", required=False), draft("blocked", after=["ready"]))
    keys = ("ready", "asked", "blocked")
    assert stands_in_the_way(shop, run) == nothing(open=[shop.effect(run, key).pk for key in keys])


@pytest.mark.parametrize("required", [True, False])
def test_what_is_in_flight_stands_in_the_way_required_or_not(shop: Shop, required: bool) -> None:
    run = shop.accept(draft("a", required=required))
    claim()
    assert stands_in_the_way(shop, run) == nothing(open=[shop.effect(run, "a").pk])


def test_what_was_accepted_over_there_is_still_in_flight(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "accepted")
    assert stands_in_the_way(shop, run) == nothing(open=[shop.effect(run, "a").pk])


@pytest.mark.parametrize("required", [True, False])
def test_what_is_unknown_stands_in_the_way_required_or_not(shop: Shop, required: bool) -> None:
    run = shop.accept(draft("a", required=required))
    settle(claimed(), "unknown")
    assert stands_in_the_way(shop, run) == nothing(unresolved=[shop.effect(run, "a").pk])


def test_what_was_done_in_part_stands_in_the_way_if_it_is_required(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", required=False))
    settle(claim(), "partial")
    assert stands_in_the_way(shop, run) == nothing(unresolved=[shop.effect(run, "a").pk])


@pytest.mark.parametrize("outcome", ENDED_UNDONE)
def test_what_was_required_and_not_done_stands_in_the_way(shop: Shop, outcome: str) -> None:
    run = shop.accept(draft("a"), draft("b", required=False))
    settle(claim(), outcome)
    assert stands_in_the_way(shop, run) == nothing(not_done=[shop.effect(run, "a").pk])


@pytest.mark.parametrize("ending", ["denied by policy", "denied by a person", "expired", "lapsed"])
def test_what_was_required_and_not_allowed_stands_in_the_way(shop: Shop, ending: str) -> None:
    run = shop.accept(draft("a", "13" if ending == "denied by policy" else "250"))
    if ending == "denied by a person":
        shop.deny(shop.request(run, "a"))
    if ending == "lapsed":
        shop.approve(shop.request(run, "a"))
    if ending in {"expired", "lapsed"}:
        with clock.at(1801):
            sweep()
    follow()
    assert shop.states(run)["a"] == ending.partition(" ")[0]
    assert stands_in_the_way(shop, run) == nothing(not_done=[shop.effect(run, "a").pk])


def test_what_the_driver_withdrew_itself_stands_in_nobodys_way(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"))
    shop.withdraw(run, "a")
    settle(claimed())
    assert shop.complete(run)["state"] == "succeeded"


# Replaced effects


def replaced(shop: Shop, run: Any, key: str = "again", **more: Any) -> None:
    """Replace the effect that was refused, and leave the new one ready."""
    shop.propose(run, draft(key, supersedes=shop.effect(run, more.pop("what", "a")).pk, **more))


def test_what_was_not_done_is_made_good_by_what_replaced_it(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "rejected")
    replaced(shop, run)
    settle(claimed())
    assert shop.complete(run)["state"] == "succeeded"


def test_a_chain_of_replacements_is_made_good_by_the_last(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "rejected")
    replaced(shop, run)
    settle(claimed(), "rejected")
    assert stands_in_the_way(shop, run) == nothing(not_done=[shop.effect(run, "again").pk])
    replaced(shop, run, "once more", what="again")
    settle(claimed())
    assert shop.complete(run)["state"] == "succeeded"


def test_a_replacement_that_was_withdrawn_makes_nothing_good(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "rejected")
    replaced(shop, run)
    shop.withdraw(run, "again")
    assert stands_in_the_way(shop, run) == nothing(not_done=[shop.effect(run, "a").pk])


def test_a_replacement_that_is_not_required_makes_good_only_what_it_did(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "rejected")
    replaced(shop, run, required=False)
    settle(claimed(), "rejected")
    assert stands_in_the_way(shop, run) == nothing(not_done=[shop.effect(run, "a").pk])
    replaced(shop, run, "once more", required=False)
    settle(claimed())
    assert shop.complete(run)["state"] == "succeeded"


# Naming what is unresolved


def unresolved(shop: Shop, run_type: str = "lenient") -> Any:
    """Accept a run of which one effect is unknown and another was done in part."""
    run = shop.accept(draft("unknown"), draft("partial"), draft("done"), run_type=run_type)
    for row, outcome in zip(claim(), ("unknown", "partial", "succeeded"), strict=True):
        settle(row, outcome)
    return run


def test_where_the_run_type_allows_it_a_run_is_completed_with_the_unresolved_named(shop: Shop) -> None:
    run = unresolved(shop)
    named = [shop.effect(run, key).pk for key in ("unknown", "partial")]
    assert shop.complete(run, accepting=named)["state"] == "succeeded_with_unresolved"
    assert set(shop.run(run).unresolved) == set(named)


def test_every_one_of_them_must_be_named(shop: Shop) -> None:
    run = unresolved(shop)
    ids = {key: shop.effect(run, key).pk for key in ("unknown", "partial")}
    for named in ([], [ids["unknown"]], [ids["partial"]]):
        assert stands_in_the_way(shop, run, accepting=named) == nothing(unresolved=ids.values())


def test_nothing_else_can_be_named(shop: Shop) -> None:
    run = unresolved(shop)
    named = [shop.effect(run, key).pk for key in ("unknown", "partial", "done")]
    with pytest.raises(NotNamed):
        shop.complete(run, accepting=named)


def test_where_the_run_type_does_not_allow_it_nothing_can_be_named(shop: Shop) -> None:
    run = unresolved(shop, "errand")
    with pytest.raises(NotNamed) as refused:
        shop.complete(run, accepting=[shop.effect(run, key).pk for key in ("unknown", "partial")])
    assert refused.value.facts["allowed"] is False


def test_naming_does_not_excuse_what_was_not_done(shop: Shop) -> None:
    run = shop.accept(draft("unknown"), draft("refused"), run_type="lenient")
    for row, outcome in zip(claim(), ("unknown", "rejected"), strict=True):
        settle(row, outcome)
    unknown, refused = shop.effect(run, "unknown").pk, shop.effect(run, "refused").pk
    assert stands_in_the_way(shop, run, accepting=[unknown]) == nothing(unresolved=[unknown], not_done=[refused])


def test_an_unknown_effect_of_a_completed_run_is_still_asked_about_and_resolved(shop: Shop) -> None:
    run = shop.accept(draft("a"), run_type="lenient")
    settle(claimed(), "unknown", delay=0)
    shop.complete(run, accepting=[shop.effect(run, "a").pk])
    settle(claimed(), "succeeded")
    assert (shop.states(run), shop.state(run)) == ({"a": "succeeded"}, "succeeded_with_unresolved")


# Once, by the driver, in time


@pytest.mark.parametrize("verb", ["complete", "fail"])
def test_the_same_request_again_gets_the_same_receipt(shop: Shop, verb: str) -> None:
    run = shop.accept()
    first, again = end(shop, run, verb, key="once"), end(shop, run, verb, key="once")
    assert again == {**first, "replayed": True}
    assert kinds(f"run:{run}").count("run.completed" if verb == "complete" else "run.ended") == 1


def end(
    shop: Shop, run: Any, verb: str, *, key: str, epoch: int = 1, version: int | None = None, **other: Any
) -> dict[str, Any]:
    """End a run by a verb."""
    if verb == "complete":
        sent = {"result": None, "accept_unresolved": [], **other}
        return driving.complete(shop.bot, run, epoch=epoch, version=version, key=key, **sent)
    return driving.fail(shop.bot, run, epoch=epoch, version=version, key=key, **{"reason": "No use.", **other})


def test_the_key_of_one_request_is_refused_for_another(shop: Shop) -> None:
    run, other = shop.accept(), shop.accept()
    end(shop, run, "complete", key="once")
    for refused in (
        lambda: end(shop, other, "complete", key="once"),
        lambda: end(shop, run, "complete", key="once", result={"other": True}),
        lambda: end(shop, run, "fail", key="once"),
    ):
        with pytest.raises(KeyReused):
            refused()


def test_a_refused_request_leaves_its_key_free(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with pytest.raises(UnresolvedEffects):
        end(shop, run, "complete", key="once")
    settle(claimed())
    assert "replayed" not in end(shop, run, "complete", key="once")


@pytest.mark.parametrize("verb", ["complete", "fail"])
def test_a_stale_driver_ends_nothing(shop: Shop, rival: Shop, verb: str) -> None:
    run = shop.accept()
    with pytest.raises(StaleToken):
        end(shop, run, verb, key="a", epoch=2)
    with pytest.raises(StaleVersion):
        end(shop, run, verb, key="b", version=9)
    with pytest.raises(NotFound):
        end(rival, run, verb, key="c")
    assert shop.state(run) == "running"


@pytest.mark.parametrize("verb", ["complete", "fail"])
def test_a_run_ends_once(shop: Shop, verb: str) -> None:
    run = shop.accept()
    shop.complete(run)
    with pytest.raises(RunEnded):
        end(shop, run, verb, key="again")


def test_a_run_whose_time_is_up_is_not_completed_any_more_although_no_clock_has_passed(shop: Shop) -> None:
    run = shop.accept(deadline_seconds=60)
    with clock.at(61), pytest.raises(RunOutOfTime):
        shop.complete(run)


# Giving a run up


def test_a_run_in_which_nothing_has_begun_fails_at_once_and_takes_its_questions_with_it(shop: Shop) -> None:
    run = shop.accept(draft("ready"), draft("asked", "250"), draft("blocked", after=["ready"]))
    assert shop.fail(run, "The customer called it off.")["state"] == "failed"
    assert set(shop.states(run).values()) == {"withdrawn"}
    assert (shop.request(run, "asked").state, shop.run(run).closing_reason) == (
        "withdrawn",
        "The customer called it off.",
    )
    assert kinds(f"run:{run}")[-5:] == ["run.closing", *["effect.withdrawn"] * 3, "run.ended"]


@pytest.mark.parametrize("outcome", ["succeeded", "rejected", "partial"])
def test_a_run_with_something_in_flight_fails_once_that_is_known(shop: Shop, outcome: str) -> None:
    run = shop.accept(draft("a"), draft("b", after=["a"]))
    row = claimed()
    assert shop.fail(run)["state"] == "closing"
    settle(row, outcome)
    assert (shop.state(run), shop.states(run)) == ("failed", {"a": outcome, "b": "withdrawn"})


@pytest.mark.parametrize("outcome", ["unknown", "accepted"])
def test_a_run_is_closing_for_as_long_as_something_is_unknown_or_accepted(shop: Shop, outcome: str) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), outcome, delay=0)
    assert shop.fail(run)["state"] == "closing"
    settle(claimed(), "pending", delay=0)
    assert shop.state(run) == "closing"
    settle(claimed(), "succeeded")
    assert shop.state(run) == "failed"


def test_a_run_with_something_done_in_part_fails_for_nothing_more_will_come_of_it(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "partial")
    assert shop.fail(run)["state"] == "failed"


def test_what_comes_back_to_its_turn_while_the_run_is_closing_is_not_begun_again(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    shop.fail(run)
    settle(row, "overload", delay=0)
    assert (shop.state(run), shop.states(run)) == ("failed", {"a": "withdrawn"})
    assert shop.effect(run, "a").outcome == "overload"


def test_giving_up_twice_with_other_keys_is_giving_up_once(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    claim()
    shop.fail(run, "First.")
    assert shop.fail(run, "Second.")["state"] == "closing"
    assert shop.run(run).closing_reason == "First."
    assert kinds(f"run:{run}").count("run.closing") == 1


def test_a_reason_has_a_limit(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    for too_long in (lambda: shop.fail(run, "x" * 2001), lambda: shop.withdraw(run, "a", "x" * 2001)):
        with pytest.raises(ReasonTooLong):
            too_long()
    assert (shop.state(run), shop.states(run)) == ("running", {"a": "ready"})


@pytest.mark.parametrize("reason", ["", "  "])
def test_giving_up_needs_a_reason(shop: Shop, reason: str) -> None:
    run = shop.accept()
    with pytest.raises(ReasonMissing):
        shop.fail(run, reason)
    assert shop.state(run) == "running"


# Withdrawing an effect


def test_an_effect_is_withdrawn_with_its_question_and_all_that_waits_for_it(shop: Shop) -> None:
    run = shop.accept(
        draft("asked", "250"), draft("next", after=["asked"]), draft("last", after=["next"]), draft("apart")
    )
    shop.withdraw(run, "asked", "Not needed.")
    assert shop.states(run) == {"asked": "withdrawn", "next": "withdrawn", "last": "withdrawn", "apart": "ready"}
    assert (shop.effect(run, "asked").state_reason, shop.request(run, "asked").state) == ("Not needed.", "withdrawn")


def test_an_approved_effect_that_has_not_begun_is_withdrawn_with_its_approval(shop: Shop) -> None:
    run = shop.accept(draft("asked", "250"))
    shop.approve(shop.request(run, "asked"))
    shop.withdraw(run, "asked")
    follow()
    assert (shop.states(run), shop.request(run, "asked").state) == ({"asked": "withdrawn"}, "withdrawn")
    assert claim() == []


def test_an_effect_that_waits_for_another_attempt_is_withdrawn_and_its_approval_stays_consumed(shop: Shop) -> None:
    run = shop.accept(draft("asked", "250"))
    shop.approve(shop.request(run, "asked"))
    follow()
    settle(claimed(), "overload", delay=60)
    shop.withdraw(run, "asked")
    assert (shop.states(run), shop.request(run, "asked").state) == ({"asked": "withdrawn"}, "consumed")


@pytest.mark.parametrize("outcome", [None, "unknown", "accepted", "succeeded", "rejected"])
def test_what_has_begun_is_not_withdrawn(shop: Shop, outcome: str | None) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    if outcome:
        settle(row, outcome)
    with pytest.raises(AlreadyBegun) as refused:
        shop.withdraw(run, "a")
    assert refused.value.facts["state"] == shop.states(run)["a"] == (outcome or "dispatched")


def test_withdrawing_the_last_open_effect_ends_a_run_that_completes_by_itself(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b"), completes_itself=True)
    settle(claim(1))
    shop.withdraw(run, "b")
    assert shop.state(run) == "succeeded"


def test_nobody_else_withdraws_it(shop: Shop, rival: Shop) -> None:
    run = shop.accept(draft("a"))
    effect = shop.effect(run, "a").pk
    for by, epoch, refusal in ((rival.bot, 1, NotFound), (shop.actor("ann"), 1, NotFound), (shop.bot, 2, StaleToken)):
        with pytest.raises(refusal):
            driving.withdraw(by, effect, epoch=epoch, reason="", key="x")
    assert shop.states(run) == {"a": "ready"}


# The run's deadline


def test_a_run_expires_at_its_deadline_and_takes_its_questions_with_it(shop: Shop) -> None:
    run = shop.accept(draft("asked", "250"), draft("ready"), deadline_seconds=600)
    with clock.at(601):
        sweep()
    assert (shop.state(run), shop.run(run).closing_reason) == ("expired", "the run's deadline passed")
    assert shop.states(run).keys() == {"asked", "ready"}
    assert set(shop.states(run).values()) <= {"expired", "withdrawn"}
    assert shop.request(run, "asked").state == "expired"  # nobody is asked for longer than it would be done


def test_a_run_with_something_in_flight_at_its_deadline_expires_once_that_is_known(shop: Shop) -> None:
    run = shop.accept(draft("a"), deadline_seconds=600)
    row = claimed()
    settle(row, "unknown", delay=0)
    with clock.at(601):
        sweep()
        assert shop.state(run) == "closing"
        settle(claimed(), "succeeded")
    assert (shop.state(run), shop.states(run)) == ("expired", {"a": "succeeded"})


def test_a_run_that_completes_by_itself_has_failed_when_a_required_effect_could_not_come_to_its_turn(
    shop: Shop,
) -> None:
    run = shop.accept(draft("optional", required=False), draft("needed", after=["optional"]), completes_itself=True)
    settle(claimed(), "rejected")
    assert shop.states(run) == {"optional": "rejected", "needed": "withdrawn"}
    assert shop.state(run) == "failed"
