"""What is not an HTTP call, killed in the middle: a function whose worker dies, an agent that never reports, a person whose lease ends.

In each case nobody knows what happened until somebody looks, and nothing is done twice (R-A3, R-C2, R-F1)."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crash.stack import Stack, stack
from tests.processes import until

pytestmark = pytest.mark.crash

FUNCTION = """
apiVersion: counterfoil/v1
kind: Operation
name: {name}
version: 1
summary: "Jot {{page}}"
consequential: false
access: write
target: "page:{{page}}"
arguments:
  type: object
  required: [page]
  properties:
    page: {{type: string, maxLength: 40}}
    seconds: {{type: string, format: decimal, default: "0"}}
executor: python
python:
  function: {name}
  attempt_timeout_seconds: 30
  outcomes: [succeeded]
  {status}
retry: {{retryable: [not_sent], non_retryable: [], attempts: 3, total_seconds: 120}}
deadline_seconds: 600
"""
PERMIT = """
apiVersion: counterfoil/v1
kind: Operation
name: {name}
version: 1
summary: "Jot {{page}} by hand"
consequential: false
access: write
target: "page:{{page}}"
arguments: {{type: object, required: [page], properties: {{page: {{type: string, maxLength: 40}}}}}}
executor: {executor}
{executor}: {{{more}lease_seconds: 3, attempt_timeout_seconds: 60, outcomes: [succeeded, rejected]}}
deadline_seconds: 600
"""
AROUND = """
{apiVersion: counterfoil/v1, kind: RunType, name: jottings, version: 1, description: Jots things down., consequential: false,
 operations: [jot, jot-async, hand, person], deadline_seconds: 3600}
---
{apiVersion: counterfoil/v1, kind: Policy, name: jottings, version: 1, description: Whoever likes may jot.,
 operations: [jot, jot-async, hand, person], rules: [], otherwise: allow}
"""
STATUS = "status: {function: find-jotting, attempt_timeout_seconds: 5, every_seconds: 1, objective_seconds: 60}"
CONTRACTS = "\n---\n".join(
    [
        FUNCTION.format(name="jot", status=STATUS), FUNCTION.format(name="jot-async", status=STATUS),
        PERMIT.format(name="hand", executor="agent", more=""), PERMIT.format(name="person", executor="human", more="instructions: Jot., "),
        AROUND,
    ]
)  # fmt: skip
AS_OPERATOR = """
from uuid import UUID
from console.database import cross_tenants_in_this_process, transaction
cross_tenants_in_this_process()
from console.identity.members import member_actor
from console.identity.models import Member
from runs import performing
with transaction(None):
    member = Member.objects.filter(roles__contains=["operator"], active=True).select_related("user").first()
permit = performing.begin(member_actor(member, "test"), UUID("{effect}"), epoch=None, key="begin-{effect}")
print(permit["attempt"], permit["fence"])
"""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("executors")
    with stack(folder, COUNTERFOIL_FUNCTIONS="tests.crash.jotting", JOTTINGS=str(folder / "book")) as made:
        contracts = folder / "contracts"
        contracts.mkdir()
        (contracts / "jottings.yaml").write_text(CONTRACTS, encoding="utf-8")
        made.manage("contracts", "apply", str(contracts), "--tenant", "demo")
        made.start_web()
        made.start_clock()
        yield made


def an_effect(here: Stack, operation: str, page: str, **arguments: str) -> str:
    """Post a run of one effect; gives the effect's id."""
    effect = {"key": "jot", "operation": operation, "arguments": {"page": page, **arguments}}
    run = here.post_surely(
        "/api/v1/runs",
        {"run_type": "jottings", "goal": f"Jot {page}", "completes_itself": True, "effects": [effect]},
        page,
    )
    return str(run["effects"][0]["id"])


def state_of(here: Stack, effect: str) -> str:
    return str(here.rows("select state from runs_effect where id = %s", [effect])[0][0])


def jottings(here: Stack, effect: str) -> int:
    book = Path(here.environment["JOTTINGS"])
    return book.read_text(encoding="utf-8").splitlines().count(f"cf-{effect}") if book.exists() else 0


