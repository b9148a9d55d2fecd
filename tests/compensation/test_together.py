"""R-J2: an effect and what makes good for it can be approved together, and then only what was shown is not asked about again."""

from typing import Any
from uuid import UUID

import pytest

from approvals.deciding.revoking import revoke
from approvals.models import Policy
from approvals.policies import document_of
from console.exact import decode
from runs.drafts import EffectDraft
from runs.models import Effect, Run
from runs.policies.telling import terms
from runs.states import AWAITING_APPROVAL, DISPATCHED, READY, SUCCEEDED
from tests.cast import inside
from tests.compensation.undoing import answer, begun, key, makes_good
from tests.record import told
from tests.runs.making_good import accepted
from tests.shop import Shop
from tests.work import claim, follow, sweep

CARE = """
apiVersion: counterfoil/v1
kind: Policy
name: care
version: {version}
description: Finance is asked about charges and about refunds.
operations: [charge, refund]
rules:
  - name: charges
    when: {{path: operation, op: eq, value: charge}}
    then: ask
    ask: {{groups: [finance], decide_within_seconds: 1800, use_within_seconds: 900, compensation_too: {too}}}
  - {{name: refunds, then: ask, ask: {{groups: [finance], decide_within_seconds: 1800, use_within_seconds: 900}}}}
otherwise: deny
"""
RECEIPT = {"receipt": "r-charge", "amount": "20", "why": "They left."}


@pytest.fixture
def care(store: Shop) -> Shop:
    """The shop, where finance is asked about charges and refunds, and about both at once."""
    store.apply(CARE.format(version=1, too="true"))
    return store


def charged(shop: Shop, by: str = "ann") -> UUID:
    """Have a run that charged somebody, as finance approved."""
    run = begun(shop, "charge")
    shop.approve(shop.request(run, "charge"), by)
    follow()
    answer(claim())
    assert shop.effect(run, "charge").state == SUCCEEDED
    return run


def refund(shop: Shop, run: UUID, **arguments: str) -> Effect:
    """Propose what makes good for the charge, as compensation does."""
    original = shop.effect(run, "charge")
    draft = EffectDraft(
        f"compensates:{original.pk}:{key()}", "refund", {**RECEIPT, **arguments}, reason="They left.", required=False, cleanup=True,
        compensates=original.pk,
    )  # fmt: skip
    with inside():
        return accepted(shop.bot, Run.objects.select_for_update().get(pk=run), draft)


def shown(shop: Shop, run: UUID) -> Any:
    """Give what the request about the charge showed of making good for it."""
    said: Any = decode(shop.request(run, "charge").shown, 128)
    return said.get("compensation")


# What is shown


def test_whoever_is_asked_about_a_charge_is_shown_how_it_would_be_made_good_for(care: Shop) -> None:
    said = shown(care, begun(care, "charge"))
    assert (said["operation"], said["version"], said["together"]) == ("refund", 1, True)
    assert said["arguments"] == {"amount": "20"}
    assert said["later"] == ["receipt", "why"]
    assert said["authority"] == "Finance, or whoever charged it."


def test_where_the_policy_does_not_ask_for_both_that_is_shown_too(care: Shop) -> None:
    care.apply(CARE.format(version=2, too="false"))
    assert shown(care, begun(care, "charge"))["together"] is False


def test_nothing_is_promised_of_what_no_operation_makes_good_for(store: Shop) -> None:
    store.apply(
        CARE.format(version=1, too="false")
        .replace("[charge, refund]", "[notify]")
        .replace("value: charge", "value: notify")
    )
    run = begun(store, "notify")
    said: Any = decode(store.request(run, "notify").shown, 128)
    assert "compensation" not in said


def test_a_policy_says_so_in_words(care: Shop) -> None:
    with inside():
        policy = Policy.objects.get(tenant_id=care.tenant.pk, name="care")
    ask = document_of(policy).rules[0].ask
    assert ask is not None
    assert "Whoever approves it approves making good for it too." in terms(ask)


# What holds


