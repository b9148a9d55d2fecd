"""Waits by REST: opened and taken back by the driver with its token and a key, listed for everybody of the tenant."""

from typing import Any

import pytest

from tests.api.desk import Answer, Caller, pay
from tests.cast import later
from tests.work import sweep

HALF = {"kind": "timer", "name": "half", "condition": {"after_seconds": 1800}}
CHICAGO = {"zone": "America/Chicago"}


def wait(agent: Caller, run: Answer, body: Any, **headers: Any) -> Answer:
    """Open waits."""
    return agent.post(f"runs/{run['id']}/waits", body, token=headers.pop("token", run["epoch"]), **headers)


def listed(agent: Caller, run: Answer) -> list[Any]:
    """List the waits of a run."""
    return list(agent.get(f"runs/{run['id']}/waits")["items"])


def test_a_run_waits_and_is_seen_to(agent: Caller) -> None:
    run = agent.run()
    answer = wait(agent, run, HALF)
    assert (answer.status, answer["run_state"], answer["state"]) == (200, "waiting", "open")
    assert agent.get(f"runs/{run['id']}")["state"] == "waiting"
    seen = listed(agent, run)[0]
    assert (seen["id"], seen["condition"], seen["state"], seen["parks"]) == (
        answer["wait"],
        {"after_seconds": 1800},
        "open",
        True,
    )
    assert (seen["due_at"], seen["expires_at"]) == (answer["due_at"], None)


def test_the_same_key_opens_it_once(agent: Caller) -> None:
    run = agent.run()
    first, again = (wait(agent, run, HALF, key="once") for _ in range(2))
    assert (again.status, again["wait"], again["replayed"]) == (200, first["wait"], True)
    assert len(listed(agent, run)) == 1
    assert wait(agent, run, {**HALF, "name": "other"}, key="once").code == "key_reused"


def test_several_are_opened_together_and_the_first_wakes_the_run(agent: Caller) -> None:
    run = agent.run()
    signal = {"kind": "signal", "name": "answer", "condition": {"name": "answered"}, "expires_seconds": 7200}
    answer = wait(agent, run, {**HALF, "together_with": [signal]})
    assert [each["name"] for each in answer["waits"]] == ["half", "answer"]
    with later(minutes=31):
        sweep()
    seen = {each["name"]: each for each in listed(agent, run)}
    assert {name: each["state"] for name, each in seen.items()} == {"half": "met", "answer": "withdrawn"}
    assert seen["answer"]["condition"]["correlation"] == run["id"]
    assert seen["half"]["late_milliseconds"] >= 60_000
    assert agent.get(f"runs/{run['id']}")["state"] == "running"


def test_an_effect_stands_back_for_a_wait_and_both_say_so(agent: Caller) -> None:
    run = agent.run()
    held = wait(agent, run, {**HALF, "parks": False})["wait"]
    effect = agent.post(
        f"runs/{run['id']}/effects", {**pay("later"), "after_waits": ["half"]} | {"key": None}, token=run["epoch"]
    )
    assert effect.code == "unknown_field", "the key of one effect travels in its header"
    body = {name: value for name, value in pay("later").items() if name != "key"}
    effect = agent.post(f"runs/{run['id']}/effects", {**body, "after_waits": ["half"]}, token=run["epoch"])
    assert (effect.status, effect["state"], effect["after_waits"]) == (201, "blocked", [held])
    assert listed(agent, run)[0]["holds_back"] == [effect["id"]]
    unknown = agent.post(f"runs/{run['id']}/effects", {**body, "after_waits": ["never"]}, token=run["epoch"])
    assert (unknown.status, unknown.code, unknown["path"]) == (422, "unknown_wait", "/after_waits/0")


