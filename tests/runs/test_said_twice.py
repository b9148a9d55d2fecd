"""What the database's functions and the engine each say for themselves is the same in both."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from console.database import rows
from runs.contracts.dependency import RECONCILE_PER_SECOND, RetryBudget
from runs.contracts.retry import Retry
from runs.states import IN_VAIN, PARTIAL
from runs.unknowns.standing import CAME_TO_NOTHING
from tests.cast import inside
from tests.shop import Shop


def text(name: str) -> str:
    """Read one of the files that say functions of the database."""
    return (Path(settings.BASE_DIR) / "runs" / "sql" / name).read_text(encoding="utf-8")


def listed(pattern: str, name: str) -> list[frozenset[str]]:
    """Give the lists of states that a file compares with."""
    return [frozenset(re.findall(r"'(\w+)'", found)) for found in re.findall(pattern, text(name))]


@pytest.mark.parametrize("name", ["settle.sql", "repeat.sql"])
def test_what_took_anothers_place_came_to_nothing_in_the_same_states(name: str) -> None:
    assert listed(r"s\.state not in \(([^)]*)\)", name) == [IN_VAIN]


def test_people_and_the_engine_call_the_same_in_vain() -> None:
    assert frozenset(CAME_TO_NOTHING) == IN_VAIN


def test_what_waits_is_withdrawn_when_what_it_waits_for_is_over_and_not_done_in_whole() -> None:
    assert listed(r"bool_or\(p\.state in \(([^)]*)\)\)", "settle.sql") == [IN_VAIN | {PARTIAL}]


def test_a_dependency_that_says_nothing_of_its_paces_has_the_same_ones(shop: Shop) -> None:
    with inside():
        terms = {row["purpose"]: row for row in rows("select * from runs_pace_terms('{}')")}
    budget = RetryBudget()
    assert terms["looks"]["rate"] == RECONCILE_PER_SECOND
    retries = terms["retries"]
    assert (retries["share"], retries["rate"], retries["most"]) == (budget.share, budget.per_second, budget.most)


def test_an_operation_that_says_nothing_of_retries_has_the_same_time_for_them() -> None:
    said = re.findall(r"'\{retry,total_seconds\}'\)::double precision, (\d+)\)", text("repeat.sql"))
    assert [float(seconds) for seconds in said] == [Retry().total_seconds]