def test_making_good_for_what_was_approved_so_asks_nobody(care: Shop) -> None:
    run = charged(care)
    made = refund(care, run)
    assert (made.state, made.verdict, made.request_id) == (READY, "ask", None)
    assert made.approved_with_id == care.request(run, "charge").pk
    assert [row["effect_id"] for row in claim()] == [made.pk]
    proposed = next(says for kind, says in told(f"run:{run}") if kind == "effect.proposed" and says["key"] == made.key)
    assert proposed["approved_with"] == str(made.approved_with_id)


def test_the_reason_may_be_any(care: Shop) -> None:
    assert refund(care, charged(care), why="It never came.").state == READY


@pytest.mark.parametrize("arguments", [{"amount": "19"}, {"receipt": "r-2"}])
def test_other_arguments_than_what_happened_gives_are_asked_about(care: Shop, arguments: dict[str, str]) -> None:
    made = refund(care, charged(care), **arguments)
    assert (made.state, made.approved_with_id) == (AWAITING_APPROVAL, None)


def test_another_version_of_the_contract_than_was_shown_is_asked_about(care: Shop) -> None:
    run = charged(care)
    care.apply(
        makes_good("refund", "receipt, amount")
        .replace("version: 1", "version: 2", 1)
        .replace("Does as it says", "Does more")
    )
    assert refund(care, run).state == AWAITING_APPROVAL


def test_where_the_policy_asks_about_each_making_good_is_asked_about(care: Shop) -> None:
    care.apply(CARE.format(version=2, too="false"))
    assert refund(care, charged(care)).state == AWAITING_APPROVAL


def test_a_revoked_approval_covers_nothing(care: Shop) -> None:
    run = charged(care)
    revoked(care, run)
    assert refund(care, run).state == AWAITING_APPROVAL


def test_a_newer_version_of_the_policy_that_asked_is_asked(care: Shop) -> None:
    run = charged(care)
    care.apply(CARE.format(version=2, too="true"))
    assert refund(care, run).state == AWAITING_APPROVAL


# At the moment of use


def test_an_approval_that_is_revoked_before_it_is_used_sends_making_good_back_to_be_asked_about(care: Shop) -> None:
    run = charged(care)
    made = refund(care, run)
    revoked(care, run)
    assert claim() == []
    again = care.effect(run, made.key)
    assert (again.state, again.state_reason, again.approved_with_id) == (
        "proposed",
        "original_revoked",
        made.approved_with_id,
    )
    sweep()
    asked = care.effect(run, made.key)
    assert (asked.state, asked.approved_with_id) == (AWAITING_APPROVAL, None)
    care.approve(care.request(run, made.key), "amir")
    follow()
    assert [row["effect_id"] for row in claim()] == [made.pk]


def test_somebody_who_may_not_approve_any_more_has_not_approved_making_good(care: Shop) -> None:
    run = charged(care)
    made = refund(care, run)
    care.change("ann", groups=[])
    assert claim() == []
    assert care.effect(run, made.key).state_reason == "original_quorum_lost"


def test_a_change_of_its_own_policy_is_judged_and_the_approval_still_covers_it_where_its_own_stands(care: Shop) -> None:
    own = CARE.format(version=1, too="true").replace("name: care", "name: back").replace("[charge, refund]", "[refund]")
    care.apply(CARE.format(version=2, too="true").replace("[charge, refund]", "[charge]") + "\n---\n" + own)
    run = charged(care)
    made = refund(care, run)
    care.apply(own.replace("version: 1", "version: 2", 1))
    sweep()
    assert (care.effect(run, made.key).state, care.effect(run, made.key).approved_with_id) == (
        READY,
        made.approved_with_id,
    )
    assert [row["effect_id"] for row in claim()] == [made.pk]
    assert care.effect(run, made.key).state == DISPATCHED


def revoked(shop: Shop, run: UUID) -> None:
    """Have ann take back what she approved."""
    done = revoke(shop.actor("ann"), shop.request(run, "charge").pk, reason="I was wrong.", key=key())
    assert done["begun"] is True
