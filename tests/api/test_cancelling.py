"""Cancelling by REST: the driver's wish with its token, what it waits for, and the way back by an operator's tool (R-I3, R-I4)."""

from datetime import timedelta
from uuid import uuid4

import pytest

from console.identity import administration, own_keys
from tests.api.desk import Caller
from tests.cancels import cancel, started
from tests.shop import Shop, draft, one_role, rival, shop
from tests.work import claimed, settle, sweep

__all__ = ["one_role", "rival", "shop"]
WHY = {"reason": "Nobody wants it any more."}


@pytest.fixture
def bot(shop: Shop) -> Caller:
    """The agent's own key."""
    _, text = administration.issue_key(
        shop.office, shop.agent, lasts=timedelta(days=1), scopes=["runs:read", "runs:write"]
    )
    return Caller(text)


@pytest.fixture
def oscar(shop: Shop) -> Caller:
    """An operator's tool."""
    scopes = ["recovery:read", "recovery:write"]
    _, text = own_keys.issue(shop.proven("oscar"), f"tool-{uuid4()}", days=1, scopes=scopes, key=f"key-{uuid4()}")
    return Caller(text)


def test_a_driver_cancels_its_run_and_sees_what_it_waits_for(shop: Shop, bot: Caller) -> None:
    run = shop.accept(draft("a"), draft("dear", "250"))
    row = claimed()
    answer = bot.post(f"runs/{run}/cancel", WHY, token=1)
    assert (answer.status, answer["state"], answer["cancellation_state"]) == (200, "closing", "resolving")
    found = bot.get(f"runs/{run}/cancellations")["items"][0]
    assert [(each["kind"], each["number"], each["state"]) for each in found["waits_for"]] == [
        ("effect", 1, "dispatched")
    ]
    settle(row, "succeeded")
    found = bot.get(f"runs/{run}/cancellations")["items"][0]
    assert (found["state"], found["waits_for"], found["evidence"]["in_flight"]) == ("proven", [], 0)
    assert [(each["kind"], each["says"], each["effect_number"]) for each in found["came_after"]] == [
        ("answer", "succeeded", 1)
    ]
    assert bot.get(f"runs/{run}")["state"] == "cancelled"


def test_an_effect_is_cancelled_alone(shop: Shop, bot: Caller) -> None:
    run = shop.accept(draft("dear", "250"))
    effect = shop.effect(run, "dear")
    answer = bot.post(f"effects/{effect.pk}/cancel", WHY, token=1)
    assert (answer.status, answer["effect_state"], answer["state"]) == (200, "withdrawn", "running")
    assert bot.post(f"effects/{effect.pk}/cancel", WHY, token=1).code == "already_over"


@pytest.mark.parametrize(
    ("token", "body", "status"),
    [(None, WHY, 400), (7, WHY, 409), (1, {}, 422), (1, {"reason": " "}, 422), (1, WHY | {"scope": "world"}, 422)],
)
def test_what_is_asked_otherwise_is_refused(
    shop: Shop, bot: Caller, token: int | None, body: dict[str, str], status: int
) -> None:
    run = shop.accept(draft("dear", "250"))
    assert bot.post(f"runs/{run}/cancel", body, token=token).status == status
    assert shop.state(run) == "running"


def test_another_company_s_agent_finds_nothing(shop: Shop, rival: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    _, text = administration.issue_key(
        rival.office, rival.agent, lasts=timedelta(days=1), scopes=["runs:read", "runs:write"]
    )
    stranger = Caller(text)
    assert stranger.post(f"runs/{run}/cancel", WHY, token=1).status == 404
    assert stranger.get(f"runs/{run}/cancellations").status == 404


def test_an_operator_opens_it_again_and_nobody_else_does(shop: Shop, bot: Caller, oscar: Caller) -> None:
    run = shop.accept(draft("dear", "250"))
    bot.post(f"runs/{run}/cancel", WHY, token=1)
    assert bot.post(f"runs/{run}/reopen", {"reason": "Again."}).code == "wrong_kind_of_key"
    answer = oscar.post(f"runs/{run}/reopen", {"reason": "It is wanted after all."})
    assert (answer.status, answer["state"]) == (200, "running")
    assert answer["epoch"] > 1
    assert oscar.post(f"runs/{run}/reopen", {"reason": "Again."}).code == "not_to_reopen"


def test_what_came_late_is_seen_to(shop: Shop, bot: Caller, oscar: Caller) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    bot.post(f"runs/{run}/cancel", WHY, token=1)
    settle(row, "succeeded")
    assert shop.run(run).attention == "late"
    assert oscar.post(f"runs/{run}/see-to", {"reason": "Booked back."}).status == 200
    assert shop.run(run).attention == ""
    assert oscar.post(f"runs/{run}/see-to", {"reason": "Booked back."}).code == "nothing_left"


def test_an_operators_tool_lists_what_is_not_proven_yet_the_oldest_first(
    shop: Shop, oscar: Caller, bot: Caller
) -> None:
    parent = shop.accept(goal="The whole order")
    child = started(shop, parent, draft("a"))
    row = claimed()
    cancel(shop, parent)
    proven = shop.accept()
    cancel(shop, proven)
    first = oscar.get("cancellations?limit=1")
    assert [(each["run"], each["goal"], each["waits_for"]["children"]) for each in first["items"]] == [
        (str(parent), "The whole order", 1)
    ]
    second = oscar.get(f"cancellations?limit=1&cursor={first['next_cursor']}")
    [found] = second["items"]
    assert (found["run"], found["of"], found["state"], second["next_cursor"]) == (
        str(child), first["items"][0]["id"], "resolving", None,
    )  # fmt: skip
    assert found["waits_for"] == {"in_flight": 1, "unknown": 0, "cleanup": 0, "children": 0, "compensation": False}
    settle(row, "rejected")
    sweep()
    assert oscar.get("cancellations")["items"] == []
    assert bot.get("cancellations").code == "wrong_kind_of_key"


def test_what_another_tenant_cancels_is_not_listed(shop: Shop, rival: Shop, oscar: Caller) -> None:
    run = rival.accept(draft("a"))
    claimed()
    cancel(rival, run)
    assert rival.state(run) == "closing"
    assert oscar.get("cancellations")["items"] == []
