"""Endpoints' secrets at rest: sealed with a key made from SECRET_KEY and the endpoint's id, so a copy of the database signs nothing."""

import base64
import hashlib
import hmac
import secrets
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

PREFIX = "whsec_"
BYTES = 32


class Unreadable(Exception):
    """The secret cannot be opened: it was sealed under another SECRET_KEY. Give the endpoint a new secret."""


def new_secret() -> str:
    """Make a secret in the form of Standard Webhooks: whsec_ and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def seal(endpoint_id: UUID, secret: str) -> str:
    """Seal a secret for one endpoint."""
    return _box(endpoint_id).encrypt(secret.encode()).decode()


def opened(endpoint_id: UUID, sealed: str) -> str:
    """Open what `seal` made for this endpoint. Raises Unreadable."""
    try:
        return _box(endpoint_id).decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise Unreadable from None


def _box(endpoint_id: UUID) -> Fernet:
    key = hmac.new(settings.SECRET_KEY.encode(), b"counterfoil endpoint secret\n" + endpoint_id.bytes, hashlib.sha256)
    return Fernet(base64.urlsafe_b64encode(key.digest()))
