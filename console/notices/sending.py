"""Sending one letter, once: a signed webhook to the address that was judged, an e-mail, or a message by apprise.

Whatever breaks is an answer."""

import logging
import socket
import time
from collections.abc import Mapping
from typing import Final

import aiohttp

from console.notices import sealing, signing
from console.notices.addresses import Blocked, Judging, check_url
from console.notices.fate import KEPT_BYTES, Answer, as_text
from console.notices.letters import Letter, body
from console.notices.mailing import Postmen
from console.notices.states import DELIVERED

logger = logging.getLogger(__name__)
TIMEOUT_SECONDS: Final = 10.0


def session() -> aiohttp.ClientSession:
    """Open what webhooks are sent with: no proxies, no cookies, and no connection that is used twice."""
    connector = aiohttp.TCPConnector(
        resolver=Judging(), use_dns_cache=False, force_close=True, limit=0, happy_eyeballs_delay=None
    )
    return aiohttp.ClientSession(
        connector=connector, trust_env=False, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False,
        timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS),
    )  # fmt: skip


async def send(letter: Letter, webhooks: aiohttp.ClientSession, postmen: Mapping[str, Postmen]) -> Answer:
    """Send it and say what became of it; only cancellation is raised."""
    if not letter.wanted:
        return Answer("stopped")
    try:
        if letter.channel in postmen:
            return await postmen[letter.channel].carry(letter)
        return await post(letter, webhooks)
    except (Blocked, sealing.Unreadable, TimeoutError, aiohttp.ClientError) as fault:
        return _broken(fault)
    except Exception as fault:
        logger.exception("%s %s broke in an unforeseen way", letter.channel, letter.delivery_id)
        return Answer("unreachable", said=type(fault).__name__)


async def post(letter: Letter, webhooks: aiohttp.ClientSession) -> Answer:
    """Send a webhook; a redirect is an answer that is not followed. Raises Blocked, Unreadable, TimeoutError, ClientError."""
    check_url(letter.address)
    if letter.endpoint_id is None or letter.sealed_secret is None:
        raise TypeError("a webhook goes to an endpoint")
    secret = sealing.opened(letter.endpoint_id, letter.sealed_secret)
    content, now, named = body(letter), int(time.time()), str(letter.delivery_id)
    headers = {
        "content-type": "application/json", "user-agent": "Counterfoil", "webhook-id": named, "webhook-timestamp": str(now),
        "webhook-signature": signing.signature(secret, named, now, content),
    }  # fmt: skip
    async with webhooks.post(letter.address, data=content, headers=headers, allow_redirects=False) as answered:
        said = await answered.content.read(KEPT_BYTES)
        status = answered.status
    if 200 <= status < 300:
        return Answer(DELIVERED, status, as_text(said))
    return Answer("redirected" if 300 <= status < 400 else "refused", status, as_text(said))


def _broken(fault: Exception) -> Answer:
    """Tell what broke; an address that was not allowed is found inside what the client makes of it."""
    if isinstance(fault, sealing.Unreadable):
        return Answer("unreadable", said=sealing.Unreadable.__doc__ or "")
    inner: BaseException | None = fault
    while inner is not None:
        if isinstance(inner, Blocked):
            return Answer("blocked", said=str(inner))
        inner = inner.__cause__ or inner.__context__
    if isinstance(fault, TimeoutError):
        return Answer("timeout", said=f"No whole answer came within {TIMEOUT_SECONDS:.0f} s.")
    if isinstance(getattr(fault, "os_error", None), socket.gaierror):
        return Answer("unreachable", said="The host's name cannot be resolved.")
    return Answer("unreachable", said=type(fault).__name__)
