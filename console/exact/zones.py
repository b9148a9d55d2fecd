"""Time zones by the names of the IANA database."""

from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

OF_A_MACHINE: Final = ("localtime", "posixrules", "factory")
LAID_BESIDE: Final = ("right/", "posix/")


def zone(name: str) -> ZoneInfo | None:
    """Give a zone of the IANA database by its name; None when there is none.

    What a machine calls its own is none: it differs from one to the next, and `right/` counts leap seconds, which the database does not."""
    if name.lower() in OF_A_MACHINE or name.lower().startswith(LAID_BESIDE):
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
