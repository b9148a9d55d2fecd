"""Half a surrogate pair is no character: it cannot be written as UTF-8, so it is refused wherever text comes in."""


def has_surrogate(text: str) -> bool:
    """Tell whether the text holds half of a surrogate pair."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
