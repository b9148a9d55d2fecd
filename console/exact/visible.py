"""Text from outside, shown so that it cannot pretend: what hides, turns the reading direction or is of another script is told."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

# Printable by their category, and yet nothing to be seen: fillers, a blank of Braille, joiners, selectors that carry text unseen.
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code) for code in (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0))
}
WORD = re.compile(r"\w+")
# Scripts whose letters look like each other's, by the first word of a letter's name; those of East Asia are written together.
EAST = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO")
SCRIPTS = frozenset(
    [
        "LATIN",
        "CYRILLIC",
        "GREEK",
        "ARMENIAN",
        "CHEROKEE",
        "COPTIC",
        "GEORGIAN",
        "HEBREW",
        "ARABIC",
        "LISU",
        "FULLWIDTH",
        "MATHEMATICAL",
    ]
) | frozenset(EAST)
STACKED = 4  # so many marks on one letter are somebody's writing; more cover what stands around them


def visible(text: str) -> str:
    """Give the text with every character that cannot be seen (line breaks too) written as its escape."""
    if text.isprintable() and BLANKS.isdisjoint(text):
        return text
    return "".join(_escape(char) if hides(char) else char for char in text)


def hides(char: str) -> bool:
    """Tell whether nothing of a character is to be seen."""
    return not char.isprintable() or char in BLANKS


def strangers(text: str) -> frozenset[int]:
    """Name the places of letters and digits of another script than their word, as in a name that only looks like one."""
    if text.isascii():
        return frozenset()
    return frozenset(
        word.start() + place for word in WORD.finditer(text) if not word[0].isascii() for place in _strange(word[0])
    )


def piled(text: str) -> frozenset[int]:
    """Name the places of marks that are piled on a letter which bears enough already."""
    if text.isascii():
        return frozenset()
    found, height = [], 0
    for place, char in enumerate(text):
        height = height + 1 if unicodedata.combining(char) else 0
        if height > STACKED:
            found.append(place)
    return frozenset(found)


def _strange(word: str) -> list[int]:
    scripts = [_script(char) for char in word]
    known = Counter(filter(None, scripts))
    if len(known) < 2:
        return []
    main = max(known, key=lambda script: (known[script], script == "LATIN"))
    return [place for place, script in enumerate(scripts) if script and script != main]


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    """Name the script of a letter or digit; nothing where it belongs to all of them."""
    name = unicodedata.name(char, "")
    if char.isdecimal():
        return "" if char.isascii() else name.rpartition(" DIGIT ")[0]
    first = name.partition(" ")[0]
    if not char.isalpha() or first not in SCRIPTS:
        return ""
    return "EAST" if first in EAST else first


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
