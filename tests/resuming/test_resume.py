"""Resuming a run: nine steps, a decision, and what the decision does (R-H1, R-H3)."""

import pytest

from console.http.refusals import NotFound, StaleToken
from runs.driver import ResumeFirst
from runs.ownership.acquiring import BadHolder, RunHeld
from runs.resuming import loading
from runs.resuming.resume import BadVersions, UnknownCheckpoint
from runs.resuming.steps import NAMES
from tests import clock
from tests.record import findings, kinds
from tests.resuming.again import VERSIONS, after_the_lease, again, brief, detail, last, pinned, steps
from tests.shop import Shop, draft, money, operation
from tests.unsure import find
from tests.work import WORKER, claim, claimed, end_leases, follow, settle, sweep


def test_a_resume_takes_the_run_goes_through_nine_steps_and_goes_on(shop: Shop) -> None:
    run = shop.accept(draft("a"), holder="first")
    with after_the_lease():
        receipt = again(shop, run)
    assert (receipt["decision"], receipt["epoch"]) == ("continue", 2)
    assert list(steps(run)) == list(NAMES)
    assert set(steps(run).values()) == {"passed"}
    now = shop.run(run)
    assert (now.epoch, now.lease_holder, now.resume_due) == (2, "second", False)
    assert kinds(now.stream())[-2:] == ["run.acquired", "run.resumed"]


def test_what_was_held_begins_once_a_resume_has_decided(shop: Shop) -> None:
    run = shop.accept(draft("a"), holder="first")
    with after_the_lease():
        from runs.ownership.acquiring import acquire

        acquire(shop.bot, run, holder="second", key="take")
        assert claim() == []
        with pytest.raises(ResumeFirst):
            shop.propose(run, draft("b"), epoch=2)
        again(shop, run, epoch=2)
        assert claimed()["key"] == "a"
        shop.propose(run, draft("b"), epoch=2)


def test_done_effects_are_not_done_again_however_often_a_run_is_resumed(shop: Shop) -> None:
    """RES-01: three done, an approval before the fourth; approved, resumed, and resumed again."""
    run = shop.accept(draft("one"), draft("two"), draft("three"), draft("four", "250", after=["one", "two", "three"]))
    settle(claim(), result={"receipt": "r"})
    assert claim() == []
    sweep()
    shop.approve(shop.request(run, "four"))
    follow()
    with after_the_lease():
        first = again(shop, run, key="once")
        assert again(shop, run, key="once") == {**first, "replayed": True}
        again(shop, run, epoch=first["epoch"])
        assert [row["key"] for row in claim()] == ["four"]
        assert claim() == []
    assert {key: len(shop.attempts(run, key)) for key in ("one", "two", "three", "four")} == {
        "one": 1, "two": 1, "three": 1, "four": 1,
    }  # fmt: skip
    assert brief(run)["known"]["done"]["count"] == 3


def test_a_run_that_somebody_drives_is_not_resumed_by_another(shop: Shop) -> None:
    run = shop.accept(draft("a"), holder="first")
    with pytest.raises(RunHeld) as refused:
        again(shop, run)
    assert refused.value.facts["holder"] == "first"
    assert kinds(shop.run(run).stream()).count("run.resumed") == 0


def test_a_driver_resumes_with_its_token_and_a_stale_one_is_refused(shop: Shop) -> None:
    run = shop.accept(draft("a"), holder="first")
    assert again(shop, run, holder="first", epoch=1)["decision"] == "continue"
    with after_the_lease():
        assert again(shop, run)["epoch"] == 2
    with pytest.raises(StaleToken):
        again(shop, run, holder="first", epoch=1)


def test_agents_who_could_not_drive_it_find_nothing(shop: Shop, rival: Shop) -> None:
    run = shop.accept(draft("a"))
    with pytest.raises(NotFound):
        again(rival, run)


@pytest.mark.parametrize("holder", ["", " ", "x" * 256])
def test_a_holder_has_a_name(shop: Shop, holder: str) -> None:
    run = shop.accept(draft("a"))
    with after_the_lease(), pytest.raises(BadHolder):
        again(shop, run, holder=holder)


@pytest.mark.parametrize("versions", [{"mood": "good"}, {"model": ""}, {"model": "x" * 256}, {"model": "a\nb"}])
def test_versions_are_those_that_a_contract_pins(shop: Shop, versions: dict[str, str]) -> None:
    run = shop.accept(draft("a"))
    with pytest.raises(BadVersions):
        again(shop, run, versions=versions)


