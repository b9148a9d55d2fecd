"""What is said of times, amounts, states and values: exact, never absurd, nothing hidden."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import SimpleNamespace as Thing

import pytest

from approvals import states as approval_states
from console.pages.templatetags import counterfoil
from console.pages.templatetags.amounts import amount, deed
from console.pages.templatetags.arguments import plain, pretty, rows
from console.pages.templatetags.history import folded
from console.pages.templatetags.states import LOOKS, shown
from console.pages.templatetags.times import absolute, age, ago, clock, left, soon, took
from runs import states as run_states
from runs.resuming import steps
from tests.pages.pretended import NOW, after, before

YEAR_ONE = datetime(1, 1, 1, tzinfo=UTC)
LAST_YEAR = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("until", "said"),
    [
        (None, "no expiry"),
        (after(seconds=1), "<1 min left"),
        (after(seconds=59.9), "<1 min left"),
        (after(minutes=18, seconds=30), "18 min left"),
        (after(hours=1, minutes=5), "1 h 5 min left"),
        (after(hours=26), "1 day 2 h left"),
        (NOW, "expired"),
        (before(seconds=1), "expired"),
        (YEAR_ONE, "expired"),
        (LAST_YEAR, "no expiry"),
        (after(days=90), "until 2 Jun 2026"),
    ],
)
def test_what_is_left_is_never_absurd(until: datetime | None, said: str) -> None:  # EXP-07
    assert left(until, NOW) == said


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (None, "not yet"),
        (NOW, "just now"),
        (before(seconds=8), "8 s ago"),
        (before(minutes=6, seconds=59), "6 min ago"),
        (before(hours=2, minutes=4), "2 h 4 min ago"),
        (before(hours=20, minutes=4), "20 h 4 min ago"),
        (before(days=2), "2 days ago"),
        (after(minutes=3), "in 3 min"),
        (YEAR_ONE, "1 Jan 1"),
    ],
)
def test_what_is_past_says_how_long_ago(at: datetime | None, said: str) -> None:
    assert ago(at, NOW) == said


def test_a_time_without_a_zone_is_taken_as_utc() -> None:
    assert left((NOW + timedelta(minutes=3)).replace(tzinfo=None), NOW) == "3 min left"


def test_the_clock_names_the_day_when_it_is_another() -> None:
    assert (clock(NOW, NOW), clock(before(days=1), NOW)) == ("14:14", "3 Mar 14:14")
    assert clock(before(days=400), NOW) == "28 Jan 2025 14:14"
    assert absolute(NOW) == "4 Mar 2026, 14:14:08 UTC"


def test_a_length_starts_at_milliseconds() -> None:
    assert [took(NOW, after(seconds=s)) for s in (0.212, 2.1, 75)] == ["212 ms", "2.1 s", "1 min"]
    assert took(NOW, None) == took(None, NOW) == age(None, NOW) == ""


def test_only_the_last_hour_is_loud() -> None:
    assert soon(after(minutes=59), NOW)
    assert not any(soon(until, NOW) for until in (None, after(hours=1), NOW, before(minutes=1)))


@pytest.mark.parametrize(
    ("value", "currency", "said"),
    [
        ("1250", "EUR", "1,250.00 EUR"),
        ("120.5", "EUR", "120.50 EUR"),
        ("120.12345", "EUR", "120.12345 EUR"),
        ("9007199254740993", "JPY", "9,007,199,254,740,993 JPY"),
        (Decimal("3.1"), "KWD", "3.100 KWD"),
        ("12", "", "12"),
        ("a lot", "EUR", "a lot EUR"),
        ("NaN", "EUR", "NaN EUR"),
    ],
)
def test_an_amount_keeps_every_digit(value: object, currency: str, said: str) -> None:
    assert amount(value, currency) == said


def test_a_button_says_the_deed() -> None:
    assert deed("Approve", "refund", {"amount": "120", "currency": "EUR"}) == "Approve refund of 120.00 EUR"
    assert deed("Approve", "publish-correction", {"articles": []}) == "Approve: publish correction"
    assert counterfoil.deed(Thing(operation="refund", arguments=None), "Approve") == "Approve: refund"


@pytest.mark.parametrize(
    ("noun", "states"),
    [
        ("run", run_states.RUN_STATES),
        ("effect", run_states.EFFECT_STATES),
        ("attempt", run_states.ATTEMPT_STATES),
        ("request", approval_states.STATES),
        ("resume_check", steps.WORST),
    ],
)
def test_every_state_has_a_look(noun: str, states: tuple[str, ...]) -> None:
    assert set(LOOKS[noun]) == set(states)


def test_a_state_of_a_later_version_is_neutral_and_says_so() -> None:
    look = shown("effect", "half_done")
    assert (look.word, look.tone, look.known) == ("unknown state: half_done", "plain", False)
    assert shown("effect", None).word == "unknown state"


def test_violet_means_unknown_and_nothing_else() -> None:
    violet = {(noun, state) for noun, looks in LOOKS.items() for state, look in looks.items() if look.tone == "unknown"}
    assert violet == {("effect", "unknown"), ("outcome", "unknown"), ("attempt", "lost"), ("item", "unknown")}


def test_arguments_come_whole_and_in_order() -> None:
    long = "x" * 8_990 + "DELETE-ALL"
    found = rows(
        {"to": "Northwind", "lines": [{"what": "paper", "amount": Decimal("10.50")}], "script": long, "note": None}
    )
    assert [(row.depth, row.name, row.kind) for row in found] == [
        (0, "to", "text"), (0, "lines", "group"), (1, "1", "group"), (2, "what", "text"), (2, "amount", "number"), (0, "script", "text"),
        (0, "note", "word"),
    ]  # fmt: skip
    assert found[5].value == long
    assert found[5].long == 9_000
    assert [found[4].value, found[6].value] == ["10.50", "nothing"]


def test_words_for_values_cannot_be_mistaken_for_text() -> None:
    kinds = {
        row.name: (row.value, row.kind)
        for row in rows({"a": True, "b": "yes", "c": "", "d": {}, "e": [], "f": "nothing"})
    }
    assert kinds == {
        "a": ("yes", "word"), "b": ("yes", "text"), "c": ("empty text", "word"), "d": ("empty", "word"), "e": ("empty", "word"),
        "f": ("nothing", "text"),
    }  # fmt: skip


def test_hidden_characters_are_shown_and_markup_is_not_obeyed() -> None:
    said = plain("safe\u202egnp.exe<b>\u200b")
    assert "U+202E" in said
    assert "U+200B" in said
    assert "&lt;b&gt;" in said
    assert plain("two lines\nand a tab\t") == "two lines\nand a tab\t"


def test_json_keeps_its_digits_and_its_letters() -> None:
    assert pretty({"amount": Decimal("120.50"), "to": "Łukasz", "tags": [], "ok": True}) == (
        '{\n  "amount": 120.50,\n  "to": "Łukasz",\n  "tags": [],\n  "ok": true\n}'
    )
    assert pretty(None) == "null"


def test_quiet_stretches_and_new_days_are_told() -> None:
    entries = [Thing(at=at) for at in (before(days=1), before(days=1, seconds=-30), before(minutes=9), NOW)]
    assert [(day, quiet) for day, quiet, _ in folded(entries)] == [
        ("3 Mar 2026", ""), ("", ""), ("4 Mar 2026", "23 h 50 min"), ("", "9 min"),
    ]  # fmt: skip


def test_a_fence_names_its_book() -> None:
    assert [counterfoil.fence(n) for n in (3, (1 << 40) + 3, None)] == ["3", "1.3", "none"]


def test_small_words() -> None:
    assert counterfoil.spelled(["ann", "ben", "cara"]) == "ann, ben and cara"
    assert counterfoil.spelled([]) == ""
    assert counterfoil.count(None) == "?"
    assert counterfoil.count(12_004) == "12,004"
    assert counterfoil.number(318) == "00318"
    assert counterfoil.short("9f3c" + "0" * 56 + "b21e") == "9f3c…b21e"
    assert counterfoil.listed(None) == []
    assert counterfoil.listed("one") == ["one"]
    assert counterfoil.version()
