"""The teller: does effects, by the switches and as a behaviour wants it, and keeps what was promised."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

from examples.bank.behaviours import Behaviour, Deed, said
from examples.bank.book import Book, Operation, body_digest
from examples.bank.callbacks import Where, tell, where
from examples.bank.documents import read
from examples.bank.holdings import KINDS, is_deed
from examples.bank.script import Asked
from examples.bank.switches import Switches
from examples.bank.wire import Reply

PRETENDED = {"id": "xx_000000", "status": "committed", "given_back": "0.00", "fee": "0.00"}
Waiting = asyncio.Future[None] | None  # what to wait for until it is on disk


class Teller:
    """Writes into the book what is done."""

    def __init__(self, book: Book, switches: Switches, callback_secret: str = "") -> None:
        self.book = book
        self.switches = switches
        self._secret = callback_secret
        self._later: set[asyncio.Task[None]] = set()

    def do(self, asked: Asked, *, parts: list[Any] | None = None, promised: bool = False) -> tuple[Reply, Waiting]:
        """Do it, or say why not."""
        book, request, key = self.book, asked.request, asked.key
        if (refusal := self._refusal(asked)) is not None:
            return refusal, None
        if self.switches.idempotency and (before := self._before(asked, promised=promised)) is not None:
            return before
        try:
            entry = book.commit(key, request.path, request.body, asked.body, fence=asked.fence, parts=parts)
        except OSError as error:
            return said(500, reason=f"The ledger cannot be written: {error}"), None
        return said(200 if parts else 201, **entry.told), book.ledger.durable()

    def deed(self, how: Behaviour, asked: Asked) -> Deed:
        """Give what a behaviour can do about the request."""
        era = self.book.era
        return Deed(
            do=partial(self._done, how, asked, era),
            do_part=partial(self._done, how, asked, era, parts=_two_of_three(asked.body)),
            promise=lambda how: self._promise(how, asked),
            pretend=lambda: said(201, **{**asked.body, **PRETENDED, "key": asked.key}),
            keep_first=lambda how: self._keep_first(how, asked),
        )

    def forget(self) -> None:
        """Break every promise (tests)."""
        for task in self._later:
            task.cancel()

    def _refusal(self, asked: Asked) -> Reply | None:
        if not _is_payable(asked.body.get("amount", 1)):
            return said(422, reason="The amount must be a number above zero.")
        path = asked.request.path
        if is_deed(path) and path.lstrip("/") not in KINDS and self.book.holdings.find(path) is None:
            return said(404, reason="There is no such thing to do it about.")
        if asked.fence is None:
            return None
        calls = self.book.of(asked.key)
        if self.switches.fence_aware and asked.fence < calls.highest_fence:
            return said(409, reason="A newer worker was here.", highest_fence=calls.highest_fence)
        calls.highest_fence = max(calls.highest_fence, asked.fence)
        return None

    def _before(self, asked: Asked, *, promised: bool) -> tuple[Reply, Waiting] | None:
        """Give the answer that this key already has, if it has one."""
        entry = self.book.last(asked.key, within=self.switches.idempotency_seconds)
        if entry is not None:
            if self.switches.mismatch and entry.digest != body_digest(asked.request.path, asked.request.body):
                return said(422, reason="This key was used for something else."), None
            return said(200, {"Idempotent-Replayed": "true"}, **entry.told), self.book.ledger.durable()
        operation = self.book.promise(asked.key)
        return None if promised or operation is None or operation.state != "pending" else (pending(operation), None)

    async def _done(
        self, how: Behaviour, asked: Asked, era: int, *, parts: list[Any] | None = None, promised: bool = False
    ) -> Reply:
        if era != self.book.era:
            return said(410, reason="A new book has been begun.")
        reply, waiting = self.do(asked, parts=parts, promised=promised)
        if waiting is not None:
            await waiting
        if reply.status < 300 and not promised and "callback" in how.more and (to := self._where(how)):
            self._in_the_background(tell(to, read(reply.body)))
        return reply

    def _promise(self, how: Behaviour, asked: Asked) -> Reply:
        operation = self.book.promise(asked.key)
        if not self.switches.idempotency or operation is None or operation.state != "pending":
            operation = self.book.take_on(asked.key)
            to = self._where(how)
            if how.more.get("later") != "never" and not (to and to.is_early):
                self._in_the_background(self._keep_promise(operation, how, asked))
        return pending(operation)

    async def _keep_promise(self, operation: Operation, how: Behaviour, asked: Asked) -> None:
        to = self._where(how)
        await asyncio.sleep(how.seconds(0 if to and to.is_early else 2))
        if operation.state != "pending":
            return  # it was cancelled meanwhile
        told: dict[str, Any] = {"operation": operation.id, "key": operation.key}
        if how.more.get("later") == "refuse":
            operation.state, operation.reason = "refused", how.more.get("reason", "The account is closed.")
            told |= {"status": "refused", "reason": operation.reason}
        else:
            reply = await self._done(how, asked, self.book.era, promised=True)
            operation.state = "committed" if reply.status < 300 else "refused"
            told |= {"status": operation.state, **read(reply.body)}
        if to is not None:
            await tell(to, told)

    async def _keep_first(self, how: Behaviour, asked: Asked) -> None:
        """Where the callback is early, do what was promised and tell of it before the promise is answered."""
        to, operation = self._where(how), self.book.promise(asked.key)
        if to is not None and to.is_early and operation is not None and operation.state == "pending":
            await self._keep_promise(operation, how, asked)

    def _where(self, how: Behaviour) -> Where | None:
        """Give whom to tell: whom the behaviour names, else whom the switches do."""
        mode = self.switches.callback_mode
        return where(how.more.get("callback"), url=self.switches.callback_url, secret=self._secret, mode=mode)

    def _in_the_background(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)


def pending(operation: Operation) -> Reply:
    """Say that it was taken on and is not done yet."""
    return said(202, operation=operation.id, key=operation.key, status="pending")


def _is_payable(amount: object) -> bool:
    try:
        return not isinstance(amount, bool) and float(str(amount)) > 0
    except ValueError:
        return False


def _two_of_three(body: dict[str, Any]) -> list[Any]:
    named = body.get("parts")
    names = named if isinstance(named, list) and named else ["first", "second", "third"]
    last = len(names) - 1
    return [{"part": name, "done": True} for name in names[:last]] + [
        {"part": names[last], "done": False, "reason": "Out of stock."}
    ]