def test_a_checkpoint_that_is_named_is_there(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    with after_the_lease(), pytest.raises(UnknownCheckpoint):
        again(shop, run, checkpoint=3)
    assert shop.run(run).epoch == 1


def test_what_is_in_flight_goes_on_and_is_told(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    with after_the_lease():
        assert again(shop, run)["decision"] == "continue"
        assert steps(run)["effects"] == "changed"
        assert [each["key"] for each in brief(run)["uncertain"]["in_flight"]["first"]] == ["a"]
        settle(row)
    assert shop.states(run) == {"a": "succeeded"}


def test_what_is_unknown_is_reconciled_before_the_run_goes_on(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", after=["a"]))
    settle(claimed(), "unknown", http=None)
    with after_the_lease():
        receipt = again(shop, run)
        assert receipt["decision"] == "wait"
        now = shop.run(run)
        assert (now.resume_due, now.lease_expires_at, now.epoch) == (True, None, 2)
        assert brief(run)["uncertain"]["unknown"]["first"][0]["key"] == "a"
        find(shop, shop.effect(run, "a"), result={"receipt": "r-9"})
        assert again(shop, run)["decision"] == "continue"
    assert shop.states(run)["a"] == "succeeded"


def test_what_is_unknown_is_not_hidden_by_all_that_is_in_flight(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "MOST", 2)
    run = shop.accept(draft("a"), draft("b"), draft("c"))
    settle([row for row in claim() if row["key"] == "c"], "unknown", http=None)
    assert again(shop, run, epoch=1)["decision"] == "wait"


def test_by_contract_a_person_decides_about_what_is_unknown(shop: Shop) -> None:
    shop.apply(pinned(unknown="ask_a_person"))
    run = shop.accept(draft("a"), run_type="pinned")
    settle(claimed(), "unknown", http=None)
    with after_the_lease():
        assert again(shop, run)["decision"] == "escalate"
        assert shop.run(run).attention == "decision"
        find(shop, shop.effect(run, "a"), result={"receipt": "r-9"})
        assert again(shop, run)["decision"] == "continue"
    assert shop.run(run).attention == ""


def test_what_must_be_undone_comes_first(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    settle(claimed(), "unknown", http=None)
    find(shop, shop.effect(run, "a"), "must_be_undone", result={"receipt": "r-9"})
    with after_the_lease():
        assert again(shop, run)["decision"] == "compensate"
        assert brief(run)["uncertain"]["to_undo"]["count"] == 1


def test_a_permission_that_went_while_it_slept_asks_for_a_new_plan(shop: Shop) -> None:
    run = shop.accept(draft("a", "250"))
    shop.deny(shop.request(run, "a"))
    follow()
    with after_the_lease():
        assert again(shop, run)["decision"] == "replan"
        assert "effect 1 denied" in detail(run, "permissions")


def test_an_approval_is_asked_anew_where_a_later_policy_governs(shop: Shop) -> None:
    """R-H2: a later policy asks two people; nothing begins by the old answer."""
    run = shop.accept(draft("a", "250"))
    shop.approve(shop.request(run, "a"))
    follow()
    again(shop, run, epoch=1)
    shop.apply(money(version=2, large="200"))
    with after_the_lease():
        again(shop, run)
        assert "Judged again by the policy in force" in detail(run, "permissions")
        sweep()
    assert shop.states(run) == {"a": "awaiting_approval"}


def test_a_resume_after_the_end_is_recorded_and_changes_nothing(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    shop.fail(run)
    before = shop.run(run)
    assert before.state == "failed"
    for epoch in (None, 1, 7):
        assert again(shop, run, epoch=epoch)["decision"] == "terminate"
    after = shop.run(run)
    assert (after.state, after.epoch, after.resume_due, after.versions) == ("failed", before.epoch, False, "")
    assert kinds(after.stream())[-3:] == ["run.resumed_late"] * 3
    assert findings() == []


def test_a_run_past_its_deadline_is_not_resumed(shop: Shop) -> None:
    run = shop.accept(draft("a"), deadline_seconds=120)
    with clock.at(200):
        assert again(shop, run)["decision"] == "terminate"
        assert claim() == []


def test_a_stopped_agents_run_needs_a_person(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    shop.change("ben", active=False)
    with after_the_lease():
        assert again(shop, run)["decision"] == "escalate"
    assert steps(run)["permissions"] == "changed"


def test_every_resume_is_a_row_that_the_record_accounts_for(shop: Shop) -> None:
    run = shop.accept(draft("a"), draft("b", "250"))
    with after_the_lease():
        again(shop, run)
        again(shop, run, epoch=2, versions={**VERSIONS, "model": "m-2"})
    assert last(run).number == 2
    assert findings() == []


def test_an_operation_with_a_later_contract_is_told(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    again(shop, run, epoch=1)
    shop.apply(operation("pay", version=2))
    with after_the_lease():
        assert again(shop, run)["decision"] == "escalate"
    assert "operation pay was 1 and is 2" in detail(run, "compatibility")


def test_a_lost_worker_and_a_resume_leave_the_unknown_as_it_is(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    claimed()
    with after_the_lease():
        end_leases(WORKER)
        assert again(shop, run)["decision"] == "wait"
    assert shop.states(run) == {"a": "unknown"}
