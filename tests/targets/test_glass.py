"""The glass is broken for the state of the target that was shown, however old; at use it is read again as ever (APR-12)."""

import pytest

from approvals.api import present, queries
from approvals.deciding.refusals import StaleView
from console import clock
from tests.breaking.glass import break_it, broken, with_glass
from tests.cast import inside, later, signed_in
from tests.pages.browsing import text
from tests.record import findings
from tests.shop import Shop
from tests.targets.reading import MAX_AGE, asked, read, stored, with_reader
from tests.work import claim, follow, sweep


@pytest.fixture
def house(shop: Shop) -> Shop:
    """The shop with a glass to break, whose payments have a reader of the payee."""
    return with_glass(with_reader(shop))


def test_another_state_than_was_shown_is_not_released(house: Shop) -> None:
    _, request = asked(house, "2000")
    read("v1")
    for shown in ("v0", None):
        with pytest.raises(StaleView) as refused:
            break_it(house, request, shown_target=shown)
        assert refused.value.facts["changes"] == [{"name": "version of the target", "was": shown, "now": "v1"}]
    assert stored(request).state == "pending"
    assert break_it(house, request, shown_target="v1")["state"] == "approved"


def test_in_an_emergency_nobody_waits_for_a_fresh_look_and_nothing_is_done_unread(house: Shop) -> None:
    run, request = asked(house, "2000")
    read("v1")
    with later(seconds=MAX_AGE + 1):
        break_it(house, request, shown_target="v1")
        follow()
        assert claim() == []
        assert read("v1") == 1
        assert len(claim()) == 1
    assert house.states(run) == {"dear": "dispatched"}
    assert findings() == []


def test_what_changed_since_the_glass_was_broken_is_not_done(house: Shop) -> None:
    run, request = asked(house, "2000")
    read("v1")
    break_it(house, request, shown_target="v1")
    follow()
    assert claim() == []
    read("v2")
    assert stored(request).state == "rerouted"
    follow()
    assert claim() == []
    sweep()
    assert house.states(run) == {"dear": "awaiting_approval"}
    assert findings() == []


def test_the_page_shows_the_state_that_is_released_and_says_when_it_is_another_by_now(house: Shop) -> None:
    _, request = asked(house, "2000")
    ann, address = signed_in(house.members["ann"]), f"/approvals/{request.pk}/break-glass"
    assert "Nobody has read its state yet" in text(ann.get(address))
    read("v1")
    page = ann.get(address)
    assert "Its state was version v1" in text(page)
    assert 'name="shown_target" value="v1"' in page.content.decode()
    read_again = {
        "target": request.target, "reason": "It floods.", "minutes": "5", "shown_digest": request.subject_digest.hex(),
        "shown_target": "", "idempotency_key": "the-form",
    }  # fmt: skip
    answer = ann.post(f"{address}/now", read_again)
    assert answer.status_code == 412
    assert "The target is not as you were shown it" in text(answer)
    assert 'name="shown_target" value="v1"' in answer.content.decode()
    assert stored(request).break_glass_id is None


def test_tools_are_told_by_what_it_was_released(house: Shop) -> None:
    _, request = asked(house, "2000")
    read("v1")
    with inside(house.tenant.pk):
        assert present.request(queries.request(request.pk), clock.now())["break_glass"] is None
    break_it(house, request, shown_target="v1")
    glass = broken(request)
    with inside(house.tenant.pk):
        told = present.request(queries.request(request.pk), clock.now())
    assert told["break_glass"] == {
        "by": "Ann Okafor", "reason": "The house floods.", "at": f"{glass.opened_at:%Y-%m-%dT%H:%M:%S.%fZ}",
        "ends_at": f"{glass.ends_at:%Y-%m-%dT%H:%M:%S.%fZ}", "ended_at": None, "reviewed_at": None, "justified": None,
    }  # fmt: skip
    assert (told["decisions"], told["counted"]) == ([], 0)
