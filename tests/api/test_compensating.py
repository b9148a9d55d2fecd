"""Asking for compensation by REST, as an agent's author and people's tools do: once, however many ask (R-J1, R-J2, CMP-03)."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from compensation.models import WorkItem
from console.identity import administration
from tests.api.desk import Answer, Caller, key_for
from tests.api.test_compensation import agent, oscar, store, tool
from tests.cast import inside
from tests.compensation.undoing import WHY, begun, done, items_of, plans_of
from tests.races.at_once import at_once
from tests.shop import Shop, one_role, rival, shop

__all__ = ["agent", "one_role", "oscar", "rival", "shop", "store"]


def epoch(agent: Caller, run: UUID) -> int:
    """Read the token of whoever drives the run."""
    return int(agent.get(f"runs/{run}")["epoch"])


def ask(who: Caller, run: UUID, *effects: object, token: int | None = None, key: str = "", **body: Any) -> Answer:
    """Ask that these effects are made good for, or all of the run."""
    wish = {"reason": WHY, **({"effects": [str(each) for each in effects]} if effects else {}), **body}
    return who.post(f"runs/{run}/compensation", wish, key=key, token=token)


def test_the_driver_asks_for_one_effect_and_follows_what_comes_of_it(store: Shop, agent: Caller) -> None:
    run = done(store, "reserve", "charge")
    reserve = store.effect(run, "reserve").pk
    made = ask(agent, run, reserve, token=epoch(agent, run))
    assert made.status == 201
    assert made.headers["Location"] == f"/api/v1/compensation-plans/{made['plan']}"
    (item,) = made["items"]
    assert (item["effect"], item["operation"], made["compensation"]) == (str(reserve), "release", "open")
    assert agent.get(f"compensations/{item['item']}")["plan"] == made["plan"]
    told = agent.get(f"runs/{run}/compensation")
    assert (told["compensation"], told["unresolved"]) == ("open", [item["item"]])
    assert agent.get(f"runs/{run}")["compensation"] == "open"


def test_the_same_wish_again_gives_the_same_plan(store: Shop, agent: Caller) -> None:
    run = done(store, "reserve")
    token = epoch(agent, run)
    first, again = (ask(agent, run, token=token, key="once") for _ in range(2))
    assert (first.status, again.status, again["plan"], again["replayed"]) == (201, 200, first["plan"], True)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert ask(agent, run, token=token, key="once", reason="Another.").code == "key_reused"
    assert len(plans_of(run)) == 1


def test_one_effect_has_an_address_of_its_own(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve", "charge")
    charge = store.effect(run, "charge").pk
    made = oscar.post(f"effects/{charge}/compensate", {"reason": WHY})
    assert (made.status, [each["effect"] for each in made["items"]]) == (201, [str(charge)])
    again = oscar.post(f"effects/{charge}/compensate", {"reason": WHY})
    assert (again.status, again.code, again["item"]) == (409, "already_compensated", made["items"][0]["item"])


def test_a_preview_says_what_would_be_planned_and_writes_nothing(store: Shop, agent: Caller, oscar: Caller) -> None:
    run = done(store, "reserve", "charge", "notify")
    for reader in (agent, oscar):
        answer = reader.post(f"runs/{run}/compensation/preview", {"reason": WHY}, key=None)
        assert answer.status == 200
        assert [(each["operation"], each["need"]) for each in answer["items"]] == [
            ("release", "required"), ("refund", "required"), ("", "allowed"),
        ]  # fmt: skip
        reserve, charge, _ = answer["items"]
        assert charge["after"] == [reserve["effect"]]
        assert charge["arguments"] == {"amount": "20", "receipt": "r-charge", "why": WHY}
        assert reserve["residue"] == ["The hotel keeps its fee for booking."]
    assert (plans_of(run), items_of(run)) == ([], [])
    assert agent.get(f"runs/{run}")["compensation"] is None


def test_a_preview_says_why_nothing_would_be_planned(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve")
    made = ask(oscar, run)
    answer = oscar.post(f"runs/{run}/compensation/preview", {"reason": WHY}, key=None)
    assert answer["items"] == []
    (left,) = [each for each in answer["left"] if each["number"] == 1]
    assert (left["why"], left["item"]) == ("already_compensated", made["items"][0]["item"])


def test_cmp_03_two_people_and_an_agent_at_once_make_one_item_and_the_others_are_given_it(store: Shop) -> None:
    run = done(store, "reserve")
    effect = store.effect(run, "reserve").pk
    oscar, dora, agent = tool(store), tool(store, "dora"), Caller(key_for(store))  # type: ignore[arg-type]
    token = epoch(agent, run)
    answers = at_once(
        lambda: ask(oscar, run, effect),
        lambda: dora.post(f"effects/{effect}/compensate", {"reason": WHY}),
        lambda: ask(agent, run, effect, token=token),
    )
    (made,) = [each for each in answers if each.status == 201]
    others = [each for each in answers if each is not made]
    assert {(each.status, each.code) for each in others} == {(409, "already_compensated")}
    assert {each["item"] for each in others} == {made["items"][0]["item"]}
    with inside():
        assert WorkItem.objects.filter(effect=effect).count() == 1


def test_an_agent_needs_its_token_and_an_old_one_is_refused(store: Shop, agent: Caller) -> None:
    run = done(store, "reserve")
    assert ask(agent, run).code == "missing_token"
    assert ask(agent, run, token=epoch(agent, run) + 7).code == "stale_token"
    assert plans_of(run) == []


def test_if_match_holds_the_wish_to_what_was_seen(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve", "charge")
    seen = oscar.get(f"runs/{run}/compensation").headers["ETag"]
    body = {"reason": WHY, "effects": [str(store.effect(run, "reserve").pk)]}
    assert oscar.post(f"runs/{run}/compensation", body, If_Match=seen).status == 201
    stale = oscar.post(f"effects/{store.effect(run, 'charge').pk}/compensate", {"reason": WHY}, If_Match=seen)
    assert (stale.status, stale.code) == (412, "stale_version")


def test_what_cannot_be_made_good_for_is_refused_and_says_why(store: Shop, oscar: Caller) -> None:
    other = done(store, "reserve")
    run = begun(store, "reserve")
    refused = ask(oscar, run, store.effect(other, "reserve").pk)
    assert (refused.status, refused.code) == (422, "effects_not_named")
    assert ask(oscar, run, effects=[]).code == "effects_not_named"
    store.withdraw(run, "reserve")
    refused = ask(oscar, run)
    assert (refused.status, refused.code) == (409, "not_compensable")
    assert [each["why"] for each in refused["effects"]] == ["it did not happen"]
    assert ask(oscar, run, reason="  ").status == 422
    assert ask(oscar, run, whatever=1).code == "unknown_field"


def test_who_may_ask_is_what_the_contract_says(store: Shop, agent: Caller) -> None:
    run = done(store, "lend")
    refused = ask(agent, run, token=epoch(agent, run))
    assert (refused.status, refused.code, refused["who"]) == (403, "may_not_compensate", ["admin", "operator"])
    ann = tool(store, "ann")  # who approves, and operates nothing
    assert ask(ann, run).code == "may_not_compensate"
    made = ask(tool(store), run)
    assert (made.status, made["plan_state"]) == (201, "proposed")


def test_another_agent_may_read_it_and_not_ask(store: Shop) -> None:
    run = done(store, "reserve")
    second = administration.add_agent(store.office, "second-bot", store.members["ben"])
    colleague = Caller(key_for(store, second))  # type: ignore[arg-type]
    assert colleague.get(f"runs/{run}/compensation").status == 200
    assert ask(colleague, run, token=1).status == 404


def test_another_tenants_runs_and_effects_are_not_there(store: Shop, rival: Shop) -> None:
    run = done(store, "reserve")
    effect = store.effect(run, "reserve").pk
    for stranger, token in ((tool(rival), None), (Caller(key_for(rival)), 1)):  # type: ignore[arg-type]
        for path in ("runs/{0}/compensation", "runs/{0}/compensation/preview", "effects/{1}/compensate"):
            theirs = stranger.post(path.format(run, effect), {"reason": WHY}, token=token)
            absent = stranger.post(path.format(uuid4(), uuid4()), {"reason": WHY}, token=token)
            assert (theirs.status, theirs.raw) == (404, absent.raw), path
    assert plans_of(run) == []


def test_a_key_that_only_reads_asks_for_nothing(store: Shop) -> None:
    run = done(store, "reserve")
    reader = tool(store, "oscar", "compensation:read")
    refused = ask(reader, run)
    assert (refused.status, refused.code, refused["scope"]) == (403, "missing_scope", "compensation:decide")
    deaf = Caller(key_for(store, scopes=["runs:read"]))  # type: ignore[arg-type]
    assert ask(deaf, run, token=1)["scope"] == "runs:write"


@pytest.mark.parametrize("plan_first", [True, False])
def test_whoever_asks_may_want_the_plan_approved_first(store: Shop, oscar: Caller, plan_first: bool) -> None:
    run = done(store, "reserve")
    made = ask(oscar, run, plan_first=plan_first)
    assert made["plan_state"] == ("proposed" if plan_first else "in_force")


def test_the_driver_of_a_run_that_has_ended_asks_without_a_token(store: Shop, agent: Caller) -> None:
    run = done(store, "reserve")
    store.complete(run)
    made = ask(agent, run)
    assert (made.status, made["state"], made["compensation"]) == (201, "succeeded", "open")
