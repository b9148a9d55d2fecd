"""Cancelling on pages: three parts and what came late beside them, forms for whom the contract names, and the way back for operators."""

import re
from uuid import uuid4

import pytest

from tests.cancels import cancel, cancel_effect
from tests.cast import signed_in
from tests.shop import Shop, draft, one_role, rival, shop
from tests.work import claimed, settle

__all__ = ["one_role", "rival", "shop"]


def read(of: Shop, address: str, name: str = "oscar") -> str:
    """Read a page as its words."""
    answer = signed_in(of.members[name]).get(address)
    assert answer.status_code == 200, answer.status_code
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def send(of: Shop, address: str, name: str = "oscar", **form: str) -> int:
    """Send a form and give the status."""
    return signed_in(of.members[name]).post(address, {"idempotency_key": str(uuid4()), **form}).status_code


def test_a_run_that_is_being_cancelled_shows_its_three_parts_and_what_it_waits_for(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    cancel(shop, run)
    text = read(shop, f"/runs/{run}")
    assert "Requested by Oscar Wren" in text
    assert "Being resolved . It waits for: effect 1" in text
    assert "Proven : not yet" in text
    settle(row, "succeeded")
    text = read(shop, f"/runs/{run}")
    assert "nothing in flight, nothing unknown. Effects: 1 succeeded." in text
    assert "committed after cancel: effect 1" in text
    assert "Came after it was asked for" in text


def test_moves_stand_together_below_the_cover_and_not_each_in_a_panel_of_its_own(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    page = signed_in(shop.members["oscar"]).get(f"/runs/{run}").content.decode()
    moves = page.partition('aria-label="What you can do"')[2].partition('<nav class="index"')[0]
    assert all(f"{move} this run" in moves for move in ("Pause", "Cancel", "Correct"))
    assert not re.search(r'<section class="block tells" id="(pauses|cancellation|corrections)"', page)


def test_an_operator_cancels_a_run_by_its_form(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    assert "Cancel this run" in read(shop, f"/runs/{run}")
    assert "Cancel the run" in read(shop, f"/runs/{run}/cancel")
    assert send(shop, f"/runs/{run}/cancel/now", reason="") == 422
    assert shop.state(run) == "running"
    assert send(shop, f"/runs/{run}/cancel/now", reason="Not wanted.", scope="run", mode="immediate") == 303
    assert shop.state(run) == "cancelled"
    assert send(shop, f"/runs/{run}/cancel/now", reason="Not wanted.") == 409


def test_whom_the_contract_does_not_name_finds_no_form_and_is_refused(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    assert "Cancel this run" not in read(shop, f"/runs/{run}", "ann")
    assert "The contract lets others cancel this." in read(shop, f"/runs/{run}/cancel", "ann")
    assert send(shop, f"/runs/{run}/cancel/now", "ann", reason="Not wanted.") == 403
    assert shop.state(run) == "running"


def test_an_effect_is_cancelled_from_its_own_page(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    assert "Cancel this effect" in read(shop, f"/runs/{run}/effects/1")
    assert "Cancel the effect" in read(shop, f"/runs/{run}/effects/1/cancel")
    assert send(shop, f"/runs/{run}/effects/1/cancel/now", reason="Too dear.") == 303
    assert (shop.states(run), shop.state(run)) == ({"dear": "withdrawn"}, "running")


def test_an_operator_opens_a_run_again_and_sees_to_what_was_left(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    cancel(shop, run)
    settle(row, "succeeded")
    assert "Open it again" in read(shop, f"/runs/{run}/reopen")
    assert send(shop, f"/runs/{run}/see-to", reason="Booked back.") == 303
    assert shop.run(run).attention == ""
    assert send(shop, f"/runs/{run}/reopen/now", "ann", reason="Go on.") == 403
    assert send(shop, f"/runs/{run}/reopen/now", reason="Go on.") == 303
    assert (shop.state(run), shop.run(run).resume_due) == ("running", True)


def test_a_cancelled_effect_that_was_done_says_that_it_came_too_late(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = claimed()
    cancel_effect(shop, shop.effect(run, "a"))
    settle(row, "succeeded")
    assert "Too late" in read(shop, f"/runs/{run}")


@pytest.mark.parametrize("address", ["cancel", "reopen", "effects/1/cancel"])
def test_another_company_s_run_is_not_there(shop: Shop, rival: Shop, address: str) -> None:
    run = shop.accept(draft("dear", "250"))
    assert signed_in(rival.members["oscar"]).get(f"/runs/{run}/{address}").status_code == 404
