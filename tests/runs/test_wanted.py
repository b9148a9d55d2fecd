"""The line that asks for runs: what it means, what it does not take, and that it reads back what it writes."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.wanted import SORTS, STATES, Wanted, line, read

NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,20}", fullmatch=True)
WORDS = st.from_regex(r"[A-Za-z0-9%_:<>. ]{1,12}", fullmatch=True).map(str.strip).filter(bool)


def test_a_whole_line() -> None:
    asked, faults = read(
        'state:unknown dep:bank age>2h type:refund agent:refund-bot op:transfer sort:-age "lost parcel" desk'
    )
    assert faults == []
    assert asked == Wanted(
        state="unknown", dep="bank", older=timedelta(hours=2), type="refund", agent="refund-bot", op="transfer", order="-age",
        words=("lost parcel", "desk"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("state:sleeping", "unknown_state"), ("colour:red", "unknown_name"), ("age>soon", "bad_age"), ("age:2h", "bad_form"),
        ("state>open", "bad_form"), ("sort:name", "unknown_order"), ("dep:", "no_value"), ("dep:a/b", "bad_name"),
        ("op:a op:b", "twice"), ('"half', "open_quote"), ("x" * 201, "too_long"), ("a b c d e f g h i j k l m", "too_many"),
        ("age>999999d", "bad_age"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_named(asked: str, code: str) -> None:
    _, faults = read(asked)
    assert [fault.code for fault in faults] == [code]
    assert faults[0].why


def test_an_age_has_two_ends() -> None:
    asked, faults = read("age>1h age<3d")
    assert (asked.older, asked.younger, faults) == (timedelta(hours=1), timedelta(days=3), [])


@given(st.text(max_size=250))
def test_any_text_is_read_or_named(text: str) -> None:
    asked, faults = read(text)
    assert isinstance(asked, Wanted)
    assert all(fault.code and fault.why for fault in faults)


@given(
    st.builds(
        Wanted, state=st.sampled_from(["", *STATES]), agent=st.just("") | NAMES, dep=st.just("") | NAMES,
        older=st.none() | st.integers(0, 99_999).map(lambda n: timedelta(seconds=n)), words=st.lists(WORDS, max_size=2).map(tuple),
        order=st.sampled_from(SORTS),
    )
)  # fmt: skip
def test_what_is_written_is_read_back(asked: Wanted) -> None:
    assert read(line(asked)) == (asked, [])
