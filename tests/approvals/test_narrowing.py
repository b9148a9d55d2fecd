"""Approving for less: proven to be narrower, intersected, and released for what fits it, once."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.deciding import narrowing
from approvals.deciding.refusals import CannotBeSatisfied, NotNarrower
from approvals.models import Request
from approvals.policy_asks import Narrowable
from console.exact import Object, canonical, decode
from console.exact.conditions import document
from console.http.refusals import Refusal
from tests import clock
from tests.approvals.lending import NARROW, ONE, TWO, approve, lending, loan, narrow, now, revoke, withdraw_vote
from tests.record import findings, kinds
from tests.shop import Shop, draft, operation
from tests.work import claim, claimed, follow, settle, sweep

LESS = [Narrowable("arguments.amount", "less")]
ASKED: Object = {"to": "bob", "amount": "250", "times": 3}
BOTH = [*LESS, Narrowable("arguments.times", "more")]


def at_most(amount: str) -> Any:
    """Say that the amount is at most so much."""
    return {"path": "arguments.amount", "op": "lte", "value": amount}


@pytest.mark.parametrize(
    ("constraints", "refusal"),
    [
        (at_most("250"), NotNarrower),
        (at_most("300"), NotNarrower),
        ({"path": "arguments.to", "op": "eq", "value": "bob"}, NotNarrower),
        ({"path": "arguments.amount", "op": "gte", "value": "1.00"}, NotNarrower),
        ({"all": [at_most("100"), {"path": "arguments.amount", "op": "gt", "value": "1"}]}, NotNarrower),
        ({"not": at_most("1")}, NotNarrower),
        ({"path": "arguments.amount", "op": "eq", "value": "100"}, None),
        ({"path": "arguments.amount", "op": "eq", "value": "251"}, CannotBeSatisfied),
        ({"any": [at_most("100"), {"path": "arguments.to", "op": "eq", "value": "eve"}]}, NotNarrower),
        ({"not": {"path": "arguments.amount", "op": "gt", "value": "100"}}, None),
        ({"path": "target", "op": "eq", "value": "payee:eve"}, NotNarrower),
        ({"amount": "100"}, NotNarrower),
        ("amount <= 100", NotNarrower),
        (at_most("249.99"), None),
    ],
)
def test_a_narrowing_is_one_or_is_refused_by_name(constraints: Any, refusal: type[Refusal] | None) -> None:
    if refusal is None:
        assert narrowing.read(constraints, LESS, ASKED)
        return
    with pytest.raises(refusal) as told:
        narrowing.read(constraints, LESS, ASKED)
    assert type(told.value) is refusal


def test_a_policy_that_names_nothing_lets_nothing_be_tightened() -> None:
    with pytest.raises(NotNarrower):
        narrowing.read(at_most("100"), [], ASKED)


amounts = st.decimals(min_value=Decimal(-10), max_value=Decimal(400), places=2).map(str)
checks = st.builds(
    lambda path, op, value: {"path": path, "op": op, "value": value},
    st.sampled_from(["arguments.amount", "arguments.times"]), st.sampled_from(["lt", "lte", "gt", "gte", "eq"]), amounts,
)  # fmt: skip
conditions = st.recursive(
    checks,
    lambda inner: st.one_of(
        st.builds(lambda parts: {"all": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: {"any": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda part: {"not": part}, inner),
    ),
    max_leaves=4,
)


@given(st.lists(conditions, min_size=1, max_size=5), st.lists(st.tuples(amounts, amounts), min_size=1, max_size=12))
def test_no_sequence_of_narrowings_widens(sent: list[Any], offers: list[tuple[str, str]]) -> None:
    kept: list[str] = []
    offered = [{"to": "bob", "amount": amount, "times": times} for amount, times in offers]
    fitting = [each for each in offered if narrowing.fits("", BOTH, ASKED, each)]
    for constraints in sent:
        try:
            read = narrowing.read(constraints, BOTH, ASKED, [narrowing.condition(text) for text in kept])
        except (NotNarrower, CannotBeSatisfied):
            continue
        kept.append(canonical(document(read)))
        left = narrowing.intersection(kept)
        fits = [each for each in offered if narrowing.fits(left, BOTH, ASKED, each)]
        assert all(each in fitting for each in fits)
        assert all(Decimal(each["amount"]) <= 250 and Decimal(each["times"]) >= 3 for each in fits)
        fitting = fits


@pytest.mark.parametrize(
    ("offered", "fits"),
    [
        ({"to": "bob", "amount": "100", "times": 3}, True),
        ({"to": "eve", "amount": "100", "times": 3}, False),
        ({"to": "bob", "amount": "100", "times": 4}, False),
        ({"to": "bob", "amount": "100.01", "times": 3}, False),
        ({"to": "bob", "amount": "100", "times": 3, "also": 1}, False),
        ({"to": "bob", "times": 3}, False),
        ({"to": "bob", "amount": {"lte": "100"}, "times": 3}, False),
    ],
)
def test_what_fits_differs_in_nothing_but_what_may_be_tightened(offered: Object, fits: bool) -> None:
    assert narrowing.fits(canonical(at_most("100")), LESS, ASKED, offered) is fits


@pytest.fixture
def asked(shop: Shop) -> tuple[UUID, Request]:
    """A run that asks for a loan of 250, of which the amount may be tightened by the one who approves."""
    lending(shop, ONE, NARROW)
    return loan(shop)


def instead(shop: Shop, run: UUID, amount: str, *, to: str = "bob", key: str = "less") -> str:
    """Propose another loan in the place of the first, and give its state once the news has come."""
    shop.propose(run, draft(key, amount, "lend", to=to, supersedes=shop.effect(run, "loan").pk))
    follow()
    return shop.states(run)[key]


def test_what_is_within_the_narrowing_is_approved_as_ever(shop: Shop, asked: tuple[UUID, Request]) -> None:
    run, request = asked
    with pytest.raises(NotNarrower):
        narrow(shop, request, value="300")
    approve(shop, request)
    follow()
    assert shop.states(run) == {"loan": "ready"}


def test_what_was_approved_for_less_ends_denied_and_what_fits_is_released_once(
    shop: Shop, asked: tuple[UUID, Request]
) -> None:
    run, request = asked
    receipt = narrow(shop, request, value="100")
    assert (receipt["receipt"], receipt["state"], receipt["to_fit"]) == ("recorded", "approved", True)
    assert receipt["narrowing"]["sentence"] == "the amount is at most 100"
    follow()
    assert shop.states(run) == {"loan": "denied"}
    assert shop.effect(run, "loan").state_reason == "it was approved for less than was asked"
    assert claim() == []
    assert instead(shop, run, "100") == "ready"
    fitted = now(request)
    assert (fitted.state, fitted.to_fit, fitted.subject) == ("approved", False, shop.effect(run, "less").pk)
    assert decode(fitted.arguments)["amount"] == "100"  # type: ignore[call-overload, index]
    assert kinds(request.stream()) == ["request.opened", "request.decided", "request.approved", "request.fitted"]
    settle(claimed())
    assert shop.states(run) == {"loan": "denied", "less": "succeeded"}
    assert now(request).state == "consumed"


@pytest.mark.parametrize(("amount", "to"), [("100.01", "bob"), ("100", "eve")])
def test_what_does_not_fit_is_asked_anew(shop: Shop, asked: tuple[UUID, Request], amount: str, to: str) -> None:
    run, request = asked
    narrow(shop, request, value="100")
    follow()
    assert instead(shop, run, amount, to=to) == "awaiting_approval"
    assert shop.request(run, "less").pk != request.pk
    assert now(request).to_fit


def test_what_another_version_of_the_contract_would_do_is_asked_anew(shop: Shop, asked: tuple[UUID, Request]) -> None:
    """What people approved is what the contract of then does with the arguments (R-N1)."""
    run, request = asked
    narrow(shop, request, value="100")
    follow()
    applied = shop.apply(operation("lend").replace("version: 1", "version: 2").replace("tier: normal", "tier: high"))
    assert [each.outcome for each in applied] == ["new"], applied
    assert instead(shop, run, "100") == "awaiting_approval"
    assert now(request).to_fit


BY_AMOUNT = """
apiVersion: counterfoil/v1
kind: Policy
name: lending
version: 2
operations: [lend]
rules:
  - name: small
    when: {path: arguments.amount, op: lte, value: 100}
    then: ask
    ask: {%s, decide_within_seconds: 1800, use_within_seconds: 900}
  - name: large
    then: ask
    ask: {groups: [finance], decide_within_seconds: 1800, use_within_seconds: 900, narrow: [{path: arguments.amount, towards: less}]}
