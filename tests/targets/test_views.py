"""The state of the target on the card, what somebody saw when they decided, and what changed since the request before."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from approvals.api import present, queries
from approvals.models import Decision, Request
from console import clock as database_time
from console.database import crossing_tenants, rows
from console.exact import decode
from runs import erasing
from tests import clock
from tests.cast import inside, later, signed_in
from tests.pages.browsing import HTMX, text
from tests.record import findings, told
from tests.shop import Shop, money
from tests.targets.reading import BOB, MAX_AGE, asked, keep, read, say_yes, stored, take, with_reader
from tests.work import sweep


@pytest.fixture
def shop(shop: Shop) -> Shop:
    """The shop, whose payments have a reader of the payee."""
    return with_reader(shop)


def browser(shop: Shop, name: str = "ann") -> Client:
    """Give a browser in which the member is signed in."""
    return signed_in(shop.members[name])


def decide(shop: Shop, request: Request, version: str, verdict: str = "approve") -> Any:
    """Send the form of a card that shows this version."""
    form = {
        "verdict": verdict, "reason": "So it is.", "shown_digest": request.subject_digest.hex(), "shown_target": version,
        "idempotency_key": str(uuid4()),
    }  # fmt: skip
    return browser(shop).post(f"/approvals/{request.pk}/decide", form)


def decision(request: Request) -> Decision:
    """Give the one decision on a request."""
    with inside():
        return Decision.objects.get(request=request)


def evidence_of(page: str) -> str:
    """Give what a page shows of what is asked: from the tags to the votes, without what is only the living card's."""
    found = re.search(r'<h2 id="card-title".*?(?=<details class="raw")', page, re.DOTALL)
    assert found, page
    shown = re.sub(
        r'<div class="then".*?</div>|<input type="hidden"[^>]*>|<form.*?</form>', "", found[0], flags=re.DOTALL
    )
    return re.sub(r"\s+", " ", shown)


def test_the_card_says_that_nothing_was_read_yet_and_then_what_was(shop: Shop) -> None:
    _, request = asked(shop)
    assert "It has not been read yet" in text(browser(shop).get(f"/approvals/{request.pk}"))
    read()
    card = browser(shop).get(f"/approvals/{request.pk}")
    assert "Version v1 of payee:bob" in text(card)
    assert (
        '<input type="hidden" id="shown-target" name="shown_target" value="v1" form="decide">' in card.content.decode()
    )


def test_what_was_seen_is_drawn_again_as_it_was_whatever_has_changed(shop: Shop) -> None:
    """R-H2: the evidence of a decision is kept as data and replayed."""
    _, request = asked(shop, "2000", reason="The invoice <b>is</b> due.")
    read()
    then = browser(shop).get(f"/approvals/{request.pk}").content.decode()
    assert decide(shop, request, "v1").status_code == 303
    found = decision(request)
    shop.apply(money(version=2))
    shop.change("ann", groups=["support"])
    sweep()
    with later(hours=3):
        sweep()
        again = browser(shop, "dora").get(f"/approvals/{request.pk}/seen/{found.pk}")
    assert again.status_code == 200
    page = again.content.decode()
    assert "What Ann Okafor saw" in page
    ours = evidence_of(page).replace("<span>", "").replace("</span>", "")
    theirs = evidence_of(then).replace("<span>", "").replace("</span>", "")
    assert _without_times(ours) == _without_times(theirs)
    assert "errand-bot says; nobody has checked it" in ours
    assert "&lt;b&gt;" in ours
    assert stored(request).state != "pending"


def test_what_is_kept_with_a_decision_is_everything_that_the_card_shows(shop: Shop) -> None:
    _, request = asked(shop, "2000", reason="Because.")
    read()
    say_yes(shop, request)
    say_yes(shop, request, by="amir")
    with inside():
        first, second = Decision.objects.filter(request=request).order_by("at")
    kept: Any = decode(second.seen, 128)
    assert (kept["arguments"]["amount"], kept["agent_claims"], kept["target"]) == ("2000", "Because.", "payee:bob")
    assert kept["target_read"]["version"] == "v1"
    assert kept["target_read"]["state"] == BOB
    assert kept["policy"] == {"name": "money", "version": 1, "rule": "large", "why_asked": kept["policy"]["why_asked"]}
    assert [vote["by"] for vote in kept["votes"]] == ["Ann Okafor"]
    assert (kept["votes"][0]["decision"], kept["counted"], kept["asks"]["quorum"]) == (str(first.pk), 1, 2)
    assert kept["digest"] == request.subject_digest.hex()
    assert kept["shown"]["contract"] == "pay, version 2"
    assert first.seen != second.seen


def test_the_api_gives_what_was_seen(shop: Shop) -> None:
    _, request = asked(shop)
    read()
    say_yes(shop, request)
    with inside(shop.tenant.pk):
        shown: Any = present.request(queries.request(request.pk), database_time.now(), whole=True)
        listed: Any = present.request(queries.request(request.pk), database_time.now())
    assert shown["decisions"][0]["seen"]["target_read"]["version"] == "v1"
    assert shown["target_read"]["state"] == BOB
    assert (listed["decisions"][0]["seen"], listed["revises"]) == (None, None)


