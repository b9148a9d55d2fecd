"""Pauses by REST: members' tools read, pause and lift by the same rules as on pages; an agent learns what stops its run (R-N4)."""

import pytest

from tests.api.desk import Caller, key_for
from tests.api.test_unknowns import caller
from tests.halting import EMERGENCY, of_run, pause
from tests.shop import Shop, draft, one_role, rival, shop
from tests.work import claim

__all__ = ["one_role", "rival", "shop"]
PAY = {"scope": "operation", "name": "pay", "reason": "The bank counts twice."}


@pytest.fixture
def oscar(shop: Shop) -> Caller:
    """An operator's tool."""
    return caller(shop)


def test_an_operators_tool_pauses_lists_and_lifts(shop: Shop, oscar: Caller) -> None:
    shop.accept(draft("a"))
    made = oscar.post("pauses", PAY)
    assert (made.status, made["receipt"]) == (200, "paused")
    assert claim() == []
    stands = oscar.get("pauses?standing=true")["items"]
    assert [(item["id"], item["name"], item["paused_by"]["name"]) for item in stands] == [
        (made["pause"], "pay", "Oscar Wren")
    ]
    assert oscar.post(f"pauses/{made['pause']}/lift", {"reason": "Right again."})["receipt"] == "lifted"
    assert oscar.get("pauses?standing=true")["items"] == []
    assert oscar.get(f"pauses/{made['pause']}")["lift_reason"] == "Right again."


def test_everybody_with_a_reading_key_sees_and_only_roles_change(shop: Shop, oscar: Caller) -> None:
    standing = oscar.post("pauses", PAY)["pause"]
    ann = caller(shop, "ann")
    assert [item["id"] for item in ann.get("pauses")["items"]] == [standing]
    assert ann.post("pauses", {**PAY, "name": "look"}).code == "not_to_pause"
    assert ann.post(f"pauses/{standing}/lift", {"reason": "No."}).code == "not_to_pause"
    assert oscar.post("pauses", {"scope": "tenant", "reason": "All of it."}).code == "not_to_pause"
    reader = caller(shop, "oscar", ["recovery:read"])
    assert reader.post("pauses", PAY).code == "missing_scope"


def test_what_cannot_be_paused_is_refused_by_name(shop: Shop, oscar: Caller) -> None:
    assert oscar.post("pauses", {**PAY, "name": ""}).code == "bad_pause"
    assert oscar.post("pauses", {**PAY, "name": "fly"}).status == 404
    first = oscar.post("pauses", PAY)
    assert oscar.post("pauses", PAY).code == "already_paused"
    oscar.post(f"pauses/{first['pause']}/lift", {"reason": "Right again."})
    assert oscar.post(f"pauses/{first['pause']}/lift", {"reason": "Right again."}).code == "already_lifted"


def test_a_strangers_tool_finds_nothing(shop: Shop, rival: Shop, oscar: Caller) -> None:
    standing = oscar.post("pauses", PAY)["pause"]
    theirs = caller(rival)
    assert theirs.get("pauses")["items"] == []
    assert theirs.get(f"pauses/{standing}").status == 404
    assert theirs.post(f"pauses/{standing}/lift", {"reason": "No."}).status == 404


def test_the_list_goes_on_page_by_page(shop: Shop, oscar: Caller) -> None:
    made = [oscar.post("pauses", {**PAY, "name": name})["pause"] for name in ("pay", "look")]
    first = oscar.get("pauses?limit=1")
    second = oscar.get(f"pauses?limit=1&cursor={first['next_cursor']}")
    assert [item["id"] for page in (first, second) for item in page["items"]] == made[::-1]


def test_an_agent_learns_what_stops_its_run(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    agent = Caller(key_for(shop))  # type: ignore[arg-type]
    assert agent.get(f"runs/{run}/pauses")["items"] == []
    pause(shop, of_run(run), reason="The customer calls back.")
    pause(shop, EMERGENCY)
    items = agent.get(f"runs/{run}/pauses")["items"]
    assert [(item["scope"], item["emergency"]) for item in items] == [("tenant", True), ("run", False)]
    assert agent.post("pauses", PAY).code == "wrong_kind_of_key"
