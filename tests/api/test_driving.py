"""What a driver's write carries: the epoch, and, if it likes, the version that it believes in. A refusal says how things stand."""

from typing import Any
from uuid import UUID

import pytest

from console.ledger.models import Entry
from console.ledger.models import Refusal as KeptRefusal
from runs.models import Run
from tests.api.desk import Answer, Caller, pay
from tests.cast import inside, work


def writes(run: Answer) -> list[tuple[str, Any]]:
    """Give every write of a driver."""
    return [
        (f"runs/{run['id']}/effects", {"operation": "pay", "arguments": {"order": "1", "amount": "1"}}),
        (f"effects/{run['effects'][0]['id']}/withdraw", {}),
        (f"runs/{run['id']}/complete", {}),
        (f"runs/{run['id']}/fail", {"reason": "x"}),
    ]


@pytest.mark.parametrize(
    ("token", "status", "code"),
    [
        (None, 400, "missing_token"), ("", 400, "missing_token"), ("one", 400, "bad_token"), ("-1", 400, "bad_token"),
        ("1.0", 400, "bad_token"),
        ("01", 400, "bad_token"), ("9" * 19, 400, "bad_token"), ("2", 409, "stale_token"), (str(2**60), 409, "stale_token"),
    ],
)  # fmt: skip
def test_every_write_of_a_driver_needs_the_epoch(agent: Caller, token: str | None, status: int, code: str) -> None:
    run = agent.run(pay("a"))
    for address, body in writes(run):
        answer = agent.post(address, body, token=token)
        assert (answer.status, answer.code) == (status, code), address
        if status == 409:
            assert (answer["epoch"], answer["state"], answer["version"]) == (run["epoch"], "running", run["version"])
    assert agent.get(f"runs/{run['id']}")["version"] == run["version"]


def test_a_stale_driver_is_refused_counted_and_told_the_current_epoch(agent: Caller) -> None:
    run = agent.run(pay("a"))
    with inside():
        Run.objects.filter(pk=run["id"]).update(epoch=2)
    answer = agent.post(*writes(run)[0], token=1)
    assert (answer.status, answer.code, answer["epoch"]) == (409, "stale_token", 2)
    with inside():
        assert list(KeptRefusal.objects.values_list("type", "subject")) == [("stale_token", run["id"])]


@pytest.mark.parametrize("etag", ["12", 'W/"12"', '"twelve"', '"', '"1", "2"', '"-1"', ""])
def test_if_match_takes_an_etag(agent: Caller, etag: str) -> None:
    run = agent.run(pay("a"))
    for address, body in writes(run):
        assert agent.post(address, body, token=1, If_Match=etag).code == "bad_version"


def test_a_write_that_believes_in_another_version_is_refused_with_the_current_one(agent: Caller) -> None:
    run = agent.run(pay("a", "1"))
    seen = agent.get(f"runs/{run['id']}").headers["ETag"]
    work()
    current = agent.get(f"runs/{run['id']}")
    assert seen != current.headers["ETag"]
    for address, body in writes(run):
        answer = agent.post(address, body, token=1, If_Match=seen)
        assert (answer.status, answer.code) == (412, "stale_version"), address
        assert (answer["version"], answer["state"]) == (current["version"], "running")
    assert agent.get(f"runs/{run['id']}").headers["ETag"] == current.headers["ETag"]
    assert agent.post(*writes(run)[0], token=1, If_Match=current.headers["ETag"]).status == 201
    assert agent.post(*writes(run)[3], token=1, If_Match="*").status == 200


def test_a_repeated_write_is_found_although_it_changed_the_version_itself(agent: Caller) -> None:
    run = agent.run(pay("a"))
    etag = run.headers["ETag"]
    for number, (address, body) in enumerate(writes(run)):
        if number == 2:
            etag = agent.get(f"runs/{run['id']}").headers["ETag"]
            continue
        etag = agent.get(f"runs/{run['id']}").headers["ETag"]
        first = agent.post(address, body, token=1, key=f"k{number}", If_Match=etag)
        again = agent.post(address, body, token=1, key=f"k{number}", If_Match=etag)
        assert (first.status in {200, 201}, again.status) == (True, 200), address


def test_a_run_that_has_ended_takes_nothing_more(agent: Caller) -> None:
    run = agent.run()
    ended = agent.post(f"runs/{run['id']}/complete", {}, token=1)
    assert ended.status == 200
    for address, body in (
        (f"runs/{run['id']}/effects", {"operation": "pay", "arguments": {"order": "1", "amount": "1"}}),
        (f"runs/{run['id']}/fail", {"reason": "x"}),
    ):
        answer = agent.post(address, body, token=1)
        assert (answer.status, answer.code, answer["state"]) == (409, "run_ended", "succeeded")
        assert answer["version"] == agent.get(f"runs/{run['id']}")["version"]


def test_what_has_begun_is_not_withdrawn(agent: Caller) -> None:
    run = agent.run(pay("a", "1"))
    work()
    answer = agent.post(f"effects/{run['effects'][0]['id']}/withdraw", {}, token=1)
    assert (answer.status, answer.code, answer["state"]) == (409, "already_begun", "succeeded")


def test_an_unknown_effect_blocks_completion_until_it_is_named_where_the_run_type_allows_it(agent: Caller) -> None:
    for run_type, status in (("errand", 422), ("lenient-errand", 200)):
        run = agent.run(pay("a", "1"), run_type=run_type)
        work("unknown")
        effect = run["effects"][0]["id"]
        refused = agent.post(f"runs/{run['id']}/complete", {}, token=1)
        assert (refused.status, refused.code, refused["unresolved"]) == (409, "unresolved_effects", [effect])
        named = agent.post(
            f"runs/{run['id']}/complete", {"accept_unresolved": [effect], "result": {"paid": "perhaps"}}, token=1
        )
        assert named.status == status
        if status == 200:
            assert named["state"] == "succeeded_with_unresolved"
            assert agent.get(f"runs/{run['id']}")["unresolved"] == [effect]


def test_a_refusal_writes_nothing_into_the_record(agent: Caller) -> None:
    run = agent.run(pay("a"))
    with inside():
        before = Entry.objects.count()
    for address, body in writes(run):
        agent.post(address, body, token=7)
        agent.post(address, body, token=1, If_Match='"999"')
    with inside():
        assert Entry.objects.count() == before
        assert KeptRefusal.objects.count() == 8
    UUID(run["id"])