def test_nobody_sees_what_was_seen_in_another_company(shop: Shop, rival: Shop) -> None:
    _, request = asked(shop)
    read()
    say_yes(shop, request)
    address = f"/approvals/{request.pk}/seen/{decision(request).pk}"
    assert browser(rival).get(address).status_code == 404
    assert browser(shop).get(f"/approvals/{request.pk}/seen/{uuid4()}").status_code == 404
    assert browser(shop).post(address).status_code == 405


def test_a_form_of_another_state_is_answered_with_the_difference(shop: Shop) -> None:
    """APR-12, of the target: 412, nothing decided."""
    _, request = asked(shop)
    read("v2")
    answer = decide(shop, request, "v1")
    assert answer.status_code == 412
    assert "Nothing was recorded." in text(answer)
    assert "was v1 now v2" in text(answer)
    assert stored(request).state == "pending"


def test_a_yes_to_an_old_state_has_it_read_at_once(shop: Shop) -> None:
    _, request = asked(shop)
    read()
    with later(seconds=MAX_AGE + 1):
        answer = decide(shop, request, "v1")
        assert (answer.status_code, len(take())) == (412, 1)
    assert "being read" in text(answer)
    with inside():
        assert Decision.objects.filter(request=request).count() == 0


def test_of_several_each_shows_the_state_that_is_approved_with_it(shop: Shop) -> None:
    _, request = asked(shop)
    page = browser(shop).get(f"/approvals/together?request={request.pk}")
    assert "It has not been read yet, so that nobody can approve yet." in text(page)
    read("v1")
    page = browser(shop).get(f"/approvals/together?request={request.pk}")
    assert "Version v1 of payee:bob" in text(page)
    assert "500" in text(page)
    assert re.findall(r'name="item" value="([^"]+)"', page.content.decode()) == [
        f"{request.pk}:{request.subject_digest.hex()}:v1"
    ]


@pytest.mark.parametrize("htmx", [True, False])
def test_reading_again_is_a_post_and_a_look_changes_nothing(shop: Shop, htmx: bool) -> None:
    _, request = asked(shop)
    read()
    with later(seconds=MAX_AGE + 1):
        for _ in range(2):
            card = browser(shop).get(f"/approvals/{request.pk}")
        assert take() == []
        assert "so it is read again before anybody approves" in text(card)
        assert 'hx-trigger="submit, load"' in card.content.decode()
        answer = browser(shop).post(f"/approvals/{request.pk}/read", headers=HTMX if htmx else {})
        assert answer.status_code == (200 if htmx else 303)
        assert "It is being read." in text(answer if htmx else browser(shop).get(f"/approvals/{request.pk}"))
        again = browser(shop).post(f"/approvals/{request.pk}/read", headers=HTMX)
        assert (again.status_code, len(take()), take()) == (200, 1, [])


def test_a_reader_that_fails_is_not_asked_by_a_page_on_its_own(shop: Shop) -> None:
    _, request = asked(shop)
    keep(take(), fault="The answer was: overload.", delay=60.0)
    card = browser(shop).get(f"/approvals/{request.pk}").content.decode()
    assert "It could not be read the last time: The answer was: overload." in card
    assert 'hx-trigger="submit"' in card


def test_nobody_else_has_it_read(shop: Shop, rival: Shop) -> None:
    _, request = asked(shop)
    read()
    assert browser(rival).post(f"/approvals/{request.pk}/read").status_code == 404
    assert browser(shop).get(f"/approvals/{request.pk}/read").status_code == 405
    assert Client().post(f"/approvals/{request.pk}/read").status_code in {302, 303}
    assert take() == []


def test_a_card_that_is_renewed_does_not_swap_the_state_under_a_finger(shop: Shop) -> None:
    _, request = asked(shop)
    read()
    with inside():
        rows("update approvals_request set read_due_at = cf_now() where id = %s returning id", [request.pk])
    read("v2")
    renewed = browser(shop).get(f"/approvals/{request.pk}?part=card&shown_target=v1", headers=HTMX)
    assert 'value="v1" form="decide"' in renewed.content.decode()
    assert "When you opened this it was version v1" in text(renewed)


def _without_times(page: str) -> str:
    """Leave out how long ago things were and what only a living card offers."""
    page = re.sub(r"<time[^>]*>[^<]*</time>", "", page)
    page = re.sub(r' <a href="/approvals/[^"]*/seen/[^"]*">What they saw</a>', "", page)
    return re.sub(r"<p>That is longer ago[^<]*</p>|\s+", " ", page).strip()


def test_erasing_takes_what_was_seen_and_the_state_of_the_target(shop: Shop) -> None:
    run, request = asked(shop, reason="Because of Mrs Smith.")
    read(state={"name": "Mrs Smith"})
    say_yes(shop, request)
    read(state={"name": "Mrs Smith"})
    shop.fail(run)
    with clock.at(400 * clock.DAY), crossing_tenants():
        erasing.erase(shop.actor("dora"), run, reason="She asked.")
    left, said = stored(request), decision(request)
    assert (left.target_version, left.target_state, said.seen, said.verdict) == ("", "", "", "approve")
    assert "Mrs Smith" not in str(told(request.stream()))
    assert findings() == []
    page = browser(shop).get(f"/approvals/{request.pk}/seen/{said.pk}")
    assert (page.status_code, "Nothing was kept of it." in text(page)) == (200, True)
