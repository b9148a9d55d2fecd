"""R-A9: the compensation backlog is measured: what is open by state, what needs somebody, what is overdue, and what came of the rest."""

from datetime import timedelta

import pytest

from compensation.measures import readings
from console import clock
from console.database import crossing_tenants
from tests.cast import inside
from tests.compensation.test_numbers import items
from tests.compensation.undoing import with_undoing
from tests.shop import Shop


def measured() -> dict[tuple[str, ...], float]:
    """Read them all, over all tenants."""
    with crossing_tenants(), inside():
        return {(each.name, *each.labels): each.value for each in readings()}


def test_a_desk_with_nothing_on_it_measures_nothing(store: Shop) -> None:
    found = measured()
    assert found["compensations", "waiting"] == 0
    assert set(found.values()) == {0}


def test_what_is_open_is_measured_over_all_tenants(store: Shop, rival: Shop) -> None:
    with inside():
        past = clock.now() - timedelta(hours=1)
    items(store, {"state": "failed", "deadline_at": past}, {"state": "running"}, {"state": "done"})
    items(with_undoing(rival), {"state": "failed"})
    found = measured()
    assert (found["compensations", "failed"], found["compensations", "running"]) == (2, 1)
    assert ("compensations", "done") not in found
    assert (found["compensations_need_somebody",], found["compensations_overdue",]) == (2, 1)
    assert found["compensation_oldest_seconds",] >= 0


def test_what_came_of_them_is_counted_when_it_was_committed(store: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("compensation.writing.count", lambda name, **labels: told.append(f"{name} {labels['outcome']}"))
    items(store, {"state": "done"}, {"state": "waived"})
    assert told == [f"compensation_outcomes {outcome}" for outcome in ("done", "failed", "escalated", "waived")]
