"""Text from outside, shown so that it cannot pretend: what is invisible or turns the reading direction is escaped."""


def visible(text: str) -> str:
    """Give the text with every character that cannot be seen (line breaks too) written as its escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
