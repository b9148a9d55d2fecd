"""An agent is killed half-way; another process resumes from the brief alone and finishes, nothing is done twice (R-H1, R-A3, R-A6)."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from console.database import crossing_tenants
from console.env import BASE_DIR
from console.identity import administration
from runs.effect_keys import effect_key
from runs.models import Effect, Run
from tests.cast import Company, inside, later
from tests.journeys.conftest import SignIn
from tests.journeys.stage import Stage
from tests.processes import until
from tests.record import findings, kinds

pytestmark = pytest.mark.journey
LEASE = 60


@contextmanager
def agent(stage: Stage, folder: Path, *flags: str) -> Iterator[subprocess.Popen[str]]:
    """Run the example agent, as a process of its own that knows nothing but its key."""
    folder.mkdir()
    with crossing_tenants():
        _, key = administration.issue_key(
            stage.acme.by, stage.acme.agent, lasts=timedelta(days=1), scopes=["runs:read", "runs:write"]
        )
    (folder / "key").write_text(key)
    command = ("-m", "examples.agent", "--url", stage.url, "--key-file", str(folder / "key"), "--every", "0.1", *flags)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=BASE_DIR, stdout=log, stderr=subprocess.STDOUT, text=True
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def effects(company: Company) -> dict[str, Effect]:
    with inside(company.tenant.pk):
        return {effect.operation_name: effect for effect in Effect.objects.filter(tenant_id=company.tenant.pk)}


def test_a_second_process_finishes_what_a_killed_one_began(stage: Stage, sign_in: SignIn, tmp_path: Path) -> None:
    acme = stage.acme
    with agent(stage, tmp_path / "first", "--cases", "1") as first:
        assert until(lambda: effects(acme).get("refund")), (tmp_path / "first" / "log").read_text()
        first.send_signal(signal.SIGKILL)
        first.wait()
    [run] = _runs(acme)
    refund = effects(acme)["refund"]
    assert refund.state == "awaiting_approval"

    page = sign_in("ann")  # nobody drives the run meanwhile; people and workers go on
    page.get_by_role("link", name=refund.summary).click()
    page.locator("#card").get_by_role("button", name="Approve").click()
    expect(page.locator("#card").locator("[data-receipt]")).to_contain_text("Recorded.")
    assert until(lambda: acme.stored(refund).state == "succeeded"), acme.stored(refund).state

    with later(seconds=LEASE + 30), agent(stage, tmp_path / "second", "--cases", "0"):
        assert until(lambda: acme.stored(run).state == "succeeded"), (tmp_path / "second" / "log").read_text()
        page.goto(f"{stage.url}/runs/{run.pk}")
        expect(page.locator("#book")).to_contain_text("drives the run from now on, with token 2")

    ended, told = acme.stored(run), kinds(run.stream())
    assert (ended.epoch, told.count("run.acquired"), told.count("effect.proposed")) == (2, 1, 2)
    assert {name: effect.attempts_count for name, effect in effects(acme).items()} == {"lookup": 1, "refund": 1}
    assert [entry["key"] for entry in stage.entries()] == [effect_key(refund.pk)]
    assert findings() == []


def _runs(company: Company) -> list[Run]:
    with inside(company.tenant.pk):
        return list(Run.objects.filter(tenant_id=company.tenant.pk))
