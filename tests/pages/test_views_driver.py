"""The page of a run says who drives it and until when, that nothing will wake it, what is below it, and what was refused to whom."""

from contextlib import suppress

import pytest

from console.database import crossing_tenants
from console.http.refusals import StaleToken
from runs import intake
from runs.drafts import EffectDraft, RunDraft
from runs.models import Run
from runs.ownership.acquiring import acquire
from runs.sweep import sweep
from tests.cast import MORE, Company, later, signed_in
from tests.pages.browsing import text

LEASE = 60


def page(company: Company, run: Run, name: str = "oscar") -> str:
    return text(signed_in(company.members[name]).get(f"/runs/{run.pk}"))


def test_it_says_which_process_has_the_run(acme: Company) -> None:
    run = acme.run(holder="desk-7")
    said = page(acme, run)
    assert "Who drives it" in said
    assert "desk-7" in said


def test_it_says_when_nobody_has_it_any_more(acme: Company) -> None:
    run = acme.run(holder="desk-7")
    acme.propose(run)
    with later(seconds=LEASE + 1):
        said = page(acme, run)
    assert "Nobody drives it" in said
    assert "until a process takes it up" in said


def test_it_says_that_a_run_that_changed_hands_waits_for_a_resume(acme: Company) -> None:
    run = acme.run()
    with later(seconds=LEASE + 1):
        acquire(acme.bot, run.pk, holder="desk-8", key="take")
        said = page(acme, run)
    assert "desk-8" in said
    assert "waits until a resume has decided" in said


def test_a_run_that_nothing_will_wake_says_so_before_all_else(acme: Company) -> None:
    run = acme.run()
    with later(seconds=LEASE + 1):
        _sweep()
        said = page(acme, run)
    assert said.index("Nothing will wake it") < said.index("No effect has been proposed yet")


def test_the_writes_of_who_drives_it_no_more_are_counted_and_listed(acme: Company) -> None:
    run = acme.run()
    with later(seconds=LEASE + 1):
        acquire(acme.bot, run.pk, holder="desk-8", key="take")
        for _ in range(3):
            with suppress(StaleToken):
                acme.complete(run)
        said = page(acme, run)
    assert "3 writes of who drove it before" in said
    assert said.count("token 1 is no longer good") == 3
    assert "refund-bot" in said


def test_the_runs_below_a_run_and_the_one_above_are_linked(acme: Company) -> None:
    parent = acme.run("The whole of it")
    draft = RunDraft("part", "customer-case", "A part of it", parent=parent.pk, parent_epoch=1)
    child = acme.read(Run, intake.accept(acme.bot, [draft])[0].run_id)
    assert "A part of it" in page(acme, parent)
    assert "The whole of it" in page(acme, child)


def test_another_tenants_parent_is_not_shown(acme: Company, globex: Company) -> None:
    run = acme.run()
    answer = signed_in(globex.cara).get(f"/runs/{run.pk}")
    assert answer.status_code == 404


def _sweep() -> None:
    with crossing_tenants():
        sweep()


@pytest.mark.parametrize("name", ["ann", "oscar", "dora"])
def test_a_run_that_completes_itself_and_was_never_handed_on_has_nothing_to_tell(acme: Company, name: str) -> None:
    draft = RunDraft(
        "alone", "customer-case", "By itself", True, effects=[EffectDraft("look", "lookup", dict(MORE["lookup"]))]
    )
    run = acme.read(Run, intake.accept(acme.bot, [draft])[0].run_id)
    said = page(acme, run, name)
    assert "Who drives it" not in said
    assert "Nobody drives it" not in said
