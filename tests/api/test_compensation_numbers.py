"""R-A9, R-N3: how compensation does, by REST: what is open, what became of the rest, how long it took and what remained."""

from decimal import Decimal

import pytest

from tests.api.desk import Caller
from tests.api.test_compensation import agent, oscar, rival, shop, store, tool
from tests.compensation.test_numbers import items
from tests.shop import Shop, one_role

__all__ = ["agent", "one_role", "oscar", "rival", "shop", "store"]
HERE = "compensations/numbers"


def test_a_board_is_told_what_is_open_and_what_became_of_the_rest(store: Shop, oscar: Caller) -> None:
    items(
        store, {"state": "done", "took": 10, "operation": "refund", "left": ["A fee."]}, {"state": "waived"}, {"state": "failed"},
        {"state": "done", "took": 20, "operation": "refund"},
    )  # fmt: skip
    answer = oscar.get(HERE)
    assert answer["backlog"] == answer["backlog"] | {
        "open": 1,
        "needs_somebody": 1,
        "overdue": 0,
        "by_state": {"failed": 1},
    }
    assert answer["whole"] == {
        "ended": 3, "done": 2, "resolved": 0, "waived": 1, "dropped": 0, "escalated": 1, "success_rate": Decimal("0.6667"),
        "escalation_rate": Decimal("0.3333"), "median_seconds": 15, "p95_seconds": Decimal("19.5"),
    }  # fmt: skip
    assert [(each["operation"], each["open"], each["done"]) for each in answer["operations"]] == [
        (None, 1, 0),
        ("refund", 0, 2),
    ]
    assert answer["remains"] == [{"text": "A fee.", "counted": 1}]
    assert (answer["fees"], answer["counted_all"]) == ([], True)
    assert len(answer["periods"]) == 30
    assert sum(each["ended"] for each in answer["periods"]) == 3


def test_of_nothing_there_is_no_share_and_no_age(oscar: Caller) -> None:
    answer = oscar.get(f"{HERE}?days=1")
    assert (
        answer["whole"]["success_rate"],
        answer["whole"]["median_seconds"],
        answer["backlog"]["oldest_seconds"],
    ) == (None, None, None)
    assert [each["ended"] for each in answer["periods"]] == [0]


def test_weeks_begin_on_a_monday_by_the_clock_that_is_asked_for(oscar: Caller) -> None:
    answer = oscar.get(f"{HERE}?days=15&by=week&zone=Europe/Berlin")
    assert (answer["by"], answer["zone"]) == ("week", "Europe/Berlin")
    assert answer["since"].partition("T")[2][:5] in {"22:00", "23:00"}  # midnight there


@pytest.mark.parametrize("asked", ["days=0", "days=367", "by=month", "zone=Atlantis/Main", "zone=", "of=me"])
def test_what_cannot_be_read_is_refused(oscar: Caller, asked: str) -> None:
    assert oscar.get(f"{HERE}?{asked}").status == 400


def test_another_tenant_s_figures_are_its_own(store: Shop, rival: Shop) -> None:
    items(store, {"state": "done"})
    assert tool(rival).get(HERE)["whole"]["ended"] == 0


def test_an_agent_is_not_told(agent: Caller) -> None:
    assert agent.get(HERE).status == 403
