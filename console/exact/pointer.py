"""JSON pointers (RFC 6901): how a refusal names the place of a fault."""

from collections.abc import Iterable

LONGEST = 1000  # a pointer is shown to people and put in answers, so a hostile key may not make it endless


def pointer(parts: Iterable[str | int]) -> str:
    """Give the pointer to the place that `parts` lead to; the whole document is the empty text."""
    text = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
