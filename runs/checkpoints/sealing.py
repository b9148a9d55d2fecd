"""The agent's state at rest: sealed with the first of the keys in CHECKPOINT_KEYS, opened with whichever sealed it (R-G3).

A key has a name, its fingerprint, which stands beside what it sealed: so `manage.py reseal` finds what an older key sealed, and a key
that is still needed is missed before anybody needs it."""

import base64
import hashlib
from collections.abc import Sequence
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from console.http.refusals import Refusal

NAME_LENGTH: Final = 16


class NoKeys(Refusal):
    """This installation has no keys to seal an agent's state with, so that none is kept."""

    code = "no_checkpoint_keys"
    status = 503
    recorded = False


class Unreadable(Exception):
    """The state cannot be opened: its key is not among CHECKPOINT_KEYS, or what was kept is damaged or cut off."""


def seal(content: bytes) -> tuple[bytes, str]:
    """Seal a state with the first key; gives it and the key's name. Raises NoKeys."""
    keys = _keys()
    if not keys:
        raise NoKeys
    return base64.urlsafe_b64decode(Fernet(keys[0]).encrypt(content)), fingerprint(keys[0])


def unseal(sealed: bytes) -> bytes:
    """Open what `seal` made with any of the keys. Raises Unreadable."""
    keys = _keys()
    if not keys:
        raise Unreadable
    try:
        return MultiFernet([Fernet(key) for key in keys]).decrypt(base64.urlsafe_b64encode(bytes(sealed)))
    except InvalidToken:
        raise Unreadable from None


def reseal(sealed: bytes) -> tuple[bytes, str]:
    """Seal anew, with the first key, what any of the keys sealed. Raises NoKeys, Unreadable."""
    return seal(unseal(sealed))


def names() -> list[str]:
    """Give the names of the keys, the one that seals first."""
    return [fingerprint(key) for key in _keys()]


def fingerprint(key: str) -> str:
    """Name a key without telling it."""
    return hashlib.sha256(b"counterfoil checkpoint key\n" + base64.urlsafe_b64decode(key)).hexdigest()[:NAME_LENGTH]


def _keys() -> Sequence[str]:
    keys: Sequence[str] = settings.CHECKPOINT_KEYS
    return keys
