"""Retry-After is read in both forms; what cannot be read is no wish."""

from datetime import UTC, datetime

import pytest

from runs.retry_after import LONGEST_SECONDS, retry_after_seconds

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
SERVER = "Mon, 02 Mar 2026 12:00:00 GMT"


@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        ("0", None, 0),
        (" 120 ", None, 120),
        ("9" * 400, None, LONGEST_SECONDS),
        ("Mon, 02 Mar 2026 10:00:30 GMT", None, 30),
        ("Mon, 02 Mar 2026 12:00:30 GMT", SERVER, 30),
        ("Monday, 02-Mar-26 12:00:30 GMT", SERVER, 30),
        ("Mon Mar  2 12:00:30 2026", SERVER, 30),
        ("Mon, 02 Mar 2026 11:00:00 GMT", SERVER, 0),
        ("Mon, 02 Mar 2096 12:00:00 GMT", SERVER, LONGEST_SECONDS),
        ("Mon, 02 Mar 2026 10:00:30 GMT", "yesterday", 30),
        ("soon", None, None),
        ("", None, None),
        ("-5", None, None),
        ("1.5", None, None),
        ("٣", None, None),
        ("Mon, 99 Mar 2026 99:00:00 GMT", None, None),
    ],
)
def test_both_forms(value, date, seconds):
    assert retry_after_seconds(value, date=date, now=NOW) == seconds
