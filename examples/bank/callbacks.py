"""Telling somebody by itself: signed as Standard Webhooks are; once, twice, late, early, again, forged or out of order."""

import asyncio
import base64
import hmac
import json
from dataclasses import dataclass
from hashlib import sha256
from time import time
from typing import Any
from urllib.parse import urlsplit

PATIENCE_SECONDS = 10.0
MODES = ("once", "doubled", "reordered", "late", "early", "forged", "replayed")


@dataclass(frozen=True, slots=True)
class Where:
    """Where a callback goes, who signs it, and how it is sent."""

    url: str
    secret: str = ""
    mode: str = "once"
    delay_seconds: float = 0.0

    @property
    def is_early(self) -> bool:
        """Whether it is sent before the call is answered."""
        return self.mode == "early"


def where(told: object, *, url: str, secret: str, mode: str) -> Where | None:
    """Read what a behaviour says of its callback: a mode, or {url, secret, mode, delay_seconds}; the rest is as the bank has it.

    None when nobody is to be told: nothing is said and the bank knows no address."""
    said = {"mode": told} if isinstance(told, str) else told if isinstance(told, dict) else {}
    if not (url or said.get("url")) or told is False:
        return None
    mode = str(said.get("mode", mode))
    if mode not in MODES:
        raise ValueError(f"a callback's mode is one of {', '.join(MODES)}, not {mode!r}")
    delay = float(said.get("delay_seconds", 2.0 if mode == "late" else 0.0))
    return Where(str(said.get("url", url)), str(said.get("secret", secret)), mode, delay)


def signature(secret: str, ident: str, stamp: int, body: bytes) -> str:
    """Sign a message: v1,base64(HMAC-SHA256(secret, id.timestamp.body)); after whsec_ the secret is base64, else its text counts."""
    bare = secret.removeprefix("whsec_")
    key = secret.encode() if bare == secret else base64.b64decode(bare)
    return "v1," + base64.b64encode(hmac.new(key, f"{ident}.{stamp}.".encode() + body, sha256).digest()).decode()


async def tell(to: Where, told: dict[str, Any]) -> None:
    """Send the callback about what was done, or refused.

    doubled: the same message twice. reordered: what happened last is told first, then that it began. forged: signed by somebody
    else. replayed: once, and a second later the very same bytes again. late and early say only when it is sent."""
    await asyncio.sleep(to.delay_seconds)
    status = str(told.get("status", "committed"))
    done = {"type": f"effect.{status}", "data": told}
    begun = {"type": "effect.accepted", "data": {**told, "status": "pending"}}
    messages = {"doubled": [done, done], "reordered": [done, begun], "replayed": [done, done]}.get(to.mode, [done])
    secret = "somebody-elses" if to.mode == "forged" else to.secret
    stamp = int(time())
    for number, message in enumerate(messages):
        if to.mode == "replayed" and number:
            await asyncio.sleep(1)
        kind = str(message["type"]).rpartition(".")[2]
        ident = f"msg_{told.get('id') or told.get('operation')}_{kind}"
        await _post(to.url, secret, ident, stamp if to.mode == "replayed" else int(time()), message)


async def _post(url: str, secret: str, ident: str, stamp: int, message: dict[str, Any]) -> None:
    parts = urlsplit(url)
    body = json.dumps(message).encode()
    head = (
        f"POST {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"webhook-id: {ident}\r\nwebhook-timestamp: {stamp}\r\n"
    )
    if secret:
        head += f"webhook-signature: {signature(secret, ident, stamp, body)}\r\n"
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
            writer.write(head.encode() + b"\r\n" + body)
            await writer.drain()
            await reader.read()
            writer.close()
    except OSError as error:
        print(f"bank: callback to {url} failed: {error}", flush=True)
