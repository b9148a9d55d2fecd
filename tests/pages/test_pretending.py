"""Text that pretends: what hides, turns around, piles up or looks like other letters is told wherever it is shown (APR-17, SEC-05)."""

import re
from html import unescape

import pytest

from console.exact.visible import strangers, visible
from console.pages.templatetags.arguments import plain, pretty, rows
from tests.cast import Company, signed_in
from tests.pages.browsing import text

CYRILLIC_A, GREEK_O, RLO, ZERO_WIDTH, FILLER = "\u0430", "\u03bf", "\u202e", "\u200b", "\u3164"


def bare(shown: str) -> str:
    """Give what is shown, without markup."""
    return unescape(re.sub(r"<[^>]+>", "", shown))


@pytest.mark.parametrize(
    ("written", "marked"),
    [
        (f"p{CYRILLIC_A}yp{CYRILLIC_A}l", {1, 4}), (f"Acme C{GREEK_O}rp", {6}), ("\u0441\u0442p\u043e\u043a\u0430", {2}),
        ("\uff50aypal", {0}), ("order 1\u0662\u0663", set()), ("1\u0662\u09e9", {2}),
    ],
)  # fmt: skip
def test_a_letter_of_another_script_than_its_word_is_marked(written: str, marked: set[int]) -> None:
    assert strangers(written) == marked
    assert plain(written).count('class="strange-char"') == len(marked)
    assert bare(plain(written)) == written, "marked, and not changed"


@pytest.mark.parametrize(
    "written",
    [
        "Müller & Søn",
        "Ελληνικά and English",
        "Привет, world",
        "東京タワーです",
        "naïve façade",
        "plain",
        "e\u0301te\u0301",
        "👍🏽 ok\ufe0f",
    ],
)
def test_what_people_write_is_not_marked(written: str) -> None:
    assert "class=" not in plain(written)


@pytest.mark.parametrize(
    "char",
    [
        RLO,
        ZERO_WIDTH,
        FILLER,
        "\u2066",
        "\u00ad",
        "\u2800",
        "\U000e0041",
        "\U000e0101",
        "\x07",
        "\ufeff",
        "\u034f",
        "\u061c",
    ],
)
def test_what_cannot_be_seen_stands_as_its_code_point(char: str) -> None:
    for shown in (plain(f"a{char}b"), rows({"name": f"a{char}b"})[0].value, plain(pretty({"name": f"a{char}b"}))):
        assert char not in shown
        assert f"U+{ord(char):04X}" in shown or f"\\u{ord(char):04x}" in shown
    assert char not in visible(f"a{char}b")


def test_marks_that_pile_up_do_not_cover_what_stands_around() -> None:
    shown = plain("a" + "\u0301" * 40)
    assert shown.count("U+0301") == 36


def test_names_are_shown_as_carefully_as_values() -> None:
    shown = rows({f"am{CYRILLIC_A}unt": {f"x{RLO}y": 1}})
    assert "strange-char" in plain(shown[0].name)
    assert "hidden-char" in plain(shown[1].name)


def test_the_inbox_the_card_and_the_history_tell_it(acme: Company) -> None:
    run = acme.run(f"Pay p{CYRILLIC_A}yp{CYRILLIC_A}l {RLO}")
    acme.propose(run)
    effect = acme.propose(run, reason=f"for {RLO}evil{ZERO_WIDTH} p{CYRILLIC_A}ypal")
    ann = signed_in(acme.ann)
    card = ann.get(f"/approvals/{effect.request_id}").content.decode()
    assert card.count('title="right-to-left override">U+202E') >= 1
    assert 'title="cyrillic small letter a"' in card
    assert 'class="strange-char"' in ann.get("/approvals").content.decode(), "the run's name above what it asks"
    acme.deny("ann", effect, f"no {ZERO_WIDTH}")
    for address in ("/approvals", "/approvals/history", f"/approvals/{effect.request_id}"):
        page = ann.get(address).content.decode()
        assert RLO not in page
        assert ZERO_WIDTH not in page


def test_depth_and_length_hide_nothing(acme: Company) -> None:  # APR-17
    deep: object = "DELETE-ALL"
    for level in range(60):
        deep = {f"level {level}": deep}
    shown = rows({"deep": deep, "long": "x" * 9000 + "DELETE-ALL", "list": [{"n": each} for each in range(300)]})
    assert [row.value for row in shown if row.kind == "text"][:2] == ["DELETE-ALL", "x" * 9000 + "DELETE-ALL"]
    assert sum(row.kind == "number" for row in shown) == 300
    effect = acme.propose(acme.run(), reason="y" * 1900 + " DELETE-ALL")
    assert "DELETE-ALL" in text(signed_in(acme.ann).get(f"/approvals/{effect.request_id}"))
