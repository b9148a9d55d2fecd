"""The counter: what is asked at which address, and who sees to it."""

import asyncio
import hmac
import json
from collections.abc import Callable, Coroutine
from decimal import Decimal
from typing import Any

from examples.bank.behaviours import BEHAVIOURS, Behaviour, Deed, nothing, said
from examples.bank.book import Book, Operation
from examples.bank.documents import read
from examples.bank.holdings import KINDS, is_deed
from examples.bank.orders import order
from examples.bank.script import Asked, BadScript, Script, behaviour
from examples.bank.switches import BadSwitch, Switches
from examples.bank.teller import Teller, pending
from examples.bank.wire import Reply, Request

EFFECTS = frozenset({"/refunds", "/transfers", "/effects"})
Served = Reply | Coroutine[None, None, Reply]


class Counter:
    """Serves requests from the book, by the switches and the script, or else as `manner` has it (the demo's)."""

    def __init__(
        self, book: Book, token: str, switches: Switches, manner: Callable[[Asked], Behaviour | None] | None = None,
        callback_secret: str = "",
    ) -> None:  # fmt: skip
        self.book = book
        self.switches = switches
        self.script = Script()
        self._manner = manner
        self._token = f"Bearer {token}".encode()
        self._teller = Teller(book, switches, callback_secret)
        self._pages: dict[tuple[str, str], Callable[[Request], Served]] = {
            ("GET", "/ledger"): self._ledger,
            ("GET", "/calls"): self._calls,
            ("GET", "/script"): self._shown,
            ("POST", "/script"): self._program,
            ("POST", "/reset"): self._reset,
        }

    def serve(self, request: Request) -> Served:
        """Answer one request, at once where nothing has to be waited for."""
        if request.path == "/health":
            return said(200, ok=True, entries=len(self.book.entries))
        if not hmac.compare_digest(request.headers.get("authorization", "").encode("latin-1"), self._token):
            return said(401, {"WWW-Authenticate": "Bearer"}, reason="The token is missing or wrong.")
        if request.method == "POST" and (request.path in EFFECTS or is_deed(request.path)):
            return self._effect(request)
        if request.method == "POST" and request.path.startswith("/effects/") and request.path.endswith("/cancel"):
            return self._cancel(request.path.removeprefix("/effects/").removesuffix("/cancel"))
        if page := self._pages.get((request.method, request.path)):
            return page(request)
        return self._question(request)

    # Effects

    def _effect(self, request: Request) -> Served:
        try:
            body = read(request.body)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            return said(400, reason="The body must be a JSON object.")
        self.book.effect_calls += 1
        key = request.headers.get("idempotency-key") or f"unkeyed-{self.book.effect_calls}"
        token = request.headers.get("fencing-token", "")
        fence = int(token) if token.isdigit() else None
        asked = Asked(request, key, body, fence, self.book.of(key).count + 1, self.book.effect_calls)
        try:
            how = self._how(asked)
        except (BadScript, ValueError) as wrong:
            return said(400, reason=str(wrong))
        self.book.note_call(key, request.path, fence, how.do if how else "commit_and_answer")
        if how is None and not self.switches.latency_seconds:
            reply, waiting = self._teller.do(asked)
            return reply if waiting is None else _after(waiting, reply)
        return self._treat(how or Behaviour("commit_and_answer"), asked)

    def _how(self, asked: Asked) -> Behaviour | None:
        told = asked.request.headers.get("bank-behaviour")
        if told is not None:
            return behaviour(json.loads(told) if told.startswith("{") else told)
        if self.script.rules and (how := self.script.choose(asked)):
            return how
        return self._manner(asked) if self._manner else None

    async def _treat(self, how: Behaviour, asked: Asked) -> Reply:
        if self.switches.latency_seconds:
            await asyncio.sleep(self.switches.latency_seconds)
        return await BEHAVIOURS[how.do](how, self._teller.deed(how, asked))

    # Questions

    def _question(self, request: Request) -> Served:
        if self.script.rules or "bank-behaviour" in request.headers:
            asked = Asked(request, request.path.rpartition("/")[2], {}, None, 0, 0)
            try:
                how = self._how(asked)
            except (BadScript, ValueError) as wrong:
                return said(400, reason=str(wrong))
            if how is not None:
                return self._treat_question(how, request)
        return self._told(request)

    async def _treat_question(self, how: Behaviour, request: Request) -> Reply:
        async def tell_it() -> Reply:
            return self._told(request)

        deed = Deed(
            do=tell_it, do_part=tell_it, promise=lambda how: said(202), pretend=lambda: said(200), keep_first=nothing
        )
        return await BEHAVIOURS[how.do](how, deed)

    def _told(self, request: Request) -> Reply:
        kind, _, ident = request.path.lstrip("/").partition("/")
        reply = self._thing(kind, ident, request.path) if request.method == "GET" and ident else None
        return reply or said(404, reason="There is nothing here.")

    def _thing(self, kind: str, ident: str, path: str) -> Reply | None:
        match kind:
            case "orders" if ident.endswith("/refunds"):
                return self._read_back(ident.removesuffix("/refunds"))
            case "orders":
                return said(200, **self._order(ident))
            case "accounts":
                return said(200, **self.book.held(behind=self._behind()).account(ident))
            case "effects":
                return self._status(ident)
            case "operations" if operation := self.book.operations.get(ident):
                return self._how_it_stands(operation)
        return self._holding(path) if kind in KINDS else None

    def _order(self, number: str) -> dict[str, Any]:
        """Give an order as it stands: each payment about it makes another version."""
        made, records = order(number), self.book.about(number, behind=self._behind())
        paid = sum((Decimal(record["amount"]) for record in records), Decimal())
        return {**made, "version": made["version"] + len(records), "paid_back": f"{paid:.2f}"}

    def _read_back(self, number: str) -> Reply:
        """Give what was done about an order, each record with the key that it came from, and the `last` of them by itself."""
        if self.switches.status == "off":
            return said(501, reason="This bank shows no records.")
        records = self.book.about(number, behind=self._behind())
        if self.switches.lookalikes:
            like = records[-1] if records else {"order": number, "amount": "1.00", "currency": "EUR"}
            records = [*records, {**like, "id": "re_999999", "key": "somebody-elses", "status": "committed"}]
        if not records:
            return said(404, reason="Nothing was done about this order.")
        return said(200, order=number, refunds=records, last=records[-1])

    def _holding(self, path: str) -> Reply | None:
        """Give a reservation, a charge or a notice as it stands."""
        if self.switches.status == "off":
            return said(501, reason="This bank shows no records.")
        found = self.book.held(behind=self._behind()).find(path)
        return said(200, **found.shown()) if found else None

    def _behind(self) -> float:
        return self.switches.stale_seconds if self.switches.status == "stale" else 0.0

    def _status(self, key: str) -> Reply:
        self.book.of(key).asked += 1
        if self.switches.status == "off":
            return said(501, reason="This bank answers no such questions.")
        if entry := self.book.last(key, behind=self._behind()):
            return said(200, **entry.told, times=len(self.book.by_key[key]))
        if operation := self.book.promise(key):
            return self._how_it_stands(operation)
        return said(404, reason="Nothing was done under this key.")

    def _how_it_stands(self, operation: Operation) -> Reply:
        if operation.state == "pending":
            return pending(operation)
        if operation.state == "refused":
            return said(422, operation=operation.id, reason=operation.reason)
        entry = self.book.last(operation.key)
        return said(200, operation=operation.id, **(entry.told if entry else {}))

    def _cancel(self, key: str) -> Reply:
        """Drop what was taken on and is not done yet; what is done stays done, and of what nobody knows there is nothing to drop."""
        operation = self.book.promise(key)
        if self.book.last(key) is not None:
            return said(409, reason="It is done already.")
        if operation is None:
            return said(404, reason="Nothing was taken on under this key.")
        if operation.state == "pending":
            operation.state, operation.reason = "refused", "It was cancelled before it was done."
        return said(200, operation=operation.id, status=operation.state, reason=operation.reason)

    # For tests and drills

    def _ledger(self, request: Request) -> Reply:
        return Reply(body=b'{"entries":[' + b",".join(self.book.lines(request.asked("key"))) + b"]}")

    def _calls(self, request: Request) -> Reply:
        wanted = request.asked("key")
        keys = {
            key: {"count": calls.count, "asked": calls.asked, "calls": calls.calls}
            for key, calls in self.book.calls.items()
            if wanted in {None, key}
        }
        return said(200, total=self.book.effect_calls, keys=keys)

    def _shown(self, request: Request) -> Reply:
        return said(200, rules=self.script.shown(), switches=self.switches.shown())

    def _program(self, request: Request) -> Reply:
        try:
            wanted = json.loads(request.body)  # fractions are numbers here
            if set(wanted) - {"rules", "switches", "add"}:
                raise BadScript("a script has rules, switches and add")
            self.switches.turn(wanted.get("switches", {}))
            if "rules" in wanted:
                self.script.read(wanted["rules"], add=bool(wanted.get("add", False)))
        except (BadScript, BadSwitch, ValueError, TypeError) as wrong:
            return said(400, reason=str(wrong))
        return self._shown(request)

    def _reset(self, request: Request) -> Reply:
        self._teller.forget()
        self.book.forget()
        self.script.rules = []
        self.switches.turn(Switches().shown())
        return said(200)


async def _after(waiting: asyncio.Future[None], reply: Reply) -> Reply:
    await waiting
    return reply
