"""APR-07: whoever has something made good for, or has it tried again, does not decide what the policy asks about that, on no path."""

from uuid import UUID

import pytest

from approvals import inbox
from approvals.breaking.releasing import may_break
from approvals.deciding.refusals import NotEligible, SeparationOfDuties
from approvals.deciding.voting import approve
from approvals.models import Request
from approvals.queries import in_whose_place, why_not
from approvals.telling import whom
from console import clock
from runs.states import READY
from tests.cast import inside
from tests.compensation.byhand import retry
from tests.compensation.test_asking import ask
from tests.compensation.undoing import answer, compensation_of, done, item_of, key
from tests.compensation.working import plan
from tests.delegating.handing import give
from tests.record import findings
from tests.shop import Shop
from tests.work import claim, follow, sweep

REFUNDS = """
apiVersion: counterfoil/v1
kind: Policy
name: refunds
version: {version}
description: Finance is asked about refunds.
operations: [charge, refund]
rules:
  - {{name: charges, when: {{path: operation, op: eq, value: charge}}, then: allow}}
  - {{name: refunds, then: ask, ask: {{groups: [finance], decide_within_seconds: 1800, use_within_seconds: 900}}}}
otherwise: deny
"""


@pytest.fixture
def asking(store: Shop) -> Shop:
    """The shop, where finance is asked about refunds, and ann of finance operates too."""
    store.apply(REFUNDS.format(version=1))
    store.change("ann", roles=["approver", "operator"])
    return store


def asked(shop: Shop, run: UUID) -> Request:
    """Give what is asked about making good for the charge."""
    acting = compensation_of(shop.effect(run, "charge"))
    assert acting is not None
    assert acting.request_id is not None
    with inside():
        return Request.objects.select_related("agent", "owner__user").get(pk=acting.request_id)


def by_ann(shop: Shop) -> Request:
    """Have ann ask that a charge is made good for."""
    run = done(shop, "charge")
    ask(shop, run, "charge", by="ann")
    return asked(shop, run)


def decide(shop: Shop, request: Request, by: str, voice: str = "") -> None:
    """Approve it."""
    whose = shop.members[voice].pk if voice else None
    approve(shop.actor(by), request.pk, shown_digest=request.subject_digest.hex(), reason="", key=key(), voice=whose)


def test_whoever_asks_for_it_does_not_approve_it(asking: Shop) -> None:
    request = by_ann(asking)
    assert request.asker_id == asking.members["ann"].pk
    with pytest.raises(SeparationOfDuties):
        decide(asking, request, "ann")
    decide(asking, request, "amir")
    with inside():
        assert Request.objects.get(pk=request.pk).state == "approved"
    assert findings() == []


def test_nobody_approves_it_in_the_place_of_whoever_asked_for_it_nor_they_for_others(asking: Shop) -> None:
    asking.change("oscar", roles=["approver", "operator"], groups=["travel"])
    give(asking, "ann", "oscar")
    give(asking, "amir", "ann")
    request = by_ann(asking)
    for by, voice in (("oscar", "ann"), ("ann", "amir")):
        with pytest.raises((SeparationOfDuties, NotEligible)):
            decide(asking, request, by, voice)
        with inside():
            assert in_whose_place(asking.members[by], request, clock.now()) == []


def test_it_waits_in_no_inbox_of_theirs_and_they_are_not_told_of_it(asking: Shop) -> None:
    request = by_ann(asking)
    ann, amir = asking.members["ann"], asking.members["amir"]
    with inside():
        assert [each.pk for each in inbox.to_decide(amir)] == [request.pk]
        assert not inbox.to_decide(ann).exists()
        assert why_not(ann, request, clock.now()) == SeparationOfDuties().detail
        told = {each.pk for each in whom.asked(asking.tenant.pk, [request])[request.pk].members}
        assert (ann.pk in told, amir.pk in told) == (False, True)
        assert not may_break(ann, request)


def test_whoever_has_it_tried_again_does_not_approve_that_try(asking: Shop) -> None:
    """One who has the next try made is who asks for it, whoever asked for the plan."""
    run = done(asking, "charge")
    ask(asking, run, "charge", by="oscar")
    asking.deny(asked(asking, run), "amir")
    follow()
    sweep()
    item = item_of(run, "charge")
    assert item.state in {"failed", "escalated"}
    retry(asking, item, by="ann")
    request = asked(asking, run)
    assert request.asker_id == asking.members["ann"].pk
    with pytest.raises(SeparationOfDuties):
        decide(asking, request, "ann")


def test_what_is_asked_anew_under_another_policy_is_still_theirs_who_asked_for_it(asking: Shop) -> None:
    run = done(asking, "charge")
    ask(asking, run, "charge", by="ann")
    before = asked(asking, run)
    asking.apply(REFUNDS.format(version=2).replace("1800", "1700"))
    follow()
    sweep()
    request = asked(asking, run)
    assert (request.pk != before.pk, request.asker_id) == (True, asking.members["ann"].pk)


def test_what_an_agent_or_a_contract_had_planned_any_of_those_asked_may_approve(asking: Shop) -> None:
    run = done(asking, "charge")
    plan(asking, run, "charge")
    request = asked(asking, run)
    assert request.asker_id is None
    decide(asking, request, "ann")
    follow()
    acting = compensation_of(asking.effect(run, "charge"))
    assert acting is not None
    assert acting.state == READY
    answer(claim())
