"""The one refusal of this package, and its codes."""

NOT_UTF8 = "not_utf8"
BOM = "bom"
MALFORMED = "malformed"
DUPLICATE_KEY = "duplicate_key"
BAD_NUMBER = "bad_number"
NUL = "nul"
LONE_SURROGATE = "lone_surrogate"
TOO_DEEP = "too_deep"
NOT_EXACT = "not_exact"

CODES = frozenset({NOT_UTF8, BOM, MALFORMED, DUPLICATE_KEY, BAD_NUMBER, NUL, LONE_SURROGATE, TOO_DEEP, NOT_EXACT})


class BadJSON(ValueError):
    """The text or value is not JSON that can be kept exactly; `code` is stable, `path` is a JSON pointer."""

    def __init__(self, code: str, path: str, detail: str) -> None:
        super().__init__(f"{detail} (at {path or 'the top'})")
        self.code = code
        self.path = path
        self.detail = detail
