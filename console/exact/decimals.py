"""Which numbers are taken, and the one text that each has in canonical form.

A number is taken when its text is JSON's and at most 256 characters, it has at most 100 significant digits, and its
first digit stands no further than 100 places from the ones. Nothing rounds: Python's decimal contexts are not used.
"""

import re
from decimal import Decimal, InvalidOperation

from console.exact.value import Number

DIGITS = 100
PLACES = 100
LITERAL = 256

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_DECIMAL_STRING = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_SURELY_WITHIN = 10**DIGITS


class OutOfRange(ValueError):
    """The number has more digits, or a larger exponent, than is taken."""


def whole(text: str) -> int:
    """Read a JSON whole number exactly; OutOfRange when it is too large."""
    if len(text) <= DIGITS:
        return int(text)
    if len(text) > LITERAL:
        raise OutOfRange("it is written with too many characters")
    number = int(text)
    check(number)
    return number


def fraction(text: str) -> Decimal:
    """Read a JSON number with a point or an exponent exactly; OutOfRange when it is too large or too fine."""
    if len(text) > LITERAL:
        raise OutOfRange("it is written with too many characters")
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise OutOfRange("its exponent is too large") from None
    if not -PLACES <= number.adjusted() <= PLACES:
        raise OutOfRange(f"its first digit stands more than {PLACES} places from the ones")
    if len(text) > DIGITS:
        check(number)
    return number


def check(number: Number) -> None:
    """Refuse, as OutOfRange, a number that could not have been read."""
    if isinstance(number, int):
        if -_SURELY_WITHIN < number < _SURELY_WITHIN:
            return
        number = Decimal(number)
    if not number.is_finite():
        raise OutOfRange("it is not finite")
    if not -PLACES <= number.adjusted() <= PLACES:
        raise OutOfRange(f"its first digit stands more than {PLACES} places from the ones")
    if len("".join(map(str, number.as_tuple().digits)).strip("0")) > DIGITS:
        raise OutOfRange(f"it has more than {DIGITS} significant digits")


def number_text(number: Number) -> str:
    """Give the canonical text of a number: plain digits, no exponent, no needless zero, never a negative zero."""
    check(number)
    if isinstance(number, int):
        return int.__repr__(number)
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def from_text(text: str) -> Decimal | None:
    """Read any text that JSON would read as a number, exactly; None when it is not one or not one that is taken."""
    if len(text) > LITERAL or not _JSON_NUMBER.fullmatch(text):
        return None
    try:
        number = fraction(text)
        check(number)
    except OutOfRange:
        return None
    return number


def decimal_string(text: str) -> Decimal | None:
    """Read a decimal string (plain digits, no exponent, no leading zero); None for any other text."""
    if not text or text[-1] not in "0123456789" or not _DECIMAL_STRING.fullmatch(text):
        return None
    return from_text(text)
