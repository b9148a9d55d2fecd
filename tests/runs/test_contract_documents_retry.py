"""The arithmetic of retries is bounded (R-D2)."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from runs.contracts.retry import Retry, retry
from tests.runs.contract_documents import example, read

SECTION = read(example("refund")).value["retry"]


def test_the_refunds_retries():
    found = retry(SECTION)
    assert (found.attempts, found.total_seconds, found.exhausted) == (5, 300.0, "failed")
    assert [found.ceiling(attempts) for attempts in (1, 2, 3, 4, 9)] == [0.5, 1.0, 2.0, 4.0, 30.0]


def test_a_contract_that_says_nothing_is_attempted_once():
    assert retry(None) == Retry()
    assert (retry(None).attempts, retry(None).retryable) == (1, frozenset())


def test_fractions_of_seconds():
    backoff = {"base_seconds": Decimal("0.25"), "factor": Decimal("1.5"), "max_seconds": 60}
    assert retry({**SECTION, "backoff": backoff}).ceiling(2) == 0.375


@given(st.floats(0.001, 86400), st.floats(1, 10), st.floats(0.001, 86400), st.integers(1, 10**4))
@settings(deadline=None)
def test_no_wait_is_longer_than_the_longest_however_many_attempts(base, factor, longest, attempts):
    found = Retry(base_seconds=base, factor=factor, max_seconds=longest)
    assert 0 < found.ceiling(attempts) <= longest
    assert found.ceiling(attempts) <= found.ceiling(attempts + 1)
