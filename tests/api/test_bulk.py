"""Many at once: each item is made, found again or refused on its own, in its place, and the whole may be sent again (R-E1 to R-E3)."""

import json
from typing import Any

import pytest

from console.ledger.models import Entry
from console.ledger.models import Refusal as KeptRefusal
from runs.intake import MOST_AT_ONCE
from runs.models import Effect, Run
from tests.api.desk import Answer, Caller, pay
from tests.api.serving import serving
from tests.cast import Company, inside, later
from tests.processes import until


def errand(key: str, *effects: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Give a run as an item."""
    return {"key": key, "run_type": "errand", "goal": f"Do {key}", "effects": list(effects), **fields}


def runs(agent: Caller, *items: Any) -> Answer:
    """Make runs."""
    return agent.post("runs/bulk", {"items": list(items)}, key=None)


def effects(agent: Caller, run: Answer, *items: Any, **headers: str) -> Answer:
    """Propose effects into a run."""
    return agent.post(f"runs/{run['id']}/effects/bulk", {"items": list(items)}, key=None, token=run["epoch"], **headers)


def outcomes(answer: Answer) -> list[Any]:
    """Give what became of each item; of a refused one, the code and the path."""
    assert [item["index"] for item in answer["items"]] == list(range(len(answer["items"])))
    return [
        (item["problem"]["code"], item["problem"]["path"]) if item["outcome"] == "refused" else item["outcome"]
        for item in answer["items"]
    ]


def counts(answer: Answer) -> tuple[int, int, int, int]:
    """Give the status and how many were created, found again and refused."""
    return answer.status, answer["created"], answer["existing"], answer["refused"]


def kept() -> tuple[int, int, int]:
    """Count runs, effects and entries."""
    with inside():
        return Run.objects.count(), Effect.objects.count(), Entry.objects.count()


# Runs


def test_many_runs_are_made_each_with_its_effects(agent: Caller) -> None:
    answer = runs(agent, errand("a", pay("x", "10")), errand("b"), errand("c", pay("x"), pay("y", "10", after=["x"])))
    assert counts(answer) == (200, 3, 0, 0)
    made = [item["run"] for item in answer["items"]]
    assert [item["key"] for item in answer["items"]] == [run["key"] for run in made] == ["a", "b", "c"]
    assert [[effect["key"] for effect in run["effects"]] for run in made] == [["x"], [], ["x", "y"]]
    assert [effect["state"] for effect in made[2]["effects"]] == ["awaiting_approval", "blocked"]
    for run in made:
        alone = agent.get(f"runs/{run['id']}").document
        assert {name: run[name] for name in alone} == alone


def test_what_is_sent_again_is_found_again_with_the_same_refusals(agent: Caller) -> None:
    items = [errand("a", pay("x", "10")), errand("b", pay("x", "0")), {"key": "c"}, errand("d", run_type="unheard-of")]
    first = runs(agent, *items)
    assert counts(first) == (207, 1, 0, 3)
    assert outcomes(first) == [
        "created", ("bad_arguments", "/items/1/effects/0/arguments/amount"), ("invalid", "/items/2/run_type"),
        ("unknown_run_type", "/items/3/run_type"),
    ]  # fmt: skip
    before = kept()
    again = runs(agent, *items)
    assert counts(again) == (207, 0, 1, 3)
    assert again["items"][0]["run"] == first["items"][0]["run"]
    assert again["items"][1:] == first["items"][1:]
    assert kept() == before


def test_a_refused_run_takes_no_other_with_it_and_leaves_nothing_behind(agent: Caller) -> None:
    faulty = [
        errand("b", pay("x"), pay("y", after=["nobody"])), errand("c", {"key": "x", "operation": "fly", "arguments": {}}),
        errand("d", pay("x"), pay("x")), errand("e", completes_itself=True), errand("f", colour="red"), errand("", pay("x")), 7, None,
    ]  # fmt: skip
    answer = runs(agent, errand("a", pay("x")), *faulty, errand("z", pay("x")))
    assert outcomes(answer) == [
        "created", ("unknown_effect", "/items/1/effects/1/after/0"), ("unknown_operation", "/items/2/effects/0/operation"),
        ("key_reused", "/items/3/effects/1/key"), ("nothing_to_complete", "/items/4/completes_itself"),
        ("unknown_field", "/items/5/colour"), ("invalid", "/items/6/key"), ("invalid", "/items/7"), ("invalid", "/items/8"), "created",
    ]  # fmt: skip
    assert [item["key"] for item in answer["items"]] == ["a", "b", "c", "d", "e", "f", "", None, None, "z"]
    with inside():
        assert sorted(Run.objects.values_list("key", flat=True)) == ["a", "z"]
        assert Effect.objects.count() == 2


def test_a_refused_item_carries_the_whole_problem_with_every_fault(agent: Caller) -> None:
    item = runs(agent, errand("a", goal=7, deadline_seconds="soon"))["items"][0]
    assert item["key"] == "a"
    assert (item["problem"]["status"], item["problem"]["type"]) == (422, "/api/v1/problems/invalid")
    assert {fault["path"] for fault in item["problem"]["errors"]} == {"/items/0/goal", "/items/0/deadline_seconds"}
    assert "run" not in item


def test_one_key_twice_in_a_request_is_one_run_and_with_other_content_it_is_refused(agent: Caller) -> None:
    answer = runs(agent, errand("a", pay("x")), errand("a", pay("x")), errand("a", pay("x", "99")))
    assert outcomes(answer) == ["created", "existing", ("key_reused", "/items/2")]
    assert (
        answer["items"][0]["run"]["id"] == answer["items"][1]["run"]["id"] == answer["items"][2]["problem"]["existing"]
    )
    assert answer["items"][1]["run"] == answer["items"][0]["run"]


def test_after_a_refused_item_its_key_is_free_for_the_next(agent: Caller) -> None:
    answer = runs(agent, errand("a", pay("x", "0")), errand("a", pay("x", "1")))
    assert outcomes(answer)[1] == "created"


def test_a_key_that_was_used_before_alone_is_found_or_refused(agent: Caller) -> None:
    alone = agent.post("runs", {"run_type": "errand", "goal": "Do a", "effects": [pay("x")]}, key="a")
    answer = runs(agent, errand("b"), errand("a", pay("x")), errand("a"))
    assert outcomes(answer) == ["created", "existing", ("key_reused", "/items/2")]
    assert answer["items"][1]["run"] == alone.document
    with inside():
        assert list(KeptRefusal.objects.values_list("verb", "type", "subject")) == [("accept", "key_reused", "a")]


def test_a_key_whose_time_is_over_is_refused_and_the_others_are_made(agent: Caller) -> None:
    run = runs(agent, errand("a"))["items"][0]["run"]
    agent.post(f"runs/{run['id']}/fail", {"reason": "x"}, token=run["epoch"])
    with later(days=31):
        answer = runs(agent, errand("a"), errand("b"))
    assert outcomes(answer) == [("key_expired", "/items/0"), "created"]


def test_a_key_of_the_whole_tenant_goes_to_the_first_item_that_stands(agent: Caller) -> None:
    news = {"key": "news", "operation": "announce", "arguments": {"text": "We are back."}}
    answer = runs(agent, errand("a", news, pay("x", "0")), errand("b", news), errand("c", news), errand("d"))
    assert outcomes(answer) == [
        ("bad_arguments", "/items/0/effects/1/arguments/amount"), "created", ("key_reused", "/items/2/effects/0/key"), "created",
    ]  # fmt: skip
    with inside():
        assert Effect.objects.get(key="news").run.key == "b"


def test_a_found_run_shows_the_effects_that_it_came_with(agent: Caller) -> None:
    run = agent.post("runs", {"run_type": "errand", "goal": "Do a", "effects": [pay("x"), pay("y")]}, key="a")
    agent.propose(run, key="z")
    found = runs(agent, errand("a", pay("x"), pay("y")))["items"][0]["run"]
    assert [effect["key"] for effect in found["effects"]] == ["x", "y"]


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({}, "invalid", "/items"), ({"items": []}, "invalid", "/items"), ({"items": {}}, "invalid", "/items"),
        ({"items": [1], "more": 1}, "unknown_field", "/more"), ([], "invalid", ""),
        ({"items": [{"key": str(n)} for n in range(MOST_AT_ONCE + 1)]}, "invalid", "/items"),
    ],
)  # fmt: skip
def test_what_is_no_list_of_at_most_500_is_refused_as_a_whole(agent: Caller, body: Any, code: str, path: str) -> None:
    run, before = agent.run(), kept()
    for address in ("runs/bulk", f"runs/{run['id']}/effects/bulk"):
        answer = agent.post(address, body, key=None, token=1)
        assert (answer.status, answer.code, answer["path"]) == (422, code, path)
    assert kept() == before


def test_more_than_500_effects_in_all_are_refused_as_a_whole(agent: Caller) -> None:
    note = {"operation": "note", "target": "note:1", "arguments": {}}
    half = [{"key": str(n), **note} for n in range(MOST_AT_ONCE // 2)]
    answer = runs(agent, errand("a", *half), errand("b", *half), errand("c", {"key": "x", **note}))
    assert (answer.status, answer.code) == (422, "too_many")
    assert kept()[:2] == (0, 0)
    answer = runs(agent, errand("a", *half), errand("b", *half))
    assert counts(answer) == (200, 2, 0, 0)


def test_a_number_that_cannot_be_kept_refuses_the_body_as_a_whole(agent: Caller) -> None:
    answer = agent.post(
        "runs/bulk", b'{"items":[{"key":"a","run_type":"errand","goal":"x"},{"key":"b","n":NaN}]}', key=None
    )
    assert (answer.status, answer.code, answer["path"]) == (400, "bad_number", "/items/1/n")
    assert kept()[0] == 0


def test_more_items_ask_no_more_queries(agent: Caller, django_assert_max_num_queries: Any) -> None:
    runs(agent, errand("warm", pay("x")))
    with django_assert_max_num_queries(36):  # whoever is asked is told in the same transaction
        assert counts(runs(agent, *[errand(f"r{n}", pay("x")) for n in range(60)])) == (200, 60, 0, 0)


# Effects


def test_many_effects_are_proposed_and_may_wait_for_those_before_them(agent: Caller) -> None:
    run = agent.run()
    answer = effects(agent, run, pay("a", "10"), pay("b", "10", after=["a"]), pay("c"))
    assert counts(answer) == (200, 3, 0, 0)
    assert [item["effect"]["state"] for item in answer["items"]] == ["ready", "blocked", "awaiting_approval"]
    assert [item["effect"]["number"] for item in answer["items"]] == [1, 2, 3]
    for item in answer["items"]:
        alone = agent.get(f"effects/{item['effect']['id']}").document
        assert item["effect"] == {name: alone[name] for name in item["effect"]}


def test_a_refused_effect_takes_only_those_with_it_that_wait_for_it(agent: Caller) -> None:
    run = agent.run()
    items = [pay("a", "0"), pay("b", "10", after=["a"]), pay("c", "10"), {"key": "d"}, pay("e", "10", after=["c"])]
    answer = effects(agent, run, *items)
    assert outcomes(answer) == [
        ("bad_arguments", "/items/0/arguments/amount"), ("unknown_effect", "/items/1/after/0"), "created",
        ("invalid", "/items/3/operation"), "created",
    ]  # fmt: skip
    assert [effect["number"] for effect in agent.get(f"runs/{run['id']}/effects")["items"]] == [1, 2]
    before = kept()
    again = effects(agent, run, *items)
    assert outcomes(again) == [outcome if outcome != "created" else "existing" for outcome in outcomes(answer)]
    assert kept() == before


def test_one_effect_key_twice_is_one_effect_and_with_other_content_it_is_refused(agent: Caller) -> None:
    run = agent.run(pay("old"))
    answer = effects(agent, run, pay("old"), pay("new"), pay("new"), pay("new", "7"), pay("old", "7"))
    assert outcomes(answer) == [
        "existing",
        "created",
        "existing",
        ("key_reused", "/items/3"),
        ("key_reused", "/items/4"),
    ]
    with inside():
        assert (
            list(KeptRefusal.objects.values_list("verb", "type", "subject"))
            == [("propose", "key_reused", run["id"])] * 2
        )


def test_an_ended_run_gives_what_was_proposed_and_refuses_what_is_new(agent: Caller) -> None:
    run = agent.run(pay("old"))
    agent.post(f"runs/{run['id']}/fail", {"reason": "x"}, token=run["epoch"])
    answer = effects(agent, run, pay("old"), pay("new"))
    assert outcomes(answer) == ["existing", ("run_ended", "/items/1")]
    assert answer["items"][1]["problem"]["state"] == "failed"


def test_who_drives_no_more_is_refused_as_a_whole(agent: Caller, stranger: Caller) -> None:
    run = agent.run(pay("old"))
    address, body = f"runs/{run['id']}/effects/bulk", {"items": [pay("old")]}
    assert agent.post(address, body, key=None, token=run["epoch"] + 1).code == "stale_token"
    assert agent.post(address, body, key=None).code == "missing_token"
    assert agent.post(address, body, key=None, token=1, If_Match='"1"').code == "bad_version"
    assert agent.post(address, body, key=None, token=1, If_Match="*").status == 200
    assert stranger.post(address, body, key=None, token=1).status == 404


def test_bulk_is_only_posted_and_needs_the_scope_of_writing(acme: Company, agent: Caller) -> None:
    from tests.api.desk import key_for

    reader = Caller(key_for(acme, scopes=["runs:read"]))
    assert runs(reader, errand("a")).code == "missing_scope"
    assert agent.get("runs/bulk").status == 405
    assert agent.get(f"runs/{agent.run()['id']}/effects/bulk").status == 405


# When the process dies


@pytest.mark.crash
@pytest.mark.parametrize("place", ["accept_each.before_commit", "accept_each.after_commit"])
def test_a_server_that_dies_has_made_all_of_them_or_none_and_sent_again_they_stand(agent: Caller, place: str) -> None:
    items = [errand("a", pay("x")), errand("b", pay("x", "0")), errand("c"), errand("c", goal="Something else")]
    body = {"items": items}
    with serving(CRASH_AT=f"{place}:1:kill") as doomed:
        with pytest.raises(OSError):  # noqa: PT011 - however the connection breaks
            doomed.call("POST", "/api/v1/runs/bulk", body, bearer=agent.bearer)
        assert until(lambda: doomed.process.poll() is not None)
    with inside():
        made = sorted(Run.objects.values_list("key", flat=True))
        refusals = KeptRefusal.objects.count()
    assert (made, refusals) == (([], 0) if place.endswith("before_commit") else (["a", "c"], 1))
    answer = runs(agent, *items)
    assert [json.dumps(outcome) for outcome in outcomes(answer)] == [
        json.dumps(outcome) for outcome in (
            "existing" if made else "created", ("bad_arguments", "/items/1/effects/0/arguments/amount"),
            "existing" if made else "created", ("key_reused", "/items/3"),
        )
    ]  # fmt: skip
    with inside():
        assert sorted(Run.objects.values_list("key", flat=True)) == ["a", "c"]
        assert Entry.objects.filter(kind="run.accepted").count() == 2
