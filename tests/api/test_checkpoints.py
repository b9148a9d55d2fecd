"""R-G: who drives a run keeps its state with it; others list it, and only who may drive the run reads what the agent kept."""

from typing import Any

import pytest

from console import clock
from console.exact import canonical, digest
from console.http.keys import REPLAYED
from console.identity import administration
from runs.models import RunTypeContract
from tests.api.desk import Answer, Caller, key_for, pay
from tests.cast import Company, inside, work
from tests.record import forger

STATE = {"plan": ["pay", "tell"], "share": "0.5"}


def put(agent: Caller, run: Answer, body: Any, *, token: int = 1, key: str = "kept", match: str = "*") -> Answer:
    given = {"Idempotency-Key": key, "Fencing-Token": str(token), "If-Match": match}
    return agent.call("PUT", f"runs/{run['id']}/checkpoint", body, given)


def test_a_driver_keeps_its_state_and_reads_it_back(agent: Caller) -> None:
    run = agent.run(pay("a"))
    kept = put(agent, run, {"schema_version": 2, "versions": {"model": "m-4"}, "state": STATE, "note": "Half-way."})
    assert (kept.status, kept["number"], kept["contradictions"]) == (200, 1, [])
    assert kept["version"] == agent.get(f"runs/{run['id']}")["version"]
    found = agent.get(f"runs/{run['id']}/checkpoints/1")
    assert (found["state"], found["schema_version"], found["versions"], found["note"]) == (
        STATE,
        2,
        {"model": "m-4"},
        "Half-way.",
    )
    assert found["authoritative"]["version"] == kept["seq"] == run["version"]
    assert [each["key"] for each in found["authoritative"]["effects"]["pending"]] == ["a"]


def test_a_text_comes_back_as_a_text(agent: Caller) -> None:
    run = agent.run(pay("a"))
    put(agent, run, {"state_text": '{"$schemaVersion": "1.0"}'})
    assert agent.get(f"runs/{run['id']}/checkpoints/1")["state"] == '{"$schemaVersion": "1.0"}'


def test_a_state_of_null_is_a_state(agent: Caller) -> None:
    run = agent.run(pay("a"))
    assert put(agent, run, {"state": None})["state_digest"] is not None
    assert put(agent, run, {}, key="none")["state_digest"] is None


def test_they_are_listed_newest_first_page_by_page(agent: Caller) -> None:
    run = agent.run(pay("a"))
    for number in range(3):
        put(agent, run, {"state": number}, key=f"kept-{number}")
    first = agent.get(f"runs/{run['id']}/checkpoints?limit=2")
    assert [each["number"] for each in first["items"]] == [3, 2]
    then = agent.get(f"runs/{run['id']}/checkpoints?limit=2&cursor={first['next_cursor']}")
    assert ([each["number"] for each in then["items"]], then["next_cursor"]) == ([1], None)


def test_the_same_key_gives_the_same_again(agent: Caller) -> None:
    run = agent.run(pay("a"))
    first, again = put(agent, run, {"state": 1}), put(agent, run, {"state": 1})
    assert (again.status, again.headers[REPLAYED], again["number"]) == (200, "true", first["number"])
    assert put(agent, run, {"state": 2}).code == "key_reused"


def test_it_needs_the_version_that_was_seen(agent: Caller) -> None:
    run = agent.run(pay("a"))
    headers = {"Idempotency-Key": "kept", "Fencing-Token": "1"}
    assert agent.call("PUT", f"runs/{run['id']}/checkpoint", {"state": 1}, headers).code == "missing_version"
    assert put(agent, run, {"state": 1}, match="12").code == "bad_version"
    assert put(agent, run, {"state": 1}, match='"1"').code == "stale_version"
    assert put(agent, run, {"state": 1}, match=f'"{run["version"]}"').status == 200