def test_a_wait_is_taken_back_once(agent: Caller) -> None:
    run = agent.run()
    opened = wait(agent, run, HALF)["wait"]
    answer = agent.post(f"waits/{opened}/withdraw", {"reason": "Not any more."}, token=run["epoch"])
    assert (answer.status, answer["state"], answer["run_state"]) == (200, "withdrawn", "running")
    again = agent.post(f"waits/{opened}/withdraw", {}, token=run["epoch"])
    assert (again.status, again.code, again["state"]) == (409, "wait_over", "withdrawn")


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({}, "required", "/kind"), ({"kind": "mood"}, "invalid_choice", "/kind"),
        ({"kind": "timer", "until": "soon"}, "unknown_field", "/until"), ({"kind": "timer"}, "bad_wait", "/condition/at"),
        ({"kind": "timer", "condition": {"after_seconds": "60"}}, "bad_wait", "/condition/after_seconds"),
        ({"kind": "signal"}, "bad_wait", "/condition/name"), ({"kind": "effects"}, "bad_wait", "/condition/effects"),
        ({"kind": "children"}, "bad_wait", "/condition/runs"),
        ({"kind": "dependency", "condition": {"name": "moon"}}, "bad_wait", "/condition/name"),
        ({**HALF, "name": "two words"}, "bad_wait", "/name"), ({**HALF, "on_expiry": "explode"}, "invalid_choice", "/on_expiry"),
        ({**HALF, "together_with": [{"kind": "timer", "condition": {}}]}, "bad_wait", "/together_with/0/condition/at"),
        ({"kind": "clock_time", "condition": {"local": "2027-03-14T02:30", **CHICAGO}}, "time_skipped", "/condition/local"),
        ({"kind": "clock_time", "condition": {"local": "2027-11-07T01:30", **CHICAGO}}, "time_repeated", "/condition/local"),
    ],
)  # fmt: skip
def test_what_is_no_wait_is_refused_at_its_place_and_nothing_waits(
    agent: Caller, body: Any, code: str, path: str
) -> None:
    run = agent.run()
    answer = wait(agent, run, body)
    assert answer.status == 422
    found = answer["errors"][0]["code"] if "errors" in answer.document else answer.code
    assert (found, answer["path"]) == (code, path)
    assert listed(agent, run) == []


def test_a_name_is_taken_while_its_wait_is_open(agent: Caller) -> None:
    run = agent.run()
    wait(agent, run, HALF)
    assert wait(agent, run, HALF).code == "wait_name_taken"


def test_another_driver_or_tenant_opens_and_withdraws_nothing(agent: Caller, stranger: Caller) -> None:
    run = agent.run()
    opened = wait(agent, run, {**HALF, "parks": False})["wait"]
    assert wait(agent, run, HALF, token=run["epoch"] + 1).code == "stale_token"
    assert agent.post(f"waits/{opened}/withdraw", {}, token=run["epoch"] + 1).code == "stale_token"
    for address, body in ((f"runs/{run['id']}/waits", HALF), (f"waits/{opened}/withdraw", {})):
        assert stranger.post(address, body, token=run["epoch"]).status == 404
    assert stranger.get(f"runs/{run['id']}/waits").status == 404
    assert agent.post(f"waits/{run['id']}/withdraw", {}, token=1).status == 404


def test_while_it_waits_it_takes_no_effects_but_more_waits(agent: Caller) -> None:
    run = agent.run()
    wait(agent, run, HALF)
    body = {name: value for name, value in pay("a").items() if name != "key"}
    assert agent.post(f"runs/{run['id']}/effects", body, token=run["epoch"]).code == "run_waits"
    assert agent.post(f"runs/{run['id']}/complete", {}, token=run["epoch"]).code == "run_waits"
    assert wait(agent, run, {**HALF, "name": "more"})["run_state"] == "waiting"


def test_a_run_waits_for_a_bounded_number_of_things(agent: Caller) -> None:
    run = agent.run()
    many = [{**HALF, "name": f"t{number}"} for number in range(20)]
    assert wait(agent, run, {**HALF, "together_with": many}).status == 422
    for batch in range(5):
        names = [{**HALF, "name": f"b{batch}-{number}"} for number in range(20)]
        assert wait(agent, run, {**names[0], "together_with": names[1:]}).status == 200
    assert wait(agent, run, HALF).code == "too_many_waits"


def test_a_list_of_waits_is_read_page_by_page(agent: Caller) -> None:
    run = agent.run()
    wait(agent, run, {**HALF, "together_with": [{**HALF, "name": f"t{number}"} for number in range(4)]})
    first = agent.get(f"runs/{run['id']}/waits?limit=3")
    rest = agent.get(f"runs/{run['id']}/waits?limit=3&cursor={first['next_cursor']}")
    assert [each["number"] for each in first["items"] + rest["items"]] == [5, 4, 3, 2, 1]
    assert rest["next_cursor"] is None
