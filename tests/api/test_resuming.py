"""A run is resumed by REST: nine steps, the decision, the brief, and the same without acting."""

from typing import Any

import pytest

from tests import clock
from tests.api.desk import Answer, Caller
from tests.cast import work

LEASE = 61
VERSIONS = {
    "model": "m-1",
    "prompt": "p-1",
    "policy": "y",
    "context": "c",
    "interface": "i",
    "workflow": "w-1",
    "code": "a1",
}


def made(agent: Caller, **more: Any) -> Answer:
    """Make a run."""
    body = {"run_type": "customer-case", "goal": "Make order 1042 right", **more}
    return agent.post("runs", body, key="the run")


def resumed(agent: Caller, run: Answer, *, key: str = "again", **more: Any) -> Answer:
    """Resume it as another process."""
    return agent.post(f"runs/{run['id']}/resume", {"holder": "second", "versions": VERSIONS, **more}, key=key)


def test_a_resume_gives_the_steps_the_decision_and_the_brief(agent: Caller) -> None:
    run = made(agent, effects=[{"key": "look", "operation": "lookup", "arguments": {"order": "1042"}}])
    work(result={"order": "1042"})
    with clock.at(LEASE):
        answer = resumed(agent, run)
        assert answer.status == 200
        assert (answer["decision"], answer["epoch"], len(answer["steps"])) == ("continue", 2, 9)
        assert answer["brief"]["known"]["done"]["first"][0]["result"] == {"order": "1042"}
        assert "Make order 1042 right" in answer["brief_text"]
        assert answer.headers["ETag"] == agent.get(f"runs/{run['id']}").headers["ETag"]


def test_the_same_key_gives_the_same_resume_again(agent: Caller) -> None:
    run = made(agent)
    with clock.at(LEASE):
        first, second = resumed(agent, run), resumed(agent, run)
    assert (second["resumption"], second.headers["Idempotent-Replayed"]) == (first["resumption"], "true")


def test_while_somebody_has_it_another_is_told_until_when(agent: Caller) -> None:
    run = made(agent)
    answer = resumed(agent, run)
    assert (answer.status, answer.code) == (409, "run_held")
    assert int(answer.headers["Retry-After"]) > 0


def test_a_stale_token_resumes_nothing(agent: Caller) -> None:
    """LEA-01: whoever was overtaken learns it, and the run is the other's."""
    run = made(agent)
    with clock.at(LEASE):
        resumed(agent, run)
        answer = agent.post(f"runs/{run['id']}/resume", {"holder": "first"}, token=1)
        assert (answer.status, answer.code, answer["epoch"]) == (409, "stale_token", 2)


def test_a_preview_shows_the_same_and_changes_nothing(agent: Caller) -> None:
    run = made(agent)
    before = agent.get(f"runs/{run['id']}")
    answer = agent.get(f"runs/{run['id']}/resume/preview")
    assert (answer.status, answer["decision"]) == (200, "continue")
    assert {step["step"]: step["result"] for step in answer["steps"]}["ownership"] == "changed"
    assert agent.get(f"runs/{run['id']}").document == before.document


def test_strangers_find_nothing(agent: Caller, stranger: Caller) -> None:
    run = made(agent)
    assert resumed(stranger, run).status == 404
    assert stranger.get(f"runs/{run['id']}/resume/preview").status == 404


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"versions": VERSIONS}, "invalid"),
        ({"holder": "x", "versions": {"mood": "good"}}, "bad_versions"),
        ({"holder": "x", "versions": {"model": 4}}, "bad_versions"),
        ({"holder": "x", "checkpoint": 9}, "unknown_checkpoint"),
        ({"holder": "x", "other": 1}, "unknown_field"),
    ],
)
def test_what_does_not_fit_is_refused_and_takes_nothing(agent: Caller, body: dict[str, Any], code: str) -> None:
    run = made(agent)
    with clock.at(LEASE):
        assert agent.post(f"runs/{run['id']}/resume", body).code == code
    assert agent.get(f"runs/{run['id']}")["epoch"] == 1
