"""A policy of an operation's own takes it from the policy of all others (`*`): what that one allowed or asked about is judged anew."""

import threading

import pytest

from approvals.deciding.refusals import PolicyChanged
from approvals.fold import coverage_findings
from approvals.states import LAPSED, REROUTED
from console.database import crossing_tenants
from console.http.refusals import KeyReused
from console.ledger.models import Refusal
from runs.drafts import EffectDraft
from tests.cast import inside
from tests.record import findings, forger
from tests.shop import Shop, draft
from tests.work import claim, follow, sweep

ALL_ASK = """
{apiVersion: counterfoil/v1, kind: Policy, name: rest, version: 2, description: All others are asked about., operations: ["*"],
 rules: [{name: ask, then: ask, ask: {groups: [finance], quorum: 1, decide_within_seconds: 600, use_within_seconds: 600}}]}
"""
STOP = """
{apiVersion: counterfoil/v1, kind: Policy, name: stop, version: 1, description: No more news., operations: [announce],
 rules: [], otherwise: deny}
"""


def news(key: str = "launch") -> EffectDraft:
    return draft(key, operation="announce")


def test_an_approval_under_the_policy_of_all_others_does_not_outlive_a_denial_by_the_operations_own(shop: Shop) -> None:
    shop.apply(ALL_ASK)
    asked, approved = shop.accept(news("asked")), shop.accept(news("approved"))
    shop.approve(shop.request(approved, "approved"))
    shop.apply(STOP)
    with pytest.raises(PolicyChanged):
        shop.approve(shop.request(asked, "asked"))
    assert claim() == []
    sweep()
    assert shop.states(asked) == {"asked": "denied"}
    assert shop.states(approved) == {"approved": "denied"}
    assert claim() == []


def test_what_the_policy_of_all_others_allowed_is_not_begun_after_the_operations_own_denies_it(shop: Shop) -> None:
    run = shop.accept(news())
    shop.apply(STOP)
    assert claim() == []
    sweep()
    assert shop.states(run) == {"launch": "denied"}


def test_operations_that_nobody_took_over_are_left_alone(shop: Shop) -> None:
    shop.apply(ALL_ASK)
    run = shop.accept(draft("a", "500"))
    before = shop.request(run, "a").pk
    shop.apply(STOP)
    sweep()
    assert shop.request(run, "a").pk == before


def test_the_record_knows_who_governs_what(shop: Shop) -> None:
    shop.apply(STOP)
    with crossing_tenants():
        assert list(coverage_findings()) == []
        with forger() as forged:
            forged.execute("delete from approvals_coverage where operation = 'announce'")
        assert next(coverage_findings()).where == "coverage announce"
    shop.verified = False  # it was forged


def test_an_approval_that_lost_its_quorum_is_closed_and_says_why(shop: Shop) -> None:
    run = shop.accept(draft("big", "500"))
    shop.approve(shop.request(run, "big"))
    shop.change("ann", roles=[])
    follow()
    assert claim() == []
    assert shop.states(run) == {"big": "lapsed"}
    request = shop.request(run, "big")
    assert (request.state, request.closing_reason) == (LAPSED, "quorum_lost")
    assert findings() == []


def test_a_refusal_names_what_it_was_about_and_keeps_none_of_its_content(shop: Shop) -> None:
    shop.accept(news(), key="first")
    with pytest.raises(KeyReused):
        shop.accept(news(), *[draft(f"more-{number}") for number in range(60)], key="second")
    with inside():
        kept = Refusal.objects.get(tenant_id=shop.tenant.pk, type="key_reused")
    assert kept.subject == "second"


def test_keys_of_the_tenant_in_opposite_order_do_not_stand_in_each_others_way(shop: Shop) -> None:
    keys = [f"news-{number}" for number in range(30)]
    faults: list[Exception] = []

    def post(order: list[str], key: str) -> None:
        try:
            shop.accept(*[news(each) for each in order], key=key)
        except KeyReused:
            return
        except Exception as fault:  # noqa: BLE001 - whatever it was, the test tells
            faults.append(fault)

    posts = [
        threading.Thread(target=post, args=(order, f"run-{place}"))
        for place, order in enumerate([keys, keys[::-1], keys[15:] + keys[:15]])
    ]
    for each in posts:
        each.start()
    for each in posts:
        each.join()
    assert faults == []


def test_requests_of_what_was_taken_over_are_rerouted(shop: Shop) -> None:
    shop.apply(ALL_ASK)
    run = shop.accept(news())
    request = shop.request(run, "launch")
    shop.apply(STOP)
    sweep()
    with inside():
        request.refresh_from_db()
    assert request.state == REROUTED
