"""DB-02 and IDM-07: what fails in the middle has not happened at all, and whoever sends it again gets it done once."""

from typing import Any

import pytest
from rest_framework.exceptions import APIException, ValidationError

import approvals.record
import runs.record
from approvals.deciding import voting
from approvals.models import Decision
from console.http.models import IdempotencyRecord
from console.ledger.models import Entry
from runs.models import Effect, Run
from tests.api.desk import Caller, pay
from tests.api.serving import serving
from tests.cast import Company, inside
from tests.processes import until

DRIVER: dict[str, Any] = {"Idempotency_Key": "k", "Fencing_Token": "1"}
FAULTS = [RuntimeError("ordinary"), ValidationError("of the framework"), APIException("of the framework")]


def broken(monkeypatch: pytest.MonkeyPatch, module: Any, fault: Exception) -> None:
    """Fail where the entry would be written, after the rows were."""

    def write(*_: object) -> None:
        raise fault

    monkeypatch.setattr(module, "write", write)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_db_02_an_effect_without_its_entry_does_not_exist(
    agent: Caller, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    run = agent.run()
    with inside():
        entries = Entry.objects.count()
    with monkeypatch.context() as patched:
        broken(patched, runs.record, fault)
        answer = agent.propose(run, key="k")
        assert answer.status >= 400
        assert agent.post("runs", {"run_type": "errand", "goal": "x", "effects": [pay("a")]}).status >= 400
        assert agent.post(f"runs/{run['id']}/complete", {}, key="end", token=1).status >= 400
    with inside():
        assert (Effect.objects.count(), Run.objects.count(), Entry.objects.count()) == (0, 1, entries)
        assert not IdempotencyRecord.objects.exists()
    assert agent.propose(run, key="k").status == 201


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_db_02_a_decision_without_its_entry_does_not_exist(
    acme: Company, agent: Caller, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    request = agent.get(f"approvals/{agent.propose(agent.run())['approval']['id']}")

    def approve() -> Any:
        return voting.approve(acme.actor("ann"), request["id"], shown_digest=request["digest"], reason="", key="k")

    with monkeypatch.context() as patched:
        broken(patched, approvals.record, fault)
        with pytest.raises(type(fault)):
            approve()
    with inside():
        assert not Decision.objects.exists()
        assert not IdempotencyRecord.objects.exists()
    assert agent.get(f"approvals/{request['id']}")["state"] == "pending"
    assert approve()["receipt"] == "recorded"


@pytest.mark.crash
@pytest.mark.parametrize("place", ["propose.before_commit", "propose.after_commit"])
def test_idm_07_a_server_that_dies_with_the_key_in_its_hand_locks_nobody_out(agent: Caller, place: str) -> None:
    run = agent.run()
    body = {"operation": "pay", "arguments": {"order": "1", "amount": "1"}}
    address, headers = f"/api/v1/runs/{run['id']}/effects", DRIVER
    with serving(CRASH_AT=f"{place}:1:kill") as doomed:
        with pytest.raises(OSError):  # noqa: PT011 - however the connection breaks
            doomed.call("POST", address, body, bearer=agent.bearer, **headers)
        assert until(lambda: doomed.process.poll() is not None)
    with serving() as next_one:
        status, effect = next_one.call("POST", address, body, bearer=agent.bearer, **headers)
        assert status == (201 if place == "propose.before_commit" else 200)
    with inside():
        assert [str(row.pk) for row in Effect.objects.all()] == [effect["id"]]
        assert Entry.objects.filter(kind="effect.proposed").count() == 1


@pytest.mark.crash
def test_idm_07_a_receipt_is_given_after_a_crash(agent: Caller) -> None:
    run = agent.run()
    address, headers = f"/api/v1/runs/{run['id']}/complete", DRIVER
    with serving(CRASH_AT="complete.before_commit:1:kill") as doomed, pytest.raises(OSError):  # noqa: PT011
        doomed.call("POST", address, {"result": 1}, bearer=agent.bearer, **headers)
    assert agent.get(f"runs/{run['id']}")["state"] == "running"
    answer = agent.post(f"runs/{run['id']}/complete", {"result": 1}, key="k", token=1)
    assert (answer.status, answer["state"]) == (200, "succeeded")