def test_it_needs_the_drivers_token(agent: Caller) -> None:
    run = agent.run(pay("a"))
    assert put(agent, run, {"state": 1}, token=2).code == "stale_token"
    assert (
        agent.call("PUT", f"runs/{run['id']}/checkpoint", {}, {"Idempotency-Key": "k", "If-Match": "*"}).code
        == "missing_token"
    )


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"state": 1, "state_text": "1"}, "/state_text"), ({"versions": {"modle": "m"}}, "/versions/modle"),
        ({"boundary": "never"}, "/boundary"), ({"schema_version": "2"}, "/schema_version"),
        ({"artifacts": [{"name": "a", "reference": "b", "digest": "c"}]}, "/artifacts/0/digest"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_by_its_place(agent: Caller, body: Any, path: str) -> None:
    run = agent.run(pay("a"))
    answer = put(agent, run, body)
    assert (answer.status, answer["path"]) == (422, path)


def test_a_body_larger_than_others_is_taken_and_a_state_beyond_the_contract_is_not(agent: Caller) -> None:
    run = agent.run(pay("a"))
    assert put(agent, run, {"state_text": '"' * 1024 * 1024}).status == 200
    answer = put(agent, run, {"state_text": "x" * (1024 * 1024 + 1)}, key="more")
    assert (answer.status, answer.code, answer["most"]) == (413, "checkpoint_too_large", 1024 * 1024)


def test_another_agent_sees_that_there_is_one_and_not_what_was_kept(agent: Caller, acme: Company) -> None:
    run = agent.run(pay("a"))
    put(agent, run, {"state": STATE})
    found = Caller(key_for(acme, administration.add_agent(acme.by, "second-bot", acme.ben))).get(
        f"runs/{run['id']}/checkpoints/1"
    )
    assert (found["state"], found["withheld"]) == (None, True)
    assert found["authoritative"]["effects"]["pending"]


def test_a_stranger_finds_nothing(agent: Caller, stranger: Caller) -> None:
    run = agent.run(pay("a"))
    put(agent, run, {"state": STATE})
    for address in ("checkpoints", "checkpoints/1", "places", "places/1"):
        assert stranger.get(f"runs/{run['id']}/{address}").status == 404
    assert put(stranger, run, {"state": 1}).status == 404


def test_what_is_damaged_is_not_given_out(agent: Caller) -> None:
    run = agent.run(pay("a"))
    put(agent, run, {"state": STATE})
    with forger() as hand:
        hand.execute("update runs_checkpoint set state = substr(state, 1, 50) where run_id = %s", [run["id"]])
    answer = agent.get(f"runs/{run['id']}/checkpoints/1")
    assert (answer.status, answer.code, answer["number"]) == (409, "checkpoint_corrupted", 1)


def test_the_record_is_a_checkpoint_at_the_boundaries_of_the_contract(agent: Caller, acme: Company) -> None:
    careful(acme)
    run = agent.run(pay("a", "10.00"), run_type="careful-errand")
    work("succeeded")
    listed = agent.get(f"runs/{run['id']}/places")["items"]
    assert [each["boundary"] for each in listed] == ["before_effect", "after_effect"]
    before, after = (agent.get(f"runs/{run['id']}/places/{each['seq']}")["authoritative"] for each in listed)
    assert [each["key"] for each in before["effects"]["in_flight"]] == ["a"]
    assert [each["key"] for each in after["effects"]["committed"]] == ["a"]
    assert agent.get(f"runs/{run['id']}/places/1").status == 404


def test_a_contract_without_boundaries_has_no_places(agent: Caller) -> None:
    assert agent.get(f"runs/{agent.run(pay('a'))['id']}/places")["items"] == []


def careful(acme: Company) -> None:
    """Put a run type in force whose contract has checkpoints around its effects."""
    rules = {"schema_version": 1, "boundaries": ["before_effect", "after_effect"], "max_lost_progress": "One step."}
    contract: Any = {
        "name": "careful-errand", "version": 1, "description": "Something to do.", "consequential": False, "operations": "*",
        "complete_with_unresolved": False, "deadline_seconds": 3600, "checkpoint": rules,
    }  # fmt: skip
    with inside(acme.tenant.pk):
        RunTypeContract.objects.create(
            tenant_id=acme.tenant.pk, name=contract["name"], version=1, applied_at=clock.now(), document=canonical(contract),
            digest=digest(contract),
        )  # fmt: skip
