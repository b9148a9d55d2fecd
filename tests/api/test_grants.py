"""Standing approvals by REST: an agent sees what may serve it; approvers' tools propose, confirm and end, by the same rules as on pages."""

from typing import Any

import pytest

from console.clock import instant
from tests.api.desk import Caller, key_for
from tests.api.test_unknowns import caller
from tests.grants import SMALL_ONES, let_stand_in, standing, terms
from tests.shop import Shop, draft, one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]
BOTH = ["approvals:read", "approvals:decide"]


@pytest.fixture(autouse=True)
def grants(shop: Shop) -> None:
    """Let standing approvals stand in for what the policy asks."""
    let_stand_in(shop)


def tool(shop: Shop, name: str, scopes: list[str] = BOTH) -> Caller:
    """An approver's tool."""
    return caller(shop, name, scopes)


def sent(shop: Shop, **given: Any) -> dict[str, Any]:
    """What a tool sends to propose one."""
    return {
        "operation": "pay", "target_pattern": "payee:*", "uses": 5, "ends_at": instant(terms(shop).ends_at), "purpose": "Weekly payments",
        "agent": str(shop.agent.pk), "constraint": SMALL_ONES, "amount_path": "arguments.amount", "amount_most": "5000", **given,
    }  # fmt: skip


def test_two_tools_make_one_and_a_third_ends_it(shop: Shop) -> None:
    ann, amir, ben = (tool(shop, name) for name in ("ann", "amir", "ben"))
    made = ann.post("grants/propose", sent(shop))
    assert (made.status, made["receipt"], made["state"]) == (200, "proposed", "proposed")
    assert ann.post(f"grants/{made['grant']}/confirm", None).code == "separation_of_duties"
    assert amir.post(f"grants/{made['grant']}/confirm", None)["state"] == "active"
    assert shop.states(shop.accept(draft("rent", "250"))) == {"rent": "ready"}
    shown = ben.get(f"grants/{made['grant']}")
    assert (shown["owner"]["name"], shown["amount_most"], shown["constraint"]["path"]) == (
        "Ann Okafor",
        "5000",
        "arguments.amount",
    )
    assert ben.post(f"grants/{made['grant']}/revoke", {"reason": "Enough."})["state"] == "revoked"
    assert amir.post(f"grants/{made['grant']}/confirm", None).code == "grant_closed"
    assert [item["id"] for item in amir.get("grants?state=revoked")["items"]] == [made["grant"]]
    assert amir.get("grants")["items"] == []


def test_what_is_not_whole_or_too_wide_is_refused_by_its_place(shop: Shop) -> None:
    ann = tool(shop, "ann")
    for given, code, path in (
        ({"amount_most": "a lot"}, "bad_grant", "/amount_most"), ({"uses": 101}, "grant_too_wide", "/uses_most"),
        ({"target_pattern": "*"}, "bad_grant", "/target_pattern"), ({"uses": 0}, "invalid", "/uses"),
    ):  # fmt: skip
        refused = ann.post("grants/propose", sent(shop, **given))
        assert (refused.status, refused.code, refused["path"]) == (422, code, path)
    assert ann.post("grants/propose", sent(shop, operation="announce")).code == "no_grants_here"


def test_declined_by_a_tool(shop: Shop) -> None:
    made = tool(shop, "ann").post("grants/propose", sent(shop))["grant"]
    assert tool(shop, "amir").post(f"grants/{made}/decline", {"reason": "Too many."})["state"] == "declined"


def test_an_agent_sees_those_that_may_serve_it_and_changes_none(shop: Shop, rival: Shop) -> None:
    found = standing(shop)
    agent = Caller(key_for(shop))  # type: ignore[arg-type]
    assert [item["id"] for item in agent.get("grants")["items"]] == [str(found.pk)]
    assert agent.get(f"grants/{found.pk}")["uses_taken"] == 0
    assert agent.get("grants?state=proposed")["items"] == []
    for deed in ("propose", f"{found.pk}/confirm", f"{found.pk}/decline", f"{found.pk}/revoke"):
        assert agent.post(f"grants/{deed}", {"reason": "Mine."}).code == "wrong_kind_of_key"
    theirs = Caller(key_for(rival))  # type: ignore[arg-type]
    assert (theirs.get("grants")["items"], theirs.get(f"grants/{found.pk}").status) == ([], 404)


def test_a_tool_that_only_reads_changes_nothing(shop: Shop) -> None:
    found = standing(shop)
    reader = tool(shop, "amir", ["approvals:read"])
    assert reader.get(f"grants/{found.pk}")["state"] == "active"
    assert reader.post(f"grants/{found.pk}/revoke", {"reason": "No."}).code == "missing_scope"
