"""What is to be made good for, read by REST: the desk, an item from intent to residue, a plan, a run (R-J1, R-N3)."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from console.identity import own_keys
from tests.api.desk import Caller, key_for
from tests.compensation.desk import planned
from tests.compensation.undoing import done, with_undoing
from tests.shop import Shop, one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]
SCOPES = ["compensation:read", "compensation:decide"]


def tool(of: Shop, name: str = "oscar", *scopes: str) -> Caller:
    """Give a member's tool of compensation."""
    _, text = own_keys.issue(
        of.proven(name), f"tool-{uuid4()}", days=1, scopes=list(scopes) or SCOPES, key=f"key-{uuid4()}"
    )
    return Caller(text)


@pytest.fixture
def store(shop: Shop) -> Shop:
    """The shop, with what can be made good for."""
    return with_undoing(shop)


@pytest.fixture
def oscar(store: Shop) -> Caller:
    """An operator's tool."""
    return tool(store)


@pytest.fixture
def agent(store: Shop) -> Caller:
    """The shop's agent."""
    return Caller(key_for(store))  # type: ignore[arg-type]  # a shop is one too


def made_good_for(store: Shop, run: UUID, *keys: str, **item: Any) -> list[str]:
    """Have an item for each of these effects, and give the items' ids."""
    _, items = planned(store, run, *({"effect_id": store.effect(run, key).pk, **item} for key in keys))
    return [str(each.pk) for each in items]


