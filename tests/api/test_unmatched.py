"""Signed messages that name no effect, by REST, for operators' tools (R-F6, SEC-11): what came, without what it says, and one with it."""

from uuid import uuid4

import pytest

from tests.api.desk import Caller
from tests.api.test_unknowns import caller, one_role, rival, shop
from tests.hearing import SECRET, VARIABLE, heard, message, tell, told_of
from tests.shop import Shop, draft
from tests.work import claimed, settle

__all__ = ["one_role", "rival", "shop"]
READ = ["recovery:read"]


@pytest.fixture
def hears(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The shop, with an operation of which the bank tells by itself."""
    monkeypatch.setenv(VARIABLE, SECRET)
    shop.apply(told_of("send"))
    return shop


@pytest.fixture
def oscar(hears: Shop) -> Caller:
    """An operator's tool that only reads."""
    return caller(hears, scopes=READ)


def test_what_came_and_names_nothing_is_listed_and_one_is_looked_at_with_what_it_says(
    hears: Shop, oscar: Caller
) -> None:
    body = message(uuid4())
    tell(body, ident="msg_1")
    (item,) = oscar.get("callbacks")["items"]
    assert (item["operation"], item["message_id"], item["state"]) == ("send", "msg_1", "unmatched")
    assert (item["note"], item["secrets"]) == ("It names no effect of this operation.", ["bank-callback"])
    assert (item["length"], "body" in item) == (len(body), False)
    whole = oscar.get(f"callbacks/{item['id']}")
    assert (whole.status, whole["body"], whole["length"]) == (200, body.decode(), len(body))


def test_the_list_is_walked_from_the_newest_on(hears: Shop, oscar: Caller) -> None:
    for number in range(3):
        tell(message(uuid4()), ident=f"msg_{number}")
    first = oscar.get("callbacks?limit=2")
    rest = oscar.get(f"callbacks?limit=2&cursor={first['next_cursor']}")
    assert [item["message_id"] for item in [*first["items"], *rest["items"]]] == ["msg_2", "msg_1", "msg_0"]
    assert rest["next_cursor"] is None
    assert oscar.get("callbacks?state=late").code == "unknown_parameter"


def test_what_names_an_effect_stands_with_that_effect_and_not_here(hears: Shop, oscar: Caller) -> None:
    run = hears.accept(draft("rent", operation="send"))
    settle(claimed(), "accepted", to="accepted", delay=5, http=202, reference="op_1")
    tell(message(hears.effect(run, "rent").pk))
    assert oscar.get("callbacks")["items"] == []
    assert oscar.get(f"callbacks/{heard()[0].pk}").status == 404


def test_another_tenants_tool_finds_nothing(hears: Shop, rival: Shop) -> None:
    tell(message(uuid4()))
    theirs = caller(rival, scopes=READ)
    assert theirs.get("callbacks")["items"] == []
    assert theirs.get(f"callbacks/{heard()[0].pk}").status == 404
