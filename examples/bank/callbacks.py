"""Telling somebody later: signed callbacks in the form of Standard Webhooks, sent once, twice, late or out of order."""

import asyncio
import base64
import hmac
import json
from hashlib import sha256
from time import time
from typing import Any
from urllib.parse import urlsplit

PATIENCE_SECONDS = 10.0


def signature(secret: str, ident: str, stamp: int, body: bytes) -> str:
    """Sign a message: v1,base64(HMAC-SHA256(secret, id.timestamp.body)); the secret is whsec_ and base64."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return "v1," + base64.b64encode(hmac.new(key, f"{ident}.{stamp}.".encode() + body, sha256).digest()).decode()


async def tell(where: dict[str, Any], told: dict[str, Any]) -> None:
    """Send the callback that `where` ({url, secret, mode, delay_seconds}) asks for.

    Modes: once; doubled (the same message twice); reordered (what happened last is told first, then that it began)."""
    await asyncio.sleep(float(where.get("delay_seconds", 0)))
    done = {"type": "effect.committed", "data": told}
    begun = {"type": "effect.accepted", "data": {**told, "status": "pending"}}
    modes = {"once": [done], "doubled": [done, done], "reordered": [done, begun]}
    for message in modes[where.get("mode", "once")]:
        kind = str(message["type"]).rpartition(".")[2]
        await _post(where["url"], where.get("secret", ""), f"msg_{told['id']}_{kind}", message)


async def _post(url: str, secret: str, ident: str, message: dict[str, Any]) -> None:
    parts = urlsplit(url)
    body, stamp = json.dumps(message).encode(), int(time())
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