"""


@pytest.mark.parametrize(
    ("small", "state"),
    [
        ("groups: [support]", "awaiting_approval"),
        ("groups: [finance], quorum: 2", "awaiting_approval"),
        ("groups: [finance], step_up: {within_seconds: 300}", "awaiting_approval"),
        ("groups: [finance, support]", "ready"),
    ],
)
def test_it_fits_only_if_those_who_approved_are_who_its_own_rule_asks(shop: Shop, small: str, state: str) -> None:
    """Less money may be asked of other people: a yes to much is none of theirs."""
    lending(shop)
    shop.change("oscar", roles=["approver", "operator"], groups=["support"])
    applied = shop.apply(BY_AMOUNT % small)
    assert [each.outcome for each in applied] == ["new"], applied
    run, request = loan(shop)
    narrow(shop, request, value="100")
    follow()
    assert instead(shop, run, "100") == state
    fitted = now(request)
    assert (fitted.to_fit, fitted.rule) == ((False, "small") if state == "ready" else (True, "large"))
    assert findings() == []


def test_it_fits_until_the_approval_lapses(shop: Shop, asked: tuple[UUID, Request]) -> None:
    run, request = asked
    narrow(shop, request, value="100")
    follow()
    with clock.at(901):
        assert instead(shop, run, "100") == "awaiting_approval"
        sweep()
        assert now(request).state == "lapsed"


def test_what_was_revoked_fits_nothing_more(shop: Shop, asked: tuple[UUID, Request]) -> None:
    run, request = asked
    narrow(shop, request, value="100")
    follow()
    revoke(shop, request)
    assert instead(shop, run, "100") == "awaiting_approval"


def test_the_quorum_is_counted_again_for_what_fits(shop: Shop, asked: tuple[UUID, Request]) -> None:
    run, request = asked
    narrow(shop, request, value="100")
    follow()
    assert instead(shop, run, "100") == "ready"
    shop.change("ann", active=False)
    assert claim() == []
    assert shop.effect(run, "less").state_reason == "quorum_lost"


def test_it_is_released_in_the_place_of_what_had_not_heard_yet(shop: Shop, asked: tuple[UUID, Request]) -> None:
    run, request = asked
    narrow(shop, request, value="100")
    assert instead(shop, run, "100") == "ready"
    assert shop.states(run)["loan"] == "withdrawn"
    assert now(request).state == "approved"


def test_narrowings_of_a_quorum_intersect_and_the_empty_one_is_refused_to_who_sends_it(shop: Shop) -> None:
    lending(shop, TWO, NARROW)
    run, request = loan(shop)
    assert narrow(shop, request, "ann", value="100")["receipt"] == "counted"
    with pytest.raises(CannotBeSatisfied):
        narrow(shop, request, "amir", op="eq", value="150")
    assert narrow(shop, request, "amir", op="eq", value="50")["to_fit"]
    follow()
    assert instead(shop, run, "40") == "awaiting_approval"


def test_a_vote_that_is_taken_back_takes_its_narrowing_along(shop: Shop) -> None:
    lending(shop, TWO, NARROW)
    run, request = loan(shop)
    narrow(shop, request, "ann", value="100")
    assert now(request).narrowing
    withdraw_vote(shop, request, "ann")
    assert now(request).narrowing == ""
    approve(shop, now(request), "ann")
    approve(shop, now(request), "amir")
    follow()
    assert shop.states(run) == {"loan": "ready"}
