"""Checkpoints on pages: what was kept and what the record said then, the difference between two, and who sees what an agent kept."""

import re
from typing import Any

import pytest

from runs.checkpoints import writing
from runs.checkpoints.draft import of_value
from runs.models import Run
from tests.cast import Company, signed_in, work
from tests.checkpoints.keeping import checkpoint
from tests.ledger.story import altered
from tests.pages.browsing import text

SECRET = "the customer is in Lübeck"


@pytest.fixture
def run(acme: Company) -> Run:
    """A run with two checkpoints, between which its refund was done; the second claims too much."""
    made = acme.run("Make order 1042 right")
    acme.propose(made, "refund", amount="20.00", key="refund-1")
    keep(acme, made, {"step": 1, "where": SECRET}, note="Before the refund.")
    work()
    claims = [{"key": "refund-1", "state": "failed"}]
    keep(acme, made, {"step": 2, "where": SECRET, "effects": claims}, versions={"model": "m-4"})
    return made


def keep(acme: Company, run: Run, state: Any, **fields: Any) -> None:
    drafted = of_value(state, schema_version=1, **fields)
    writing.keep(acme.bot, run.pk, epoch=run.epoch, draft=drafted, key=f"keep-{state['step']}")


def page_of(acme: Company, run: Run, address: str, name: str = "oscar") -> str:
    return text(signed_in(acme.members[name]).get(f"/runs/{run.pk}/{address}"))


def test_a_checkpoint_says_what_the_record_said_and_what_the_agent_kept(acme: Company, run: Run) -> None:
    said = page_of(acme, run, "checkpoints/1")
    assert "The run was running. Its driver goes on." in said
    assert "1 not begun: refund-1" in said
    assert "Before the refund." in said
    assert SECRET in said
    assert "version 1" in said


def test_what_the_state_claims_and_is_not_so_is_said(acme: Company, run: Run) -> None:
    said = page_of(acme, run, "checkpoints/2")
    assert "it claims the state “failed”; it was “succeeded”" in said
    assert "1 done: refund-1" in said
    assert "m-4" in said


def test_only_operators_admins_and_auditors_see_what_an_agent_kept(acme: Company, run: Run) -> None:
    for name in ("oscar", "dora"):
        assert SECRET in page_of(acme, run, "checkpoints/1", name)
    for address in ("checkpoints/1", "checkpoints/2?compare=1"):
        said = page_of(acme, run, address, "ann")
        assert "Operators, administrators and auditors see it." in said
        assert SECRET not in said
        assert "step" not in said


def test_two_are_compared_each_thing_with_itself(acme: Company, run: Run) -> None:
    said = page_of(acme, run, "checkpoints/2?compare=1")
    assert "effect refund-1 · state Checkpoint 1 ready Checkpoint 2 succeeded" in said
    assert "step Checkpoint 1 1 Checkpoint 2 2" in said
    assert "where Checkpoint 1" not in said


def test_one_compared_with_itself_says_the_same(acme: Company, run: Run) -> None:
    said = page_of(acme, run, "checkpoints/1?compare=1")
    assert "The record says the same." in said
    assert "The agent kept the same." in said


def test_a_damaged_one_says_so_and_shows_nothing_of_it(acme: Company, run: Run) -> None:
    with altered("runs_checkpoint", checkpoint(run.pk, 1).pk, "state"):
        said = page_of(acme, run, "checkpoints/1")
    assert "The state cannot be opened" in said
    assert SECRET not in said
    with altered("runs_checkpoint", checkpoint(run.pk, 1).pk, "authoritative"):
        assert "is not the one whose digest was recorded" in page_of(acme, run, "checkpoints/1")


def test_the_runs_page_lists_them(acme: Company, run: Run) -> None:
    said = text(signed_in(acme.ann).get(f"/runs/{run.pk}"))
    assert "What its drivers kept, newest first" in said
    assert "1 claim not so" in said
    assert "The newest state of the agent claims what is not so." in said


def test_the_record_is_shown_at_a_boundary_of_the_contract_and_compared(acme: Company) -> None:
    made = acme.run("Close invoice R-77", run_type="close-invoice")
    transfer = acme.propose(made, "transfer")
    acme.approve("ann", transfer)
    work()
    said = text(signed_in(acme.oscar).get(f"/runs/{made.pk}"))
    assert "The record itself, at the boundaries of the contract" in said
    seqs = [int(found) for found in re.findall(r"Entry (\d+) ,", said)]
    newest, oldest = max(seqs), min(seqs)
    shown = page_of(acme, made, f"places/{newest}?compare=at-{oldest}")
    assert "Nobody wrote it" in shown
    assert "1 done" in shown
    assert f"Since the record at entry {oldest}" in shown


@pytest.mark.parametrize(
    "address", ["checkpoints/9", "places/999", "checkpoints/1?compare=9", "checkpoints/1?compare=at-999"]
)
def test_what_there_is_not_is_not_found(acme: Company, run: Run, address: str) -> None:
    assert signed_in(acme.ann).get(f"/runs/{run.pk}/{address}").status_code == 404


def test_another_tenant_finds_nothing(globex: Company, run: Run) -> None:
    for address in ("checkpoints", "checkpoints/1", "places/1"):
        assert signed_in(globex.cara).get(f"/runs/{run.pk}/{address}").status_code == 404


@pytest.mark.parametrize("words", ["one", "at-", "-1", "1;2"])
def test_a_comparison_that_cannot_be_read_is_refused(acme: Company, run: Run, words: str) -> None:
    assert signed_in(acme.ann).get(f"/runs/{run.pk}/checkpoints/1", {"compare": words}).status_code == 400


def test_the_address_of_all_leads_to_the_run(acme: Company, run: Run) -> None:
    answer = signed_in(acme.ann).get(f"/runs/{run.pk}/checkpoints")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/runs/{run.pk}#checkpoints")