def test_the_desk_shows_what_is_due_first_and_counts_what_each_filter_holds(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve", "charge")
    ids = made_good_for(store, run, "reserve", "charge", operation="refund")
    answer = oscar.get("compensations")
    assert [item["id"] for item in answer["items"]] == ids
    assert (answer["counts"]["open"], answer["counts"]["waiting"], answer["counts"]["needs_somebody"]) == (2, 2, 0)
    first = answer["items"][0]
    assert (first["state"], first["cause"], first["effect"]["operation"]) == ("planned", "asked", "reserve")
    assert first["says"] == "It is planned, and begins when its turn comes."
    asked = f"compensations?state=waiting&owner=nobody&operation=refund&need=required&run={run}"
    assert [item["id"] for item in oscar.get(asked)["items"]] == ids
    for other in ("state=over", "owner=mine", "operation=release", "need=allowed", "overdue=true", f"run={uuid4()}"):
        assert oscar.get(f"compensations?{other}")["items"] == [], other


@pytest.mark.parametrize("deadline", [True, False])
def test_pages_of_the_desk_follow_each_other(store: Shop, oscar: Caller, deadline: bool) -> None:
    run = done(store, "reserve", "reserve", "reserve", "reserve", "reserve")
    keys = ["reserve", *(f"reserve-{n}" for n in range(2, 6))]
    ids = made_good_for(store, run, *keys, **({} if deadline else {"deadline_at": None}))
    found, cursor = [], ""
    while True:
        page = oscar.get(f"compensations?limit=2{cursor}")
        found += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert found == ids
    assert oscar.get(f"compensations?limit=2&need=required{cursor}").code == "bad_cursor"
    assert oscar.get("compensations?state=whatever").code == "bad_parameter"


def test_an_item_is_told_from_the_original_intent_to_what_remains(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve", "charge")
    item, _ = made_good_for(store, run, "reserve", "charge", residue='["The hotel keeps its fee."]')
    answer = oscar.get(f"compensations/{item}")
    assert answer.headers["ETag"] == f'"{answer["version"]}"'
    assert (answer["original"]["key"], answer["original"]["result"]) == ("reserve", {"receipt": "r-reserve"})
    assert [attempt["outcome"] for attempt in answer["original"]["attempts"]] == ["succeeded"]
    assert (answer["residue"], answer["tried"], answer["endings"]) == (["The hotel keeps its fee."], [], [])
    assert (answer["of_plan"]["reason"], answer["of_plan"]["asked_by_name"]) == ("The guest is ill.", store.bot.name)
    assert answer["of_plan"]["id"] == answer["plan"]


def test_a_run_and_its_effects_say_where_they_stand(store: Shop, oscar: Caller, agent: Caller) -> None:
    run = done(store, "reserve", "charge")
    assert (agent.get(f"runs/{run}")["compensation"], agent.get(f"runs/{run}")["residue"]) == (None, [])
    ids = made_good_for(store, run, "reserve", "charge")
    for reader in (oscar, agent):
        told = reader.get(f"runs/{run}/compensation")
        assert (told["total"], told["over"], told["unresolved"]) == (2, 0, ids)
        assert [item["id"] for plan in told["plans"] for item in plan["items"]] == ids
        plan = reader.get(f"compensation-plans/{told['plans'][0]['id']}")
        assert ([item["id"] for item in plan["items"]], plan["state"]) == (ids, "in_force")
    effect = agent.get(f"effects/{store.effect(run, 'reserve').pk}")
    assert (effect["compensates"], effect["compensated_by"]) == (None, [])


def test_a_runs_items_come_page_by_page_within_their_plans_and_are_counted(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve", "charge")
    first = made_good_for(store, run, "reserve", "charge")
    _, by_hand = planned(store, run, {}, {"state": "waiting", "waits_for": "person"}, {})
    ids = [*first, *(str(each.pk) for each in by_hand)]
    found, cursor, plans = [], "", []
    while True:
        page = oscar.get(f"runs/{run}/compensation?limit=2{cursor}")
        assert (page["total"], page["over"], page["needs_somebody"], page["unresolved_total"]) == (5, 0, 1, 5)
        assert page["unresolved"] == ids
        plans.append([each["number"] for each in page["plans"]])
        found += [item["id"] for plan in page["plans"] for item in plan["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert found == ids
    assert plans == [[1], [2], [2]], "a plan that goes on stands on the next page too"
    other = done(store, "reserve")
    assert oscar.get(f"runs/{other}/compensation?limit=2{cursor}").code == "bad_cursor"
    assert oscar.get(f"runs/{run}/compensation?limit=201").code == "bad_parameter"
    assert oscar.get(f"runs/{other}/compensation")["plans"] == []


def test_an_agent_looks_at_an_item_and_waits_for_news_of_it_but_has_no_desk(store: Shop, agent: Caller) -> None:
    (item,) = made_good_for(store, done(store, "reserve"), "reserve")
    assert agent.get(f"compensations/{item}")["id"] == item
    assert agent.get(f"compensations/{item}?wait=1s&known=planned")["state"] == "planned"
    assert agent.get(f"compensations/{item}?wait=60s&known=running")["state"] == "planned"
    assert agent.get("compensations").code == "wrong_kind_of_key"


def test_a_key_reads_with_the_scope_of_compensation_only(store: Shop, oscar: Caller) -> None:
    (item,) = made_good_for(store, done(store, "reserve"), "reserve")
    other = tool(store, "oscar", "recovery:read", "approvals:read")
    for path in ("compensations", f"compensations/{item}"):
        refused = other.get(path)
        assert (refused.status, refused.code, refused["scope"]) == (403, "missing_scope", "compensation:read")
    assert oscar.get("unknown").code == "missing_scope"


def test_what_is_another_tenants_is_answered_like_what_is_absent(store: Shop, rival: Shop) -> None:
    run = done(store, "reserve")
    plan, (item,) = planned(store, run)
    strangers = tool(rival), Caller(key_for(rival))  # type: ignore[arg-type]
    for path, absent in (
        (f"compensations/{item.pk}", f"compensations/{uuid4()}"),
        (f"compensation-plans/{plan.pk}", f"compensation-plans/{uuid4()}"),
        (f"runs/{run}/compensation", f"runs/{uuid4()}/compensation"),
    ):
        for stranger in strangers:
            theirs = stranger.get(path)
            assert (theirs.status, theirs.raw) == (404, stranger.get(absent).raw), path
    assert strangers[0].get("compensations")["items"] == []
    assert strangers[0].get(f"compensation-files/{uuid4()}").status == 404
