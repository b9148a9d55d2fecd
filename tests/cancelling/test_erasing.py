"""Erasing a run takes why it was cancelled; when, how and by what it was proven remain, and the record still holds."""

from typing import Any

from approvals.models import Request
from console.database import crossing_tenants
from console.ledger.models import Payload
from console.notices.models import Notice
from runs import erasing
from runs.models import Cancellation, Effect, Run, Wait
from tests import clock
from tests.cancels import cancel, of_run, started
from tests.cast import inside
from tests.record import findings
from tests.shop import Shop, draft
from tests.work import claimed, settle, sweep


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


def test_why_a_run_was_cancelled_stands_in_none_that_it_started_and_goes_with_it(shop: Shop) -> None:
    parent = shop.accept(goal="secret-goal")
    child = started(shop, parent, draft("a"), draft("dear", "250"))
    below = started(shop, child)
    row = claimed()
    cancel(shop, parent, reason="secret-why")
    settle(row)
    sweep()
    assert [shop.state(run) for run in (parent, child, below)] == ["cancelled"] * 3
    with clock.at(400 * clock.DAY), crossing_tenants():
        erasing.erase(shop.actor("dora"), parent, reason="The customer asked.")
    with inside():
        rows: list[Any] = [
            *Cancellation.objects.all(),
            *Run.objects.all(),
            *Effect.objects.all(),
            *Request.objects.all(),
        ]
        rows += [*Notice.objects.all(), *Wait.objects.all()]
        said = Payload.objects.filter(body__isnull=False).values_list("body", flat=True)
        texts = [*(str(value) for row in rows for value in vars(row).values()), *map(str, said)]
    assert not [text for text in texts if "secret-" in text]
    assert [of_run(run)[0].reason for run in (child, below)] == ["the run that started it was cancelled"] * 2
    assert findings() == []
