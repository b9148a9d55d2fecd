"""Whom the services run as: whoever starts them, or, for root, whom PostgreSQL refuses, an account with no rights."""

import os
import pwd
from dataclasses import dataclass

UNPRIVILEGED = "nobody"


class NoAccount(Exception):
    """Root started the services, and there is no unprivileged account to run PostgreSQL as."""


@dataclass(frozen=True)
class Account:
    """An account that exists already; none is ever made."""

    uid: int
    gid: int

    def takes(self, path: str | os.PathLike[str]) -> None:
        """Make the account own a file or folder that we have just made."""
        os.chown(path, self.uid, self.gid, follow_symlinks=False)


def account() -> Account | None:
    """Give the account that the services run as, or None: as whoever asks."""
    if os.geteuid() != 0:
        return None
    try:
        found = pwd.getpwnam(UNPRIVILEGED)
    except KeyError as error:
        raise NoAccount(f"PostgreSQL does not run as root, and there is no account '{UNPRIVILEGED}'.") from error
    return Account(found.pw_uid, found.pw_gid)
