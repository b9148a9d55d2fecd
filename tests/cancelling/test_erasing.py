"""Erasing a run takes why it was cancelled; when, how and by what it was proven remain, and the record still holds."""

from console.database import crossing_tenants
from runs import erasing
from tests import clock
from tests.cancels import cancel, of_run
from tests.record import findings
from tests.shop import Shop, draft


def test_of_a_cancellation_remains_when_it_was_asked_for_and_what_proved_it(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    cancel(shop, run)
    before = of_run(run)[0]
    with clock.at(400 * clock.DAY), crossing_tenants():
        erasing.erase(shop.actor("dora"), run, reason="The customer asked.")
    left = of_run(run)[0]
    assert left.reason == "[erased]"
    assert (left.state, left.asked_at, left.evidence) == (before.state, before.asked_at, before.evidence)
    assert findings() == []
