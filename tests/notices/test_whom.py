"""Whom a request is told to is who may decide it, and nobody besides: their own word, or in the place of who lent it (point 7)."""

from typing import Any

import pytest

from approvals import queries
from approvals.models import Request
from approvals.telling import whom
from console import clock as database
from console.database import transaction
from tests.approvals.lending import approve, escalate, lending, loan, now
from tests.delegating.handing import give
from tests.shop import Shop

BY_ADMINISTRATORS = "panels: [{groups: [finance], roles: [admin]}]"


@pytest.fixture
def lends(shop: Shop) -> Shop:
    """The shop, where finance is asked about loans."""
    lending(shop)
    return shop


def told(shop: Shop, request: Request, *groups: str) -> dict[str, str]:
    """Give whom a request is told to, each with why."""
    with transaction(shop.tenant.pk):
        audience = whom.asked(shop.tenant.pk, [request], groups or None)[request.pk]
    return {member.user.name: audience.why[member.pk] for member in audience.members}


def deciders(shop: Shop, request: Request) -> set[str]:
    """Give who may decide it, as the card says."""
    with transaction(shop.tenant.pk):
        found: Any = queries.one(shop.tenant.pk, request.pk)
        at = database.now()
        members = shop.members.values()
        return {member.user.name for member in members if not queries.why_not(_anew(member), found, at)}


def _anew(member: Any) -> Any:
    return type(member).objects.select_related("user").get(pk=member.pk)


def test_those_who_may_decide_are_told(lends: Shop) -> None:
    _, request = loan(lends)
    assert set(told(lends, request)) == deciders(lends, request) == {"Ann Okafor", "Amir Saleh"}


def test_whoever_decides_in_anothers_place_is_told_while_they_approve(lends: Shop) -> None:
    lends.change("dora", roles=["approver", "admin"], groups=["legal"])
    give(lends, "amir", "dora")
    _, request = loan(lends)
    assert told(lends, request)["Dora Lindqvist"] == "You were told because Amir Saleh handed their decisions to you."
    lends.change("dora", roles=["admin"], groups=[])
    assert set(told(lends, request)) == deciders(lends, request) == {"Ann Okafor", "Amir Saleh"}


def test_who_has_no_role_that_the_panel_wants_is_not_told(shop: Shop) -> None:
    shop.change("ann", roles=["approver", "admin"])
    lending(shop, BY_ADMINISTRATORS)
    shop.change("dora", roles=["approver"], groups=["legal"])
    give(shop, "amir", "dora")
    _, request = loan(shop)
    assert set(told(shop, request)) == deciders(shop, request) == {"Ann Okafor"}


def test_who_answers_for_the_agent_lets_nobody_be_told_in_their_place(lends: Shop) -> None:
    lends.change("dora", roles=["approver", "admin"], groups=["legal"])
    give(lends, "ben", "dora")
    give(lends, "amir", "ben")
    _, request = loan(lends)
    assert set(told(lends, request)) == deciders(lends, request) == {"Ann Okafor", "Amir Saleh"}


def test_what_is_lent_for_one_group_or_operation_is_told_for_that_alone(lends: Shop) -> None:
    lends.change("dora", roles=["approver", "admin"], groups=["support"])
    lends.change("amir", groups=["finance", "legal"])
    give(lends, "amir", "dora", groups=("legal",))
    give(lends, "ann", "dora", operations=("pay",))
    _, request = loan(lends)
    assert set(told(lends, request)) == deciders(lends, request) == {"Ann Okafor", "Amir Saleh"}


def test_those_who_are_asked_too_are_told_and_may_decide(shop: Shop) -> None:
    shop.change("dora", roles=["approver", "admin"], groups=["legal"])
    lending(shop, more=", escalate: {after_seconds: 900, to: [legal]}")
    _, request = loan(shop)
    assert "Dora Lindqvist" not in told(shop, request)
    escalate(shop, request)
    assert set(told(shop, now(request), "legal")) == {"Dora Lindqvist"}
    assert approve(shop, request, "dora")["receipt"] == "recorded"
