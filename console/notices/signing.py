"""The signature of Standard Webhooks, of what we send and of what comes: HMAC-SHA256 over message id, timestamp and body. Pure."""

import base64
import binascii
import hmac
from hashlib import sha256


def signature(secret: str, message_id: str, stamp: int, body: bytes) -> str:
    """Sign: v1, and the base64 of HMAC-SHA256 over `id.timestamp.body`."""
    signed = f"{message_id}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key(secret), signed, sha256).digest()).decode()


def key(secret: str) -> bytes:
    """Give the bytes of a secret: of `whsec_…` those that its base64 stands for, else those of its text."""
    bare = secret.removeprefix("whsec_")
    if bare != secret:
        try:
            return base64.b64decode(bare, validate=True)
        except binascii.Error:
            pass
    return secret.encode()
