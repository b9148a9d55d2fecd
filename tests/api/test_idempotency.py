"""IDM: one key, one intent, whatever is repeated, raced, crashed or reused."""

import secrets
import string
import threading
from typing import Any

import pytest
from django.db import connections

from console.http.models import IdempotencyRecord
from console.ledger.models import Entry
from console.ledger.models import Refusal as KeptRefusal
from runs.models import Effect
from tests.api.desk import Answer, Caller, pay
from tests.cast import inside, later, work


def at_once(callers: list[Any]) -> list[Answer]:
    """Call all at the same moment, each on a connection of its own."""
    start, answers = threading.Barrier(len(callers)), []

    def go(call: Any) -> None:
        start.wait()
        answers.append(call())
        connections.close_all()

    threads = [threading.Thread(target=go, args=[call]) for call in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(callers)
    return answers


def entries(kind: str) -> int:
    """Count the entries of a kind in the whole record."""
    with inside():
        return Entry.objects.filter(kind=kind).count()


def test_idm_01_twenty_at_once_make_one_effect(agent: Caller) -> None:
    run = agent.run()
    answers = at_once([lambda: Caller(agent.bearer).post(
        f"runs/{run['id']}/effects", {"operation": "pay", "arguments": {"order": "1", "amount": "100"}}, key="k", token=run["epoch"]
    )] * 20)  # fmt: skip
    assert sorted(answer.status for answer in answers) == [200] * 19 + [201]
    assert len({answer["id"] for answer in answers}) == 1
    with inside():
        assert Effect.objects.count() == 1
    assert entries("effect.proposed") == 1


def test_idm_01_twenty_at_once_make_one_run(agent: Caller) -> None:
    body = {"run_type": "errand", "goal": "Once", "effects": [pay("a")]}
    answers = at_once([lambda: Caller(agent.bearer).post("runs", body, key="k")] * 20)
    assert sorted(answer.status for answer in answers) == [200] * 19 + [201]
    assert len({answer["id"] for answer in answers}) == 1
    assert {len(answer["effects"]) for answer in answers} == {1}
    assert (entries("run.accepted"), entries("effect.proposed")) == (1, 1)


def test_idm_01_twenty_at_once_complete_once_with_one_receipt(agent: Caller) -> None:
    run = agent.run()
    answers = at_once(
        [lambda: Caller(agent.bearer).post(f"runs/{run['id']}/complete", {"result": 1}, key="end", token=1)] * 20
    )
    assert {answer.status for answer in answers} == {200}
    assert [answer.document.get("replayed", False) for answer in answers].count(False) == 1
    assert len({answer["at"] for answer in answers}) == 1
    assert entries("run.completed") == 1


def test_idm_01_a_key_of_the_whole_tenant_is_taken_once_from_two_runs(agent: Caller) -> None:
    """Scope tenant: the run's lock does not cover it, the unique row does."""
    runs = [agent.run(), agent.run()]

    def propose(run: Answer) -> Answer:
        body = {"operation": "announce", "arguments": {"text": "We are back."}}
        return Caller(agent.bearer).post(f"runs/{run['id']}/effects", body, key="news", token=run["epoch"])

    answers = at_once([lambda: propose(runs[0]), lambda: propose(runs[1])] * 5)
    assert {answer.status for answer in answers} <= {200, 201, 422}
    assert [answer.status for answer in answers].count(201) == 1
    with inside():
        assert Effect.objects.filter(key="news").count() == 1


def test_idm_03_a_key_is_nothing_to_another_tenant(agent: Caller, stranger: Caller) -> None:
    body = {"run_type": "errand", "goal": "Same words", "effects": [pay("K1")]}
    ours, theirs = agent.post("runs", body, key="K1"), stranger.post("runs", body, key="K1")
    assert (ours.status, theirs.status) == (201, 201)
    assert ours["id"] != theirs["id"]
    assert ours["effects"][0]["id"] != theirs["effects"][0]["id"]
    assert ours["id"].encode() not in theirs.raw
    ends = [
        caller.post(f"runs/{run['id']}/fail", {"reason": "x"}, key="K2", token=1)
        for caller, run in ((agent, ours), (stranger, theirs))
    ]
    assert [end["run"] for end in ends] == [ours["id"], theirs["id"]]


def test_idm_03_a_key_is_nothing_to_another_run(agent: Caller) -> None:
    first, second = agent.run(), agent.run()
    assert agent.propose(first, key="K")["id"] != agent.propose(second, key="K")["id"]


@pytest.mark.parametrize(
    "changed",
    [
        {"arguments": {"order": "1", "amount": "200"}},
        {"arguments": {"order": "2", "amount": "100"}},
        {"operation": "note", "target": "note:1"},
        {"target": "order:2"},
        {"required": False},
        {"after": ["first"]},
    ],
)
def test_idm_05_the_same_key_for_another_intent_is_refused(agent: Caller, changed: dict[str, Any]) -> None:
    run = agent.run(pay("first", "1"))
    body = {"operation": "pay", "arguments": {"order": "1", "amount": "100"}}
    effect = agent.post(f"runs/{run['id']}/effects", body, key="K", token=run["epoch"])
    before = agent.get(f"effects/{effect['id']}").raw
    answer = agent.post(f"runs/{run['id']}/effects", {**body, **changed}, key="K", token=run["epoch"])
    assert (answer.status, answer.code, answer["existing"]) == (422, "key_reused", effect["id"])
    assert agent.get(f"effects/{effect['id']}").raw == before
    with inside():
        kept = list(KeptRefusal.objects.values_list("verb", "type", "subject"))
    assert kept == [("propose", "key_reused", run["id"])]


def test_idm_05_the_same_intent_written_otherwise_is_found_again(agent: Caller) -> None:
    run, address = agent.run(), ""
    address = f"runs/{run['id']}/effects"
    first = agent.post(address, b'{"operation":"pay","arguments":{"order":"1","amount":100.50}}', key="K", token=1)
    again = agent.post(
        address,
        b'{ "arguments": {"amount": 1.005e2, "order": "\\u0031"}, "operation": "pay", "after": [] }',
        key="K",
        token=1,
    )
    assert (first.status, again.status) == (201, 200)
    assert first["id"] == again["id"]


def test_idm_05_a_run_and_its_end_are_compared_too(agent: Caller) -> None:
    run = agent.run(key="K")
    assert agent.post("runs", {"run_type": "errand", "goal": "Another goal"}, key="K").code == "key_reused"
    assert agent.post(f"runs/{run['id']}/complete", {"result": 1}, key="end", token=1).status == 200
    other = agent.post(f"runs/{run['id']}/complete", {"result": 2}, key="end", token=1)
    assert (other.status, other.code) == (422, "key_reused")
    assert agent.get(f"runs/{run['id']}")["result"] == 1


def test_a_found_effect_shows_what_has_become_of_it(agent: Caller) -> None:
    run = agent.run()
    assert agent.propose(run, key="K", amount="10")["state"] == "ready"
    work(result={"payment": "p-1"})
    again = agent.propose(run, key="K", amount="10")
    assert (again.status, again["state"], again["result"]) == (200, "succeeded", {"payment": "p-1"})


def random_key(length: int) -> str:
    """Give a key that no index compresses."""
    return "".join(secrets.choice(string.ascii_letters + string.digits + "+/=_-.:~") for _ in range(length))


@pytest.mark.parametrize(
    ("key", "status", "code"),
    [
        (None, 400, "missing_key"), ("", 400, "missing_key"), ("   ", 400, "missing_key"), (random_key(255), 201, None),
        (random_key(256), 400, "bad_key"),
        (random_key(10_000), 400, "bad_key"), ("tab\there", 400, "bad_key"), ("schlüssel", 400, "bad_key"),
        (" led by a space", 400, "bad_key"), ("a b", 201, None), ("x", 201, None),
    ],
)  # fmt: skip
def test_idm_09_keys_have_a_length_and_are_not_empty(
    agent: Caller, key: str | None, status: int, code: str | None
) -> None:
    run = agent.run()
    headers = {} if key is None else {"Idempotency_Key": key}
    addresses: list[tuple[str, Any, int]] = [
        ("runs", {"run_type": "errand", "goal": "x"}, 201),
        (f"runs/{run['id']}/effects", {"operation": "pay", "arguments": {"order": "1", "amount": "1"}}, 201),
        (f"runs/{run['id']}/fail", {"reason": "x"}, 200),
    ]
    for address, body, good in addresses:
        answer = agent.post(address, body, key=None, token=1, **headers)
        assert (answer.status, answer.code) == (good if status == 201 else status, code), address


def test_idm_11_an_open_effect_is_found_however_old_and_an_ended_one_says_that_its_key_has_expired(
    agent: Caller,
) -> None:
    run = agent.run()
    waiting, done = agent.propose(run, key="waits"), agent.propose(run, key="done", amount="10")
    work()
    with later(days=31):
        run_again = agent.propose(run, key="waits")
        assert (run_again.status, run_again["id"]) == (200, waiting["id"])
        expired = agent.propose(run, key="done", amount="10")
        assert (expired.status, expired.code) == (410, "key_expired")
    with inside():
        assert Effect.objects.count() == 2
    assert agent.get(f"effects/{done['id']}")["state"] == "succeeded"


def test_idm_11_a_receipt_whose_time_is_over_is_refused_and_not_given_anew(agent: Caller) -> None:
    run = agent.run()
    agent.post(f"runs/{run['id']}/fail", {"reason": "x"}, key="end", token=1)
    with inside():
        IdempotencyRecord.objects.update(expires_at="2020-01-01T00:00:00Z")
    again = agent.post(f"runs/{run['id']}/fail", {"reason": "x"}, key="end", token=1)
    assert (again.status, again.code) == (410, "key_expired")


def test_an_answer_to_a_key_that_was_used_before_says_so_in_a_header(agent: Caller) -> None:
    first, again = agent.run(key="r"), agent.run(key="r")
    effects = [agent.propose(first, key="e") for _ in range(2)]
    endings = [agent.post(f"runs/{first['id']}/fail", {"reason": "x"}, key="f", token=1) for _ in range(2)]
    for fresh, replayed in ((first, again), effects, endings):
        assert "Idempotent-Replayed" not in fresh.headers
        assert replayed.headers["Idempotent-Replayed"] == "true"
