"""Whether somebody typed exactly the target, and where not: letters that look alike are told apart by their names. Pure."""

import unicodedata
from itertools import zip_longest
from typing import NamedTuple

MOST_TOLD = 5
WIDEST_PLAIN = 0x7E


class Letter(NamedTuple):
    """A character by its place, from 1, and its name."""

    place: int
    name: str


def is_typed(typed: str, target: str) -> bool:
    """Tell whether both are the same text, however their accents are composed (NFC); nothing is trimmed, and no case is folded."""
    return unicodedata.normalize("NFC", typed) == unicodedata.normalize("NFC", target)


def differences(typed: str, target: str) -> list[str]:
    """Say where they differ, at most five places: 3: CYRILLIC SMALL LETTER A in place of LATIN SMALL LETTER A."""
    pairs = zip_longest(unicodedata.normalize("NFC", typed), unicodedata.normalize("NFC", target))
    found = [
        f"{place}: {_name(mine)} in place of {_name(theirs)}"
        for place, (mine, theirs) in enumerate(pairs, 1)
        if mine != theirs
    ]
    more = len(found) - MOST_TOLD
    return found[:MOST_TOLD] + ([f"and {more} more"] if more > 0 else [])


def unusual(target: str) -> list[Letter]:
    """Name the characters of a target that a plain keyboard does not have, or that are not seen at all."""
    text = unicodedata.normalize("NFC", target)
    return [Letter(place, _name(each)) for place, each in enumerate(text, 1) if not " " <= each <= chr(WIDEST_PLAIN)]


def _name(letter: str | None) -> str:
    if letter is None:
        return "nothing"
    return unicodedata.name(letter, f"U+{ord(letter):04X}")
