"""The signature of Standard Webhooks: HMAC-SHA256 over message id, timestamp and body. Pure."""

import base64
import hashlib
import hmac


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Sign a message with a secret `whsec_…`; gives what stands in webhook-signature."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
