"""Agents are added, stopped and started again; a stopped one begins nothing more, and its keys let nobody in."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from rest_framework.exceptions import AuthenticationFailed

from approvals import closing
from console.http.models import IdempotencyRecord
from console.http.refusals import KeyReused, NotFound, Refusal
from console.identity import agents
from console.identity.api_keys import BadTerms, NotItsScope
from console.identity.authentication import bearer
from console.identity.models import Agent, ApiKey
from console.identity.office import NotAdministrator, NotAnswerable
from runs import sweep
from tests import clock
from tests.cast import inside
from tests.record import kinds, told
from tests.shop import Shop, draft
from tests.work import claim, follow


def office(shop: Shop) -> str:
    """Give the stream of a tenant's administration."""
    return f"tenant:{shop.tenant.pk}"


def stop(shop: Shop, by: str = "dora", reason: str = "It pays twice.") -> dict[str, Any]:
    """Have somebody stop the shop's agent."""
    return agents.stop_agent(shop.actor(by), shop.agent.pk, reason=reason, key=f"key-{uuid4()}")


def start(shop: Shop, by: str = "dora") -> dict[str, Any]:
    """Have somebody start it again."""
    return agents.start_agent(shop.actor(by), shop.agent.pk, reason="", key=f"key-{uuid4()}")


def issue(shop: Shop, by: str = "dora", **more: Any) -> tuple[dict[str, Any], str]:
    """Have somebody issue a key."""
    terms = {"days": 30, "scopes": ["runs:write", "runs:read"], "key": f"key-{uuid4()}", **more}
    return agents.issue(shop.actor(by), shop.agent.pk, **terms)


def test_an_agent_is_added_with_its_owner(shop: Shop) -> None:
    receipt = agents.register_agent(shop.actor("dora"), "second-bot", owner_id=shop.members["ann"].pk, key="k")
    with inside():
        agent = Agent.objects.get(pk=receipt["agent"])
    assert (agent.name, agent.owner_id, agent.active) == ("second-bot", shop.members["ann"].pk, True)
    assert kinds(office(shop))[-1] == "agent.added"


@pytest.mark.parametrize("name", ["", "Second", "2nd", "a" * 64, "two words", "bot\n"])
def test_an_agents_name_is_one_that_can_be_written_anywhere(shop: Shop, name: str) -> None:
    with pytest.raises(agents.BadAgent):
        agents.register_agent(shop.actor("dora"), name, owner_id=shop.members["ann"].pk, key="k")


def test_an_agent_needs_a_name_of_its_own_and_an_owner_who_is_there(shop: Shop, rival: Shop) -> None:
    dora = shop.actor("dora")
    with pytest.raises(agents.NameTaken):
        agents.register_agent(dora, shop.agent.name, owner_id=shop.members["ann"].pk, key="k1")
    shop.change("amir", active=False)
    for stranger in (rival.members["ann"].pk, shop.members["amir"].pk, uuid4()):
        with pytest.raises(agents.NoOwner):
            agents.register_agent(dora, "second-bot", owner_id=stranger, key=f"k-{stranger}")


def test_a_stopped_agent_begins_nothing_and_goes_on_when_it_is_started_again(shop: Shop) -> None:
    run = shop.accept(draft("rent", "250"), draft("gas"))
    shop.approve(shop.request(run, "rent"))
    follow()
    stop(shop)
    assert claim() == []
    assert shop.states(run) == {"rent": "ready", "gas": "ready"}
    start(shop)
    with clock.at(6):
        assert len(claim()) == 2


def test_what_a_stopped_agent_was_allowed_lapses_in_its_time(shop: Shop) -> None:
    run = shop.accept(draft("rent", "250"))
    shop.approve(shop.request(run, "rent"))
    follow()
    stop(shop)
    with clock.at(901):
        with inside():
            closing.lapse_due(sweep.CLOCK, 10)
        follow()
        start(shop)
    with clock.at(910):
        assert claim() == []
    assert shop.states(run) == {"rent": "lapsed"}


def test_a_stop_and_its_reason_are_told(shop: Shop) -> None:
    stop(shop)
    start(shop)
    agent = str(shop.agent.pk)
    assert told(office(shop))[-2:] == [
        ("agent.stopped", {"id": agent, "active": False, "reason": "It pays twice."}),
        ("agent.started", {"id": agent, "active": True, "reason": ""}),
    ]


def test_a_stop_is_easier_than_a_start(shop: Shop) -> None:
    for name in ("oscar", "ben", "dora"):  # an operator, the owner, an administrator
        assert stop(shop, by=name)["receipt"] == "stopped"
        if name != "dora":
            with pytest.raises(NotAdministrator):
                start(shop, by=name)
        start(shop)
    with pytest.raises(NotAnswerable):
        stop(shop, by="ann")


