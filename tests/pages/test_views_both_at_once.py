"""R-J1, R-J3: a card says how what is asked would be made good for, whether that is approved with it, and what it makes good for itself."""

from uuid import UUID

import pytest

from approvals.models import Request
from tests.cast import signed_in
from tests.compensation.conftest import store
from tests.compensation.test_resuming import made_good
from tests.compensation.test_together import CARE, charged, refund
from tests.compensation.undoing import begun, done
from tests.compensation.working import acting, plan
from tests.pages.browsing import text
from tests.shop import Shop, one_role, shop

__all__ = ["one_role", "shop", "store"]


def care(shop: Shop, *, too: bool = True, of: str = "[charge, refund]") -> Shop:
    """Have finance asked about charges, with what makes good for them or without."""
    shop.apply(CARE.format(version=1, too=str(too).lower()).replace("[charge, refund]", of))
    return shop


def card(shop: Shop, request: Request) -> str:
    """Read the card as ann does."""
    return text(signed_in(shop.members["ann"]).get(f"/approvals/{request.pk}"))


def asked(shop: Shop) -> Request:
    """Have somebody asked about a charge."""
    return shop.request(begun(shop, "charge"), "charge")


def test_a_card_says_that_making_good_is_approved_too_by_what_and_with_what(store: Shop) -> None:
    shown = card(store, asked(care(store)))
    assert "Whoever approves this approves making good for it too." in shown
    assert "Approving releases this charge, and making good for it as it says above" in shown
    assert "That is done by refund, version 1, and with nothing else than this" in shown
    assert "Who may do it: Finance, or whoever charged it." in shown
    assert "Known only when it has happened: receipt and why." in shown
    assert "What stays in any case: The charge and the refund stand in the customer's statement." in shown


def test_a_card_says_so_otherwise_where_making_good_is_asked_about_by_itself(store: Shop) -> None:
    shown = card(store, asked(care(store, too=False)))
    assert "approves making good" not in shown
    assert "That would be done by refund, version 1" in shown


def test_what_somebody_saw_says_it_again(store: Shop) -> None:
    request = asked(care(store))
    store.approve(request, "ann")
    seen = signed_in(store.members["ann"]).get(f"/approvals/{request.pk}").content.decode()
    link = seen.split("What they saw")[0].rpartition('href="')[2].partition('"')[0]
    assert "approves making good for it too" in text(signed_in(store.members["ann"]).get(link))


def test_the_card_of_what_makes_good_names_what_it_makes_good_for_and_why(store: Shop) -> None:
    run = charged(care(store, too=False))
    made = refund(store, run)
    shown = card(store, store.request(run, made.key))
    assert "It makes good for effect No. 1, Charge 20.00 EUR to bob." in shown
    assert "They left." in shown


def test_the_card_of_what_makes_good_leads_to_its_work_item(store: Shop) -> None:
    run = done(care(store, too=False, of="[refund]"), "charge")
    (item,) = plan(store, run, "charge")
    effect = acting(run, "charge")
    assert effect.request_id is not None
    page = signed_in(store.members["ann"]).get(f"/approvals/{effect.request_id}").content.decode()
    assert f'href="/compensation/{item.pk}"' in page


@pytest.mark.parametrize("at", ["/runs/{run}", "/runs/{run}/effects/{number}"])
def test_an_effect_that_was_approved_with_another_leads_to_that_approval(store: Shop, at: str) -> None:
    run: UUID = charged(care(store))
    made = refund(store, run)
    page = signed_in(store.members["oscar"]).get(at.format(run=run, number=made.number)).content.decode()
    assert f'href="/approvals/{made.approved_with_id}"' in page


def test_whoever_opens_a_run_again_is_told_that_what_was_made_good_for_is_gone(store: Shop) -> None:
    run = made_good(store)
    assert "What was made good for is not there any more" in text(
        signed_in(store.members["oscar"]).get(f"/runs/{run}/reopen")
    )
