"""A changed version: by the contract's pins the run goes on, a person decides, or the run is set aside (R-H1, R-H4)."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from console.http.reasons import ReasonMissing
from console.http.refusals import NotFound
from runs.resuming.quarantine import (
    NotAnOperatorOfRuns,
    NotGoing,
    NothingToAccept,
    NotQuarantined,
    accept_versions,
    release,
    set_aside,
)
from tests import clock
from tests.record import findings, kinds
from tests.resuming.again import VERSIONS, after_the_lease, again, brief, detail, last, notices, pinned, steps
from tests.shop import Shop, draft, money, operation
from tests.work import claim, sweep

WHY = "The new one was tried out on Tuesday."


@pytest.fixture
def run(shop: Shop) -> Iterator[UUID]:
    """A run that was driven with certain versions, and whose driver is gone."""
    shop.apply(pinned())
    made = shop.accept(draft("a"), run_type="pinned")
    again(shop, made, holder="first", epoch=1)
    with after_the_lease():
        yield made


def test_the_same_versions_go_on(shop: Shop, run: UUID) -> None:
    assert again(shop, run)["decision"] == "continue"
    assert steps(run)["compatibility"] == "passed"


@pytest.mark.parametrize(
    ("name", "decision"),
    [
        ("prompt", "replan"),
        ("context", "replan"),
        ("model", "escalate"),
        ("code", "escalate"),
        ("workflow", "quarantine"),
    ],
)
def test_another_version_does_what_its_pin_says(shop: Shop, run: UUID, name: str, decision: str) -> None:
    assert again(shop, run, versions={**VERSIONS, name: "another"})["decision"] == decision
    assert f"{name} was {VERSIONS[name]} and is another" in detail(run, "compatibility")
    assert brief(run)["changed"]["versions"]["first"] == [
        {
            "name": name,
            "was": VERSIONS[name],
            "now": "another",
            "pin": brief(run)["changed"]["versions"]["first"][0]["pin"],
        }
    ]


def test_a_version_that_is_not_said_is_not_the_same(shop: Shop, run: UUID) -> None:
    assert again(shop, run, versions={"prompt": "p-1"})["decision"] == "quarantine"
    assert "workflow was w-1 and is not said" in detail(run, "compatibility")


def test_of_several_changes_the_weightiest_decides(shop: Shop, run: UUID) -> None:
    versions = {**VERSIONS, "model": "m-2", "workflow": "w-2", "prompt": "p-2"}
    assert again(shop, run, versions=versions)["decision"] == "quarantine"


def test_what_waits_for_a_decision_does_not_begin_and_somebody_is_told(shop: Shop, run: UUID) -> None:
    again(shop, run, versions={**VERSIONS, "model": "m-2"})
    stored = shop.run(run)
    assert (stored.state, stored.attention, stored.resume_due) == ("running", "decision", True)
    assert "model was m-1 and is m-2" in stored.attention_reason
    assert claim() == []
    assert [notice.kind for notice in notices(shop)] == ["run.decision"]


def test_once_somebody_accepted_the_versions_a_resume_with_them_goes_on(shop: Shop, run: UUID) -> None:
    newer = {**VERSIONS, "model": "m-2"}
    again(shop, run, versions=newer)
    accept_versions(shop.actor("oscar"), run, resumption=last(run).pk, reason=WHY, key="yes")
    assert shop.run(run).attention == ""
    assert claim() == []
    assert again(shop, run, versions=newer)["decision"] == "continue"
    assert [row["key"] for row in claim()] == ["a"]
    assert findings() == []


def test_a_run_whose_versions_were_accepted_and_that_nobody_resumes_is_told_of(shop: Shop, run: UUID) -> None:
    again(shop, run, versions={**VERSIONS, "model": "m-2"})
    accept_versions(shop.actor("oscar"), run, resumption=last(run).pk, reason=WHY, key="yes")
    assert "runs watched" not in sweep()
    with clock.at(200):
        assert sweep()["runs watched"] == 1
    assert shop.run(run).attention == "stalled"


def test_what_was_accepted_is_that_and_nothing_else(shop: Shop, run: UUID) -> None:
    again(shop, run, versions={**VERSIONS, "model": "m-2"})
    accept_versions(shop.actor("oscar"), run, resumption=last(run).pk, reason=WHY, key="yes")
    assert again(shop, run, versions={**VERSIONS, "model": "m-3"})["decision"] == "escalate"
    assert again(shop, run, versions=VERSIONS)["decision"] == "escalate"


def test_a_quarantined_run_stays_so_until_a_person_releases_it(shop: Shop, run: UUID) -> None:
    newer = {**VERSIONS, "workflow": "w-2"}
    again(shop, run, versions=newer)
    assert shop.run(run).state == "quarantined"
    assert [(notice.kind, notice.audience) for notice in notices(shop)] == [("run.quarantined", "operators, finance")]
    assert again(shop, run, versions=VERSIONS)["decision"] == "quarantine"
    release(shop.actor("oscar"), run, reason=WHY, key="go")
    assert claim() == []
    assert again(shop, run, versions=newer)["decision"] == "quarantine"
    accept_versions(shop.actor("oscar"), run, resumption=last(run).pk, reason=WHY, key="yes")
    release(shop.actor("oscar"), run, reason=WHY, key="go again")
    assert again(shop, run, versions=newer)["decision"] == "continue"
    assert kinds(shop.run(run).stream()).count("quarantine.released") == 2
    assert findings() == []


def test_a_person_sets_a_run_aside_and_lets_it_go(shop: Shop, run: UUID) -> None:
    assert set_aside(shop.actor("oscar"), run, reason="It does odd things.", key="stop")["state"] == "quarantined"
    assert claim() == []
    with pytest.raises(NotGoing):
        set_aside(shop.actor("oscar"), run, reason="Once more.", key="stop again")
    release(shop.actor("oscar"), run, reason="It was the calendar.", key="go")
    with pytest.raises(NotQuarantined):
        release(shop.actor("oscar"), run, reason="Once more.", key="go again")
    assert again(shop, run)["decision"] == "continue"
    assert findings() == []


def test_those_whom_the_contract_names_decide_as_operators_do(shop: Shop, run: UUID) -> None:
    set_aside(shop.actor("ann"), run, reason="Finance wants to look.", key="stop")
    assert shop.run(run).state == "quarantined"


@pytest.mark.parametrize("act", [set_aside, release])
def test_nobody_else_decides(shop: Shop, rival: Shop, run: UUID, act: Any) -> None:
    for by in (shop.actor("dora"), shop.bot):
        with pytest.raises(NotAnOperatorOfRuns):
            act(by, run, reason=WHY, key="me too")
    with pytest.raises(NotFound):
        act(rival.actor("oscar"), run, reason=WHY, key="me too")
    with pytest.raises(ReasonMissing):
        act(shop.actor("oscar"), run, reason=" ", key="me too")


def test_what_nobody_asked_about_is_not_accepted(shop: Shop, run: UUID) -> None:
    again(shop, run)
    with pytest.raises(NothingToAccept):
        accept_versions(shop.actor("oscar"), run, resumption=last(run).pk, reason=WHY, key="yes")


def test_only_the_resume_that_was_looked_at_is_accepted(shop: Shop, run: UUID) -> None:
    again(shop, run, versions={**VERSIONS, "model": "m-2"})
    looked_at = last(run).pk
    again(shop, run, versions={**VERSIONS, "model": "m-3"})
    with pytest.raises(NothingToAccept):
        accept_versions(shop.actor("oscar"), run, resumption=looked_at, reason=WHY, key="yes")


def test_a_later_policy_and_a_later_contract_go_by_their_pins(shop: Shop) -> None:
    shop.apply(pinned(policy="decide", interface="quarantine"))
    run = shop.accept(draft("a"), run_type="pinned")
    again(shop, run, epoch=1)
    shop.apply(money(version=2))
    with after_the_lease():
        assert again(shop, run)["decision"] == "escalate"
        accept_versions(shop.actor("oscar"), run, resumption=last(run).pk, reason=WHY, key="yes")
        assert again(shop, run)["decision"] == "continue"
        shop.apply(operation("pay", version=2))
        assert again(shop, run, epoch=shop.run(run).epoch)["decision"] == "quarantine"
    assert "operation pay was 1 and is 2" in detail(run, "compatibility")