def test_an_owner_who_was_stopped_stops_nothing(shop: Shop) -> None:
    ben = shop.actor("ben")
    shop.change("ben", active=False)
    with pytest.raises(NotAnswerable):
        agents.stop_agent(ben, shop.agent.pk, reason="", key="k")


def test_a_stop_that_is_sent_twice_is_one_stop(shop: Shop) -> None:
    dora = shop.actor("dora")
    first = agents.stop_agent(dora, shop.agent.pk, reason="Why.", key="the-form")
    again = agents.stop_agent(dora, shop.agent.pk, reason="Why.", key="the-form")
    assert again == {**first, "replayed": True}
    assert stop(shop)["receipt"] == "unchanged"
    assert kinds(office(shop)).count("agent.stopped") == 1
    with pytest.raises(agents.ReasonTooLong):
        stop(shop, reason="x" * 2001)


def test_another_tenants_agent_is_not_here(shop: Shop, rival: Shop) -> None:
    dora = rival.actor("dora")
    for act in (
        lambda: agents.stop_agent(dora, shop.agent.pk, reason="", key="k1"),
        lambda: agents.start_agent(dora, shop.agent.pk, reason="", key="k2"),
        lambda: agents.issue(dora, shop.agent.pk, days=1, scopes=["runs:read"], key="k3"),
        lambda: agents.revoke(dora, shop.agent.pk, uuid4(), key="k4"),
    ):
        with pytest.raises(NotFound):
            act()


# Keys


def test_a_key_opens_the_door_until_it_is_revoked(shop: Shop) -> None:
    receipt, text = issue(shop)
    by, key = bearer(f"Bearer {text}")
    assert by.id == shop.agent.pk
    assert by.scopes == {"runs:read", "runs:write"}
    assert key.expires_at - key.created_at == timedelta(days=30)
    revoked = agents.revoke(shop.actor("oscar"), shop.agent.pk, key.pk, key="k")
    assert (revoked["receipt"], revoked["api_key"]) == ("revoked", receipt["api_key"])
    with pytest.raises(AuthenticationFailed, match="revoked"):
        bearer(f"Bearer {text}")
    assert agents.revoke(shop.actor("ben"), shop.agent.pk, key.pk, key="k")["receipt"] == "unchanged"


def test_the_keys_of_a_stopped_agent_let_nobody_in(shop: Shop) -> None:
    _, text = issue(shop)
    stop(shop)
    with pytest.raises(AuthenticationFailed, match="active"):
        bearer(f"Bearer {text}")
    with pytest.raises(agents.AgentStopped):
        issue(shop)
    start(shop)
    assert bearer(f"Bearer {text}")[0].id == shop.agent.pk


def test_the_text_of_a_key_is_given_once_and_kept_nowhere(shop: Shop) -> None:
    receipt, text = issue(shop, key="the-form")
    again, nothing = issue(shop, key="the-form")
    assert (again["api_key"], again["replayed"], nothing) == (receipt["api_key"], True, "")
    with inside():
        kept = [*IdempotencyRecord.objects.values_list("body", flat=True), *map(str, ApiKey.objects.values())]
    assert text
    assert all(text not in each for each in [*kept, str(told(office(shop)))])
    with pytest.raises(KeyReused):
        issue(shop, key="the-form", days=31)


@pytest.mark.parametrize("terms", [{"days": 0}, {"days": 367}, {"scopes": []}, {"scopes": ["runs:read", "all"]}])
def test_a_key_has_an_end_and_a_scope(shop: Shop, terms: dict[str, Any]) -> None:
    with pytest.raises(BadTerms):
        issue(shop, **terms)


@pytest.mark.parametrize("scope", ["recovery:read", "recovery:write"])
def test_an_agents_key_has_no_scope_of_a_members(shop: Shop, scope: str) -> None:
    with pytest.raises(NotItsScope, match=f"The scope {scope} is not for the key of an agent"):
        issue(shop, scopes=["runs:read", scope])


def test_a_key_is_revoked_only_by_the_name_of_its_own_agent(shop: Shop) -> None:
    """Else who may stop one agent's keys could be taken from the address of another."""
    dora = shop.actor("dora")
    other = agents.register_agent(dora, "second-bot", owner_id=shop.members["ann"].pk, key="k1")
    receipt, text = issue(shop)
    with pytest.raises(NotFound):
        agents.revoke(dora, UUID(other["agent"]), UUID(receipt["api_key"]), key="k2")
    assert bearer(f"Bearer {text}")[0].id == shop.agent.pk


def test_only_an_administrator_issues_keys(shop: Shop) -> None:
    for name in ("ann", "oscar", "ben"):
        with pytest.raises(NotAdministrator):
            issue(shop, by=name)
    _, text = issue(shop)
    key = bearer(f"Bearer {text}")[1]
    with pytest.raises(NotAnswerable) as refused:
        agents.revoke(shop.actor("ann"), shop.agent.pk, key.pk, key="k")
    assert isinstance(refused.value, Refusal)
