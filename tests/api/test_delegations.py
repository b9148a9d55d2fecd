"""Deciding in somebody's place by REST: given with a fresh proof, seen by both, used as `voice`, taken back at once (points 3 and 9)."""

from datetime import timedelta
from typing import Any

import pytest

from console.clock import instant
from console.exact import Value
from tests.api.desk import Answer, Caller
from tests.api.test_members_tools import asked, tool, word
from tests.cast import PASSWORD, Company, later
from tests.delegating.handing import now


def body(acme: Company, taker: str = "sam", **given: Value) -> dict[str, Any]:
    """Write what lets sam decide for a week."""
    week = instant(now() + timedelta(days=7))
    return {"taker": str(acme.members[taker].pk), "ends_at": week, "reason": "On leave.", **given}


def give(acme: Company, giver: Caller, taker: str = "sam", **given: Value) -> Answer:
    """Let somebody decide, proven."""
    proof = giver.post("step-up", {"password": PASSWORD})["proof"]
    return giver.post("delegations", body(acme, taker, **given), **{"Step-Up-Proof": proof})


def test_it_is_given_seen_used_and_taken_back(acme: Company, agent: Caller) -> None:
    ann, sam, amir = (tool(acme, name) for name in ("ann", "sam", "amir"))
    given = give(acme, ann, groups=["finance"], operations=["pay"])
    assert (given.status, given["receipt"]) == (200, "delegated")
    (seen,) = sam.get("delegations")["items"]
    assert seen == ann.get("delegations")["items"][0]
    assert (seen["id"], seen["giver"], seen["taker"]["name"], seen["groups"], seen["operations"], seen["state"], seen["reason"]) == (
        given["delegation"], {"id": str(acme.ann.pk), "name": "Ann Okafor"}, "Sam Tran", ["finance"], ["pay"], "standing", "On leave.",
    )  # fmt: skip
    assert amir.get("delegations")["items"] == []
    request = asked(agent)
    decided = sam.post(f"approvals/{request['id']}/decisions", word(request, voice=seen["giver"]["id"]))
    assert decided["state"] == "approved"
    assert ann.post(f"delegations/{seen['id']}/revoke", None)["receipt"] == "revoked"
    assert ann.post(f"delegations/{seen['id']}/revoke", None)["receipt"] == "unchanged"
    (ended,) = sam.get("delegations")["items"]
    assert (ended["state"], ended["revoked_at"] is None) == ("revoked", False)
    another = asked(agent)
    refused = sam.post(f"approvals/{another['id']}/decisions", word(another, voice=seen["giver"]["id"]))
    assert (refused.status, refused.code) == (403, "not_delegated")


def test_a_key_hands_nothing_over_without_a_fresh_proof(acme: Company) -> None:
    ann = tool(acme, "ann")
    assert ann.post("delegations", body(acme)).code == "step_up_needed"
    proof = {"Step-Up-Proof": ann.post("step-up", {"password": PASSWORD})["proof"]}
    with later(minutes=6):
        assert ann.post("delegations", body(acme), **proof).code == "bad_proof"
    assert tool(acme, "amir").post("delegations", body(acme), **proof).code == "bad_proof"
    assert ann.get("delegations")["items"] == []


def test_the_same_key_gives_the_same_receipt(acme: Company) -> None:
    ann = tool(acme, "ann")
    proof = {"Step-Up-Proof": ann.post("step-up", {"password": PASSWORD})["proof"]}
    sent = body(acme)
    first, second = (ann.post("delegations", sent, key="leave", **proof) for _ in range(2))
    assert (second["delegation"], second["replayed"]) == (first["delegation"], True)
    assert ann.post("delegations", {**sent, "reason": "Ill."}, key="leave", **proof).code == "key_reused"
    assert len(ann.get("delegations")["items"]) == 1


@pytest.mark.parametrize(
    ("taker", "given", "code", "status"),
    [
        ("dora", {}, "not_a_taker", 422), ("ann", {}, "not_a_taker", 422), ("sam", {"groups": ["legal"]}, "not_yours_to_give", 403),
        ("sam", {"operations": ["Pay!"]}, "bad_delegation", 422), ("sam", {"reason": " "}, "invalid", 422),
        ("sam", {"ends_at": "2020-01-01T00:00:00Z"}, "bad_delegation", 422), ("sam", {"ends_at": "tomorrow"}, "invalid", 422),
        ("sam", {"for": "ever"}, "unknown_field", 422),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_refused(
    acme: Company, taker: str, given: dict[str, Any], code: str, status: int
) -> None:
    refused = give(acme, tool(acme, "ann"), taker, **given)
    assert (refused.status, refused.code) == (status, code)


def test_who_may_be_let_is_told_by_name_and_never_oneself(acme: Company) -> None:
    found = tool(acme, "ann", "approvals:read").get("delegations/takers")["items"]
    assert [(each["name"], each["groups"]) for each in found] == [
        ("Amir Saleh", ["finance"]), ("Ben Osei", ["finance"]), ("Sam Tran", ["support"]),
    ]  # fmt: skip


def test_administrators_see_everybodys_and_take_any_back_and_others_do_neither(acme: Company, globex: Company) -> None:
    given = give(acme, tool(acme, "ann"))["delegation"]
    amir, dora, cara = tool(acme, "amir"), tool(acme, "dora"), tool(globex, "cara")
    assert [each["id"] for each in dora.get("delegations")["items"]] == [given]
    assert cara.get("delegations")["items"] == []
    assert amir.post(f"delegations/{given}/revoke", None).code == "not_administrator"
    assert cara.post(f"delegations/{given}/revoke", None).status == 404
    assert dora.post(f"delegations/{given}/revoke", None)["receipt"] == "revoked"


def test_a_list_is_turned_page_by_page_by_whoever_began_it(acme: Company) -> None:
    ann, dora = tool(acme, "ann"), tool(acme, "dora")
    given = [give(acme, ann, name)["delegation"] for name in ("sam", "amir", "ben")]
    first = ann.get("delegations?limit=2")
    second = ann.get(f"delegations?limit=2&cursor={first['next_cursor']}")
    assert [each["id"] for page in (first, second) for each in page["items"]] == given[::-1]
    assert second["next_cursor"] is None
    assert dora.get(f"delegations?cursor={first['next_cursor']}").code == "bad_cursor"


def test_a_key_that_only_reads_gives_and_takes_nothing(acme: Company) -> None:
    given = give(acme, tool(acme, "ann"))["delegation"]
    reader = tool(acme, "ann", "approvals:read")
    for path, sent in (("delegations", body(acme)), (f"delegations/{given}/revoke", None)):
        assert reader.post(path, sent).code == "missing_scope"
    assert tool(acme, "ann").get("delegations")["items"][0]["state"] == "standing"