def acts(here: Stack, effect: str) -> int:
    return int(here.rows("select count(*) from runs_attempt where effect_id = %s and kind = 'act'", [effect])[0][0])


@pytest.mark.parametrize("operation", ["jot", "jot-async"])
def test_a_worker_killed_while_its_function_runs_leaves_it_unknown_until_it_is_found_out(
    here: Stack, operation: str
) -> None:
    worker = here.start_worker()
    effect = an_effect(here, operation, f"during-{operation}", seconds="20")
    try:
        assert until(lambda: jottings(here, effect) == 1), "the function was never called"
        here.kill_shift()
        assert until(lambda: state_of(here, effect) != "dispatched")
        assert until(lambda: state_of(here, effect) == "succeeded"), state_of(here, effect)
        assert (jottings(here, effect), acts(here, effect)) == (1, 1), "it was done a second time"
    finally:
        worker.terminate()
        worker.wait(90)


@pytest.mark.parametrize("operation", ["jot", "jot-async"])
@pytest.mark.parametrize(("place", "happened"), [("function.before_start", False), ("function.ended", True)])
def test_a_worker_killed_around_its_function_leaves_what_the_book_says(
    here: Stack, tmp_path: Path, operation: str, place: str, happened: bool
) -> None:
    worker = here.start_worker(CRASH_AT=f"{place}:1:kill", CRASH_ONCE=str(tmp_path / "struck"))
    effect = an_effect(here, operation, f"{place}-{operation}")
    try:
        assert until((tmp_path / "struck").exists)
        assert until(lambda: state_of(here, effect) != "dispatched")
        looked = "select count(*) from runs_attempt where effect_id = %s and kind = 'status' and state = 'ended'"
        assert until(lambda: here.rows(looked, [effect])[0][0] > 0)
        assert state_of(here, effect) == ("succeeded" if happened else "unknown")
        assert (jottings(here, effect), acts(here, effect)) == (int(happened), 1)
    finally:
        worker.terminate()
        worker.wait(90)


def test_a_thread_that_never_ends_does_not_keep_its_worker_from_ending(here: Stack) -> None:
    worker = here.start_worker(DRAIN_SECONDS="1")
    effect = an_effect(here, "jot", "endless", seconds="600")
    assert until(lambda: jottings(here, effect) == 1)
    worker.send_signal(signal.SIGTERM)
    worker.wait(90)
    assert until(lambda: state_of(here, effect) in {"unknown", "succeeded"})


def begun(here: Stack, effect: str) -> dict[str, Any]:
    epoch = here.rows("select r.epoch from runs_run r join runs_effect e on e.run_id = r.id where e.id = %s", [effect])[
        0
    ][0]
    headers = {"Idempotency-Key": f"begin-{effect}", "Fencing-Token": str(epoch)}
    status, permit = here.ask("POST", f"/api/v1/effects/{effect}/attempts", {}, **headers)
    assert status == 200, permit
    return dict(permit)


def test_an_agent_that_never_reports_leaves_it_unknown_and_comes_too_late(here: Stack) -> None:
    effect = an_effect(here, "hand", "silent-agent")
    permit = begun(here, effect)
    assert until(lambda: state_of(here, effect) == "unknown")
    headers = {"Idempotency-Key": f"report-{effect}", "Fencing-Token": str(permit["fence"])}
    said = {"outcome": "succeeded", "evidence": "I did it, really."}
    status, refused = here.ask("POST", f"/api/v1/attempts/{permit['attempt']}/report", said, **headers)
    assert (status, refused["code"], refused["state"]) == (409, "lease_lost", "unknown")
    assert state_of(here, effect) == "unknown"
    kept = here.rows("select late_outcome from runs_attempt where id = %s", [permit["attempt"]])
    assert kept == [("succeeded",)]


def test_a_person_whose_lease_ends_leaves_it_unknown(here: Stack) -> None:
    effect = an_effect(here, "person", "silent-person")
    here.manage("shell", "-v", "0", "-c", AS_OPERATOR.format(effect=effect))
    assert until(lambda: state_of(here, effect) == "unknown")
    assert acts(here, effect) == 1


def test_the_record_holds_after_all_that(here: Stack) -> None:
    here.check()
