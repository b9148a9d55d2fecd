"""A resume takes the same number of statements, however long the run's history is (R-A7)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import connection
from django.test.utils import CaptureQueriesContext

from console.database import transaction
from runs.resuming import loading, queries
from tests.record import kinds
from tests.resuming.again import after_the_lease, again
from tests.shop import Shop, draft
from tests.work import claim, settle, sweep


def test_a_resume_at_a_thousand_events_takes_as_many_statements_as_at_ten(shop: Shop) -> None:
    short, long = _lived(shop, 3), _lived(shop, 330)
    assert len(kinds(shop.run(short).stream())) < 20
    assert len(kinds(shop.run(long).stream())) > 990
    with after_the_lease():
        assert _counted(lambda: again(shop, short)) == _counted(lambda: again(shop, long))
        assert _counted(lambda: _look(shop, short)) == _counted(lambda: _look(shop, long))


def _lived(shop: Shop, effects: int) -> UUID:
    """Have a run in which so many effects were proposed, begun and settled, a third of them in vain, and two more still wait."""
    run = shop.accept(
        *[draft(f"e-{number}", operation="look") for number in range(effects)], draft("x", "250"), draft("y", "260")
    )
    while rows := claim(64):
        third = len(rows) // 3
        settle(rows[third:], result={"receipt": "r"})
        if third:
            settle(rows[:third], "rejected", http=422, reason="No.")
    sweep()
    return run


def _look(shop: Shop, run: UUID) -> Any:
    with transaction(shop.tenant.pk):
        found = loading.whole(run, shop.tenant.pk)
        assert found is not None
        return queries.preview(found)


def _counted(act: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)
