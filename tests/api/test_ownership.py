"""Runs change hands by REST: taken, kept, let go; whoever comes too early learns who has it until when, and what was refused is listed."""

from typing import Any

import pytest

from tests import clock
from tests.api.desk import Answer, Caller, pay

LEASE = 60


def take(caller: Caller, run: Answer, holder: str = "second", **more: Any) -> Answer:
    return caller.post(f"runs/{run['id']}/acquire", {"holder": holder}, **more)


def refused(caller: Caller, run: Answer) -> list[tuple[str, str]]:
    return [(each["verb"], each["code"]) for each in caller.get(f"runs/{run['id']}/refusals")["items"]]


def test_a_run_says_who_has_it_and_until_when(agent: Caller) -> None:
    run = agent.run(pay("a"), holder="first")
    assert (run["holder"], run["epoch"], run["resume_due"], run["attention"]) == ("first", 1, False, None)
    assert run["lease_expires_at"] > run["created_at"]


def test_whoever_comes_too_early_is_told_when_to_come_again(agent: Caller) -> None:
    run = agent.run(pay("a"), holder="first")
    answer = take(agent, run)
    assert (answer.status, answer.code, answer["holder"], answer["epoch"]) == (409, "run_held", "first", 1)
    assert answer["until"] == run["lease_expires_at"]
    assert 0 < int(answer.headers["Retry-After"]) <= LEASE


def test_a_run_is_taken_kept_and_let_go(agent: Caller) -> None:
    run = agent.run(pay("a"), holder="first")
    with clock.at(LEASE + 1):
        taken = take(agent, run, key="take")
        assert (taken.status, taken["epoch"], taken["holder"], taken["resume_due"]) == (200, 2, "second", True)
        assert take(agent, run, key="take")["replayed"] is True
        kept = agent.post(f"runs/{run['id']}/renew", token=2, key=None)
        assert (kept.status, kept["epoch"]) == (200, 2)
        gone = agent.post(f"runs/{run['id']}/release", token=2)
        assert (gone.status, gone["lease_expires_at"]) == (200, None)
        assert take(agent, run, "third")["epoch"] == gone["epoch"] + 1


def test_the_writes_of_whoever_drives_it_no_more_are_refused_and_listed(agent: Caller) -> None:
    run = agent.run(pay("a"))
    with clock.at(LEASE + 1):
        take(agent, run)
        effect = run["effects"][0]["id"]
        for address, body in (
            (f"runs/{run['id']}/effects", {"operation": "pay", "arguments": {"order": "1", "amount": "1"}}),
            (f"effects/{effect}/withdraw", {}), (f"effects/{effect}/attempts", {}), (f"runs/{run['id']}/complete", {}),
            (f"runs/{run['id']}/fail", {"reason": "x"}), (f"runs/{run['id']}/release", {}),
        ):  # fmt: skip
            answer = agent.post(address, body, token=1)
            assert (answer.status, answer.code, answer["epoch"]) == (409, "stale_token", 2), address
        assert agent.post(f"runs/{run['id']}/renew", token=1, key=None).code == "stale_token"
    verbs = ["renew", "release run", "fail", "complete", "begin", "withdraw", "propose"]
    assert refused(agent, run) == [(verb, "stale_token") for verb in verbs]


def test_refusals_are_given_page_by_page_and_each_run_has_its_own(agent: Caller) -> None:
    run, other = agent.run(pay("a")), agent.run(pay("a"))
    for _ in range(3):
        agent.post(f"runs/{run['id']}/complete", {}, token=9)
    first = agent.get(f"runs/{run['id']}/refusals?limit=2")
    rest = agent.get(f"runs/{run['id']}/refusals?limit=2&cursor={first['next_cursor']}")
    assert (len(first["items"]), len(rest["items"]), rest["next_cursor"]) == (2, 1, None)
    assert refused(agent, other) == []


def test_a_child_is_made_with_its_parents_token_and_listed_below_it(agent: Caller) -> None:
    parent = agent.run()
    part = {"run_type": "errand", "goal": "A part of it", "parent": parent["id"]}
    child = agent.post("runs", part, Parent_Token="1")
    assert (child.status, child["parent"]) == (201, parent["id"])
    assert [run["id"] for run in agent.get(f"runs/{parent['id']}/children")["items"]] == [child["id"]]
    assert agent.get(f"runs/{child['id']}/children")["items"] == []


@pytest.mark.parametrize(
    ("token", "status", "code"), [(None, 400, "missing_token"), ("x", 400, "bad_token"), ("7", 409, "stale_token")]
)
def test_without_its_parents_token_no_child_is_made(agent: Caller, token: str | None, status: int, code: str) -> None:
    parent = agent.run()
    headers = {} if token is None else {"Parent_Token": token}
    answer = agent.post("runs", {"run_type": "errand", "goal": "A part", "parent": parent["id"]}, **headers)
    assert (answer.status, answer.code) == (status, code)
    assert agent.get(f"runs/{parent['id']}/children")["items"] == []


def test_many_children_are_made_at_once(agent: Caller) -> None:
    parent = agent.run()
    items = [{"key": f"part-{n}", "run_type": "errand", "goal": "A part", "parent": parent["id"]} for n in range(3)]
    made = agent.post("runs/bulk", {"items": items}, key=None, Parent_Token="1")
    assert (made.status, made["created"]) == (200, 3)
    page = agent.get(f"runs/{parent['id']}/children?limit=2")
    rest = agent.get(f"runs/{parent['id']}/children?limit=2&cursor={page['next_cursor']}")
    assert {run["key"] for run in [*page["items"], *rest["items"]]} == {"part-0", "part-1", "part-2"}


def test_another_tenant_sees_and_takes_nothing(agent: Caller, stranger: Caller) -> None:
    run = agent.run(pay("a"))
    with clock.at(LEASE + 1):
        assert take(stranger, run).code == "not_found"
    for address in ("refusals", "children"):
        assert stranger.get(f"runs/{run['id']}/{address}").code == "not_found"
