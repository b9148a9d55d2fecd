"""Patterns as JSON Schema means them: `$` is the very end of the text, and classes such as \\d are of ASCII."""

import re
from functools import lru_cache

_DOLLAR = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(\$)", re.DOTALL)


@lru_cache(maxsize=1024)
def regular_expression(pattern: str) -> re.Pattern[str]:
    """Read a pattern. Raises re.error."""
    return re.compile(_DOLLAR.sub(lambda token: r"\Z" if token[1] else token[0], pattern), re.ASCII)
