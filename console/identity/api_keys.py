"""An agent's key: minted, shown once, kept as a digest, found again."""

import hashlib
import secrets
from datetime import datetime

from console.identity.models import Agent, ApiKey

PREFIX = "cf_"


def mint(agent: Agent, expires_at: datetime, scopes: list[str]) -> tuple[ApiKey, str]:
    """Make a key for an agent; the text is given here and never again."""
    text = PREFIX + secrets.token_urlsafe(32)
    key = ApiKey(
        tenant_id=agent.tenant_id,
        agent=agent,
        prefix=text[:10],
        digest=digest_of(text),
        scopes=scopes,
        expires_at=expires_at,
    )
    return key, text


def digest_of(text: str) -> bytes:
    """Give the digest under which a key is kept."""
    return hashlib.sha256(text.encode()).digest()
