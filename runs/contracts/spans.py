"""Spans of time as contracts give them, in words: 0.5 s, 30 min, 1 h 30 min, 30 days."""

from decimal import Decimal

UNITS = (("day", 86400), ("h", 3600), ("min", 60))


def in_words(seconds: int | float | Decimal) -> str:
    """Say a span exactly, in the units that people use."""
    rest = Decimal(str(seconds))
    parts = []
    for unit, size in UNITS:
        whole, rest = divmod(rest, size)
        if whole:
            parts.append(f"{whole:f} {unit}{'s' if unit == 'day' and whole != 1 else ''}")
    if rest or not parts:
        number = f"{rest:f}"
        parts.append(f"{number.rstrip('0').rstrip('.') if '.' in number else number} s")
    return " ".join(parts)
