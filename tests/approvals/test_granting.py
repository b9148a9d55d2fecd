"""Standing approvals come to be by two people, are as narrow as the policy says, and end at once when somebody says so."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from approvals.deciding.refusals import NotEligible, SeparationOfDuties
from approvals.granting.confirming import GrantOver, confirm, decline
from approvals.granting.ending import revoke
from approvals.granting.holding import GrantClosed
from approvals.granting.people import NotToRevoke
from approvals.granting.proposing import propose
from approvals.granting.rules import GrantTooWide, NothingToStandInFor, NotVouching, TooManyAsked
from approvals.granting.terms import BadGrant
from approvals.models import Grant
from console.http.reasons import ReasonMissing
from console.http.refusals import NotFound, Refusal
from console.identity.step_up import StepUpNeeded
from tests import clock
from tests.cast import inside
from tests.grants import grant, let_stand_in, proposed, revoked, standing, terms
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import sweep


@pytest.fixture(autouse=True)
def grants(shop: Shop) -> None:
    """Let standing approvals stand in for what the policy asks."""
    let_stand_in(shop)


def refused(shop: Shop, refusal: type[Refusal], by: str = "ann", **given: Any) -> dict[str, Any]:
    """Try to propose it; nothing is kept. Gives the facts of the refusal."""
    with pytest.raises(refusal) as told_so:
        propose(shop.actor(by), terms(shop, **given), key="no")
    with inside():
        assert not Grant.objects.exists()
    return told_so.value.facts


# Proposing


def test_it_is_proposed_with_its_bounds_and_nothing_goes_by_it_yet(shop: Shop) -> None:
    found = proposed(shop)
    assert (found.state, found.owner_id, found.groups) == ("proposed", shop.members["ann"].pk, ["finance"])
    assert found.owner_as == ["finance", "role:approver"]
    assert shop.states(shop.accept(draft("rent", "250"))) == {"rent": "awaiting_approval"}


def test_the_same_proposal_twice_is_one(shop: Shop) -> None:
    told = [propose(shop.actor("ann"), same, key="once") for same in [terms(shop)] * 2]
    assert (told[0]["grant"], told[1].get("replayed")) == (told[1]["grant"], True)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"operation": " "}, "/operation"), ({"target_pattern": ""}, "/target_pattern"), ({"target_pattern": "*"}, "/target_pattern"),
        ({"target_pattern": "pay*ee:*"}, "/target_pattern"), ({"purpose": "  "}, "/purpose"), ({"uses_most": 0}, "/uses_most"),
        ({"lasts": timedelta(seconds=-1)}, "/ends_at"), ({"amount_path": ""}, "/amount_most"), ({"amount_most": None}, "/amount_most"),
        ({"amount_path": "target.amount"}, "/amount_path"), ({"amount_most": Decimal("0.0000001")}, "/amount_most"),
        ({"amount_most": Decimal(-1)}, "/amount_most"), ({"rate_most": 3}, "/rate_seconds"),
        ({"rate_most": 0, "rate_seconds": 60}, "/rate_most"),
        ({"constraint": {"path": "target", "op": "eq", "value": "x"}}, "/constraint"), ({"constraint": {"op": "eq"}}, "/constraint/path"),
        ({"constraint": {"all": [{"path": "arguments.a", "op": "gt", "value": 2}, {"path": "arguments.a", "op": "lt", "value": 1}]}},
         "/constraint"),
    ],
)  # fmt: skip
def test_terms_that_are_not_whole_are_refused_by_their_place(shop: Shop, given: dict[str, Any], path: str) -> None:
    assert refused(shop, BadGrant, **given)["path"] == path


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"uses_most": 101}, "/uses_most"), ({"lasts": timedelta(days=8)}, "/ends_at"), ({"amount_most": Decimal(50001)}, "/amount_most"),
        ({"amount_path": "", "amount_most": None}, "/amount_path"), ({"amount_path": "arguments.to"}, "/amount_path"),
    ],
)  # fmt: skip
def test_it_is_never_wider_than_the_policy_allows(shop: Shop, given: dict[str, Any], path: str) -> None:
    facts = refused(shop, GrantTooWide, **given)
    assert (facts["path"], facts["rule"], facts["uses"]) == (path, "middling", 100)


def test_it_is_refused_where_no_rule_lets_it_stand_in(shop: Shop) -> None:
    refused(shop, NothingToStandInFor, constraint={"path": "arguments.amount", "op": "lte", "value": "100"})
    refused(shop, NothingToStandInFor, constraint={"path": "arguments.amount", "op": "gt", "value": "1000"})
    refused(shop, NothingToStandInFor, operation="announce")


def test_what_it_would_not_stand_in_for_is_said(shop: Shop) -> None:
    assert propose(shop.actor("ann"), terms(shop, constraint=None), key="k")["asked_all_the_same"] == ["large"]


def test_two_words_are_too_few_where_three_are_asked(shop: Shop) -> None:
    shop.change("dora", roles=["approver", "admin"], groups=["finance"])
    shop.change("oscar", roles=["approver", "operator"], groups=["finance"])
    let_stand_in(shop, 3, middling_quorum=3)
    assert refused(shop, TooManyAsked)["asked"] == 3


@pytest.mark.parametrize(
    ("name", "refusal"), [("ben", SeparationOfDuties), ("dora", NotEligible), ("oscar", NotEligible)]
)
def test_only_an_approver_proposes_it_and_never_for_the_own_agent(
    shop: Shop, name: str, refusal: type[Refusal]
) -> None:
    refused(shop, refusal, by=name)
    refused(shop, refusal, by=name, agent_id=None)


def test_only_an_approver_of_the_asked_groups_proposes_it(shop: Shop) -> None:
    shop.change("oscar", roles=["approver"], groups=["support"])
    assert refused(shop, NotVouching, by="oscar")["groups"] == ["finance"]


def test_an_agent_proposes_nothing(shop: Shop) -> None:
    with pytest.raises(NotEligible):
        propose(shop.bot, terms(shop), key="no")


def test_an_agent_of_another_tenant_is_not_there(shop: Shop, rival: Shop) -> None:
    refused(shop, NotFound, agent_id=rival.agent.pk)


def test_a_fresh_proof_is_needed_where_the_rule_asks_one(shop: Shop) -> None:
    let_stand_in(shop, 3, more="step_up: {within_seconds: 300}, ")
    assert refused(shop, StepUpNeeded)["within_seconds"] == 300


# Confirming


def test_another_person_confirms_it_and_it_is_in_force(shop: Shop) -> None:
    found = standing(shop)
    assert (found.state, found.confirmed_by_id) == ("active", shop.members["amir"].pk)
    assert kinds(found.stream()) == ["grant.proposed", "grant.confirmed"]


@pytest.mark.parametrize(
    ("name", "refusal"), [("ann", SeparationOfDuties), ("ben", SeparationOfDuties), ("dora", NotEligible)]
)
def test_nobody_confirms_their_own_or_what_serves_their_agent(shop: Shop, name: str, refusal: type[Refusal]) -> None:
    found = proposed(shop)
    with pytest.raises(refusal):
        confirm(shop.actor(name), found.pk, key="no")
    assert grant(found.pk).state == "proposed"


def test_the_two_words_fill_what_the_rule_asks_or_it_is_refused(shop: Shop) -> None:
    """One of finance and one of support are asked: two of finance are not enough."""
    shop.change("oscar", roles=["approver"], groups=["support"])
    let_stand_in(shop, 3, panels="[{groups: [finance], quorum: 1}, {groups: [support], quorum: 1}]")
    found = proposed(shop)
    with pytest.raises(NotVouching):
        confirm(shop.actor("amir"), found.pk, key="no")
    confirm(shop.actor("oscar"), found.pk, key="yes")
    assert (grant(found.pk).state, grant(found.pk).confirmed_as) == ("active", ["role:approver", "support"])
    assert shop.states(shop.accept(draft("rent", "250"))) == {"rent": "ready"}


def test_the_policy_of_today_is_asked_when_it_is_confirmed(shop: Shop) -> None:
    found = proposed(shop, uses_most=50)
    let_stand_in(shop, 3, bounds="{uses: 10, within_seconds: 604800}")
    with pytest.raises(GrantTooWide):
        confirm(shop.actor("amir"), found.pk, key="no")


def test_it_is_confirmed_in_its_time(shop: Shop) -> None:
    found = proposed(shop)
    with clock.at(2 * 86400):
        with pytest.raises(GrantOver):
            confirm(shop.actor("amir"), found.pk, key="no")
        sweep()
    assert (grant(found.pk).state, grant(found.pk).ended_reason) == ("ended", "out of time")


# Declining and revoking


def test_declined_it_never_stands(shop: Shop) -> None:
    found = proposed(shop)
    with pytest.raises(SeparationOfDuties):
        decline(shop.actor("ann"), found.pk, reason="No.", key="no")
    decline(shop.actor("amir"), found.pk, reason="Too many.", key="decline")
    assert (grant(found.pk).state, grant(found.pk).ended_reason) == ("declined", "Too many.")
    with pytest.raises(GrantClosed) as told_so:
        confirm(shop.actor("amir"), found.pk, key="yes")
    assert told_so.value.facts["state"] == "declined"


@pytest.mark.parametrize("name", ["ann", "amir", "ben", "dora"])
def test_its_owner_approvers_and_administrators_revoke_it(shop: Shop, name: str) -> None:
    found = revoked(shop, standing(shop), by=name)
    assert (found.state, found.ended_by_id, found.ended_reason) == ("revoked", shop.members[name].pk, "Not any more.")


def test_nobody_else_revokes_it_and_it_needs_a_reason(shop: Shop, rival: Shop) -> None:
    found = standing(shop)
    stop: Callable[..., Any] = revoke
    with pytest.raises(NotToRevoke):
        stop(shop.actor("oscar"), found.pk, reason="No.", key="no")
    with pytest.raises(NotToRevoke):
        stop(shop.bot, found.pk, reason="No.", key="no")
    with pytest.raises(NotFound):
        stop(rival.actor("dora"), found.pk, reason="No.", key="no")
    with pytest.raises(NotFound):
        stop(shop.actor("dora"), uuid4(), reason="No.", key="no")
    with pytest.raises(ReasonMissing):
        stop(shop.actor("dora"), found.pk, reason=" ", key="no")
    assert grant(found.pk).state == "active"


def test_revoked_twice_it_is_told_that_it_has_ended(shop: Shop) -> None:
    found = revoked(shop, standing(shop))
    with pytest.raises(GrantClosed):
        revoke(shop.actor("ann"), found.pk, reason="Me too.", key="again")
