"""The loop by REST: a run is made, effects are proposed, done and read, the run ends, and its history tells the story."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.api.desk import Answer, Caller, pay
from tests.cast import Company, follow, work


def test_a_run_goes_from_its_making_to_its_end(acme: Company, agent: Caller) -> None:
    made = agent.run(pay("small", "12.50"), key="case-1")
    assert made.status == 201
    assert made.headers["Location"] == f"/api/v1/runs/{made['id']}"
    assert made.headers["ETag"] == f'"{made["version"]}"'
    assert [effect["state"] for effect in made["effects"]] == ["ready"]
    assert made["effects"][0]["arguments"] == {"order": "1042", "amount": "12.5", "currency": "EUR"}

    work(result={"payment": "p-1"})
    effect = agent.get(f"effects/{made['effects'][0]['id']}")
    assert (effect["state"], effect["result"]) == ("succeeded", {"payment": "p-1"})
    assert [(tried["kind"], tried["outcome"], tried["sent"]) for tried in effect["attempts"]] == [
        ("act", "succeeded", True)
    ]

    ended = agent.post(f"runs/{made['id']}/complete", {"result": {"settled": True}}, token=made["epoch"])
    assert (ended.status, ended["state"]) == (200, "succeeded")
    run = agent.get(f"runs/{made['id']}")
    assert (run["state"], run["result"]) == ("succeeded", {"settled": True})
    assert run["version"] > made["version"]

    history = agent.get(f"runs/{made['id']}/history")
    kinds = [entry["kind"] for entry in history["items"]]
    assert kinds[0] == "run.accepted"
    assert kinds[-1] == "run.completed"
    assert [entry["seq"] for entry in history["items"]] == list(range(1, run["version"] + 1))
    for before, entry in zip(history["items"], history["items"][1:], strict=False):
        assert entry["prev_hash"] == before["hash"]
    for entry in history["items"]:
        assert entry["hash"] == as_documented(history, entry)
        assert hashlib.sha256(entry["payload_text"].encode()).hexdigest() == entry["digest"]


def as_documented(history: Answer, entry: Any) -> str:
    """Compute an entry's hash from the answer alone, as docs/api.md says."""
    microseconds = (datetime.fromisoformat(entry["at"]) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    lines = [
        f"counterfoil-ledger {entry['format']}", history["tenant"], history["stream"], entry["seq"], entry["kind"], microseconds,
        entry["actor"], entry["digest"], entry["prev_hash"],
    ]  # fmt: skip
    return hashlib.sha256("\n".join(map(str, lines)).encode()).hexdigest()


def test_what_the_policy_asks_about_waits_for_a_person(acme: Company, agent: Caller) -> None:
    effect = agent.propose(agent.run(), amount="120.00")
    assert (effect.status, effect["state"]) == (201, "awaiting_approval")
    assert effect.headers["Location"] == f"/api/v1/effects/{effect['id']}"
    request = agent.get(f"approvals/{effect['approval']['id']}")
    assert request["digest"] == effect["digest"]
    assert (request["state"], request["can_be_decided"]) == ("pending", True)
    assert [one["id"] for one in agent.get("approvals?mine=true")["items"]] == [request["id"]]
    assert [one["id"] for one in agent.get(f"approvals?effect={effect['id']}")["items"]] == [request["id"]]

    from approvals.deciding import voting

    voting.approve(acme.actor("ann"), request["id"], shown_digest=request["digest"], reason="", key="k")
    follow()
    assert agent.get(f"effects/{effect['id']}")["state"] == "ready"
    request = agent.get(f"approvals/{request['id']}")
    assert (request["state"], request["can_be_decided"]) == ("approved", False)
    assert [(word["by"], word["verdict"], word["via"]) for word in request["decisions"]] == [
        ("Ann Okafor", "approve", "page")
    ]
    assert agent.get("approvals")["items"] == []
    assert [one["id"] for one in agent.get("approvals?state=decided")["items"]] == [request["id"]]


def test_effects_wait_for_each_other_by_key(agent: Caller) -> None:
    made = agent.run(pay("first", "1"), pay("second", "2", after=["first"]))
    assert [effect["state"] for effect in made["effects"]] == ["ready", "blocked"]
    assert made["effects"][1]["after"] == [made["effects"][0]["id"]]


def test_an_effect_is_withdrawn_before_it_begins(agent: Caller) -> None:
    run = agent.run()
    effect = agent.propose(run)
    receipt = agent.post(f"effects/{effect['id']}/withdraw", {"reason": "no longer wanted"}, token=run["epoch"])
    assert (receipt.status, receipt["state"]) == (200, "withdrawn")
    effect = agent.get(f"effects/{effect['id']}")
    assert (effect["state"], effect["approval"]["state"]) == ("withdrawn", "withdrawn")


def test_a_run_is_given_up(agent: Caller) -> None:
    run = agent.run(pay("a"))
    receipt = agent.post(f"runs/{run['id']}/fail", {"reason": "The customer went away."}, token=run["epoch"])
    assert (receipt.status, receipt["state"]) == (200, "failed")
    assert agent.get(f"runs/{run['id']}")["closing_reason"] == "The customer went away."


def test_completion_names_what_stands_in_its_way(agent: Caller) -> None:
    run = agent.run(pay("a"))
    refused = agent.post(f"runs/{run['id']}/complete", {}, token=run["epoch"])
    assert (refused.status, refused.code) == (409, "unresolved_effects")
    assert refused["open"] == [run["effects"][0]["id"]]
    assert (refused["state"], refused["version"]) == ("running", run["version"])
