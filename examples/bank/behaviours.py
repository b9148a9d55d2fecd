"""How the bank can treat a request. Each is a coroutine over the deed: what would be done if all went well.

Doing the deed means: an effect is committed (once, where the bank keeps keys), a question is answered."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email.utils import formatdate
from time import time
from typing import Any

from examples.bank.documents import write
from examples.bank.wire import DROP, HANG, Reply, written

A_LONG_TIME = 3600.0


@dataclass(slots=True)
class Behaviour:
    """A behaviour's name and its particulars (seconds, reason, …)."""

    do: str
    more: dict[str, Any] = field(default_factory=dict)

    def shown(self) -> dict[str, Any]:
        """Give it as a script has it."""
        return {"do": self.do, **self.more}

    def seconds(self, default: float) -> float:
        """Give its seconds."""
        return float(self.more.get("seconds", default))


@dataclass(slots=True)
class Deed:
    """What a behaviour can do about the request at hand."""

    do: Callable[[], Awaitable[Reply]]
    do_part: Callable[[], Awaitable[Reply]]  # two of three parts
    promise: Callable[[Behaviour], Reply]  # take it on, and do it later
    pretend: Callable[[], Reply]  # say what would be said
    keep_first: Callable[
        [Behaviour], Awaitable[None]
    ]  # where the callback is early: do it, and tell, before the answer


async def nothing(how: Behaviour) -> None:
    """Do nothing first."""


Treat = Callable[[Behaviour, Deed], Awaitable[Reply]]


def said(status: int, headers: dict[str, str] | None = None, /, **body: Any) -> Reply:
    """Answer with a JSON body."""
    return Reply(status, write(body), headers or {})


async def commit_and_answer(how: Behaviour, deed: Deed) -> Reply:
    """Do it and say so."""
    return await deed.do()


async def commit_and_drop(how: Behaviour, deed: Deed) -> Reply:
    """Do it and close the connection without a word."""
    await deed.do()
    return DROP


async def commit_and_500(how: Behaviour, deed: Deed) -> Reply:
    """Do it and claim to have failed."""
    await deed.do()
    return said(500, reason="internal error")


async def commit_and_hang(how: Behaviour, deed: Deed) -> Reply:
    """Do it, and say so too late."""
    reply = await deed.do()
    await asyncio.sleep(how.seconds(A_LONG_TIME))
    return reply


async def late_commit(how: Behaviour, deed: Deed) -> Reply:
    """Do it when whoever asked has given up."""
    await asyncio.sleep(how.seconds(30))
    await deed.do()
    return DROP


async def slow(how: Behaviour, deed: Deed) -> Reply:
    """Take some seconds, then do it and say so."""
    await asyncio.sleep(how.seconds(3))
    return await deed.do()


async def accept_202(how: Behaviour, deed: Deed) -> Reply:
    """Say that it will be done: after some seconds, or refused then ("later": "refuse", "reason": …), or "never"."""
    reply = deed.promise(how)
    await deed.keep_first(how)
    return reply


async def partial(how: Behaviour, deed: Deed) -> Reply:
    """Do two of three parts."""
    return await deed.do_part()


async def reject(how: Behaviour, deed: Deed) -> Reply:
    """Refuse it for a reason of business."""
    return said(int(how.more.get("status", 422)), reason=how.more.get("reason", "The account is closed."))


async def forbidden(how: Behaviour, deed: Deed) -> Reply:
    """Refuse whoever asks."""
    return said(403, reason=how.more.get("reason", "This token may not do that."))


async def rate_limit(how: Behaviour, deed: Deed) -> Reply:
    """Ask to come again later: in seconds, or ("form": "date") at a date."""
    seconds = how.seconds(1)
    wish = formatdate(time() + seconds, usegmt=True) if how.more.get("form") == "date" else f"{seconds:.0f}"
    return said(429, {"Retry-After": wish}, reason="Too many requests.")


async def unavailable(how: Behaviour, deed: Deed) -> Reply:
    """Be out of order, perhaps saying until when."""
    headers = {"Retry-After": f"{how.seconds(0):.0f}"} if "seconds" in how.more else {}
    return said(503, headers, reason="Out of order.")


async def hang(how: Behaviour, deed: Deed) -> Reply:
    """Do nothing and say nothing."""
    return HANG


async def drop_before_commit(how: Behaviour, deed: Deed) -> Reply:
    """Do nothing and close the connection."""
    return DROP


async def malformed(how: Behaviour, deed: Deed) -> Reply:
    """Do it (unless "commit": false) and answer with broken JSON."""
    reply = await _perhaps(how, deed)
    return Reply(reply.status, reply.body[: len(reply.body) // 2])


async def truncated(how: Behaviour, deed: Deed) -> Reply:
    """Do it (unless "commit": false) and hang up in the middle of the answer."""
    reply = await _perhaps(how, deed)
    whole = written(reply)
    return Reply(raw=whole[: len(whole) - max(1, len(reply.body) // 2)], then="close")


async def oversized(how: Behaviour, deed: Deed) -> Reply:
    """Do it (unless "commit": false) and answer with far too much ("bytes")."""
    reply = await _perhaps(how, deed)
    return Reply(reply.status, reply.body[:-1] + b',"padding":"' + b"x" * int(how.more.get("bytes", 1 << 20)) + b'"}')


async def wrong_content_type(how: Behaviour, deed: Deed) -> Reply:
    """Do it (unless "commit": false) and answer with a page for people."""
    reply = await _perhaps(how, deed)
    return Reply(reply.status, b"<!doctype html><title>Done</title>", {"Content-Type": "text/html"})


async def garbage(how: Behaviour, deed: Deed) -> Reply:
    """Do it (unless "commit": false) and answer with something that is not HTTP."""
    await _perhaps(how, deed)
    return Reply(raw=b"\x16\x03\x01 what is this?\r\n\r\n", then="close")


async def redirect(how: Behaviour, deed: Deed) -> Reply:
    """Send whoever asks somewhere else ("to")."""
    return Reply(int(how.more.get("status", 307)), headers={"Location": str(how.more.get("to", "/effects"))})


async def answer(how: Behaviour, deed: Deed) -> Reply:
    """Give exactly this "status", "body" and "headers" (with "commit": true after doing it)."""
    if how.more.get("commit", False):
        await deed.do()
    body = how.more.get("body", {})
    raw = body.encode() if isinstance(body, str) else write(body)
    return Reply(int(how.more.get("status", 200)), raw, dict(how.more.get("headers", {})))


async def pretend(how: Behaviour, deed: Deed) -> Reply:
    """Say that it was done, and do nothing."""
    return deed.pretend()


async def _perhaps(how: Behaviour, deed: Deed) -> Reply:
    return await deed.do() if how.more.get("commit", True) else said(200, id="nothing")


BEHAVIOURS: dict[str, Treat] = {
    treat.__name__: treat
    for treat in (
        commit_and_answer, commit_and_drop, commit_and_500, commit_and_hang, late_commit, slow, accept_202, partial,
        reject, forbidden, rate_limit, unavailable, hang, drop_before_commit, malformed, truncated, oversized,
        wrong_content_type, garbage, redirect, answer, pretend,
    )
}  # fmt: skip
