"""What the bank knows: what was done under each key, what is under way, and who called how often."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from examples.bank import holdings
from examples.bank.documents import read, write
from examples.bank.holdings import Holdings
from examples.bank.ledger import Ledger

MOST_TIMES = 100  # how many of a key's calls are kept one by one
PREFIXES = {"/refunds": "re", "/transfers": "tr", "/effects": "ef", **holdings.PREFIXES}


@dataclass(slots=True)
class Entry:
    """One thing done, as the ledger has it."""

    id: str
    key: str
    digest: str
    at: float
    fence: int | None
    line: bytes
    told: dict[str, Any]  # what the one who asked was, or would have been, answered


@dataclass(slots=True)
class Operation:
    """Something taken on that will be done, or refused, later."""

    id: str
    key: str
    state: str = "pending"  # pending | committed | refused
    reason: str | None = None


@dataclass(slots=True)
class Calls:
    """How often a key was used, when and how."""

    count: int = 0
    asked: int = 0  # status queries
    highest_fence: int = -1
    calls: list[dict[str, Any]] = field(default_factory=list)


class Book:
    """Entries and calls by key. What is committed is in the ledger first."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.entries: list[Entry] = []
        self.by_key: dict[str, list[Entry]] = {}
        self.calls: dict[str, Calls] = {}
        self.operations: dict[str, Operation] = {}
        self.promised: dict[str, Operation] = {}  # the last of each key
        self.effect_calls = 0
        self.holdings = Holdings()
        self.era = 1  # rises when a new book is begun: what was under way for the old one comes to nothing
        for written, line in ledger.entries():
            at = datetime.fromisoformat(written["at"]).timestamp()
            told = self._told(written["path"], written["id"], written["key"], written["body"], written.get("parts"))
            self._keep(Entry(written["id"], written["key"], written["body_digest"], at, written["fence"], line, told))

    def commit(
        self,
        key: str,
        path: str,
        raw: bytes,
        body: dict[str, Any],
        *,
        fence: int | None,
        parts: list[Any] | None = None,
    ) -> Entry:
        """Do it: append it to the ledger, and only then know of it. OSError when the disk refuses."""
        number = len(self.entries) + 1
        ident = f"{PREFIXES.get(path, 'ef')}_{number:06d}"
        now, digest = time.time(), body_digest(path, raw)
        said: dict[str, Any] = {
            "number": number,
            "id": ident,
            "key": key,
            "path": path,
            "body_digest": digest,
            "fence": fence,
            "at": datetime.fromtimestamp(now, UTC).isoformat(timespec="microseconds"),
        }
        if parts:
            said["parts"] = parts
        line = write({**said, "body": body})
        self.ledger.append(line)
        entry = Entry(ident, key, digest, now, fence, line, self._told(path, ident, key, body, parts))
        self._keep(entry)
        return entry

    def last(self, key: str, *, within: float | None = None, behind: float = 0.0) -> Entry | None:
        """Give the key's last entry: of the last `within` seconds, as seen by a replica `behind` seconds late."""
        now = time.time()
        for entry in reversed(self.by_key.get(key, ())):
            if entry.at <= now - behind and (within is None or entry.at > now - within):
                return entry
        return None

    def about(self, order: str, *, behind: float = 0.0) -> list[dict[str, Any]]:
        """Give what was done about an order, as seen by a replica `behind` seconds late, in the order it was done."""
        seen = time.time() - behind
        return [entry.told for entry in self.entries if entry.told.get("order") == order and entry.at <= seen]

    def held(self, *, behind: float = 0.0) -> Holdings:
        """Give what customers have, as seen by a replica `behind` seconds late."""
        if not behind:
            return self.holdings
        seen = time.time() - behind
        return Holdings(read(entry.line) for entry in self.entries if entry.at <= seen)

    def promise(self, key: str) -> Operation | None:
        """Give the key's last operation that was taken on."""
        return self.promised.get(key)

    def take_on(self, key: str) -> Operation:
        """Promise to do it later."""
        operation = Operation(f"op_{len(self.operations) + 1:06d}", key)
        self.operations[operation.id] = self.promised[key] = operation
        return operation

    def note_call(self, key: str, path: str, fence: int | None, behaviour: str) -> None:
        """Log one call that asks for an effect."""
        calls = self.of(key)
        calls.count += 1
        if len(calls.calls) < MOST_TIMES:
            calls.calls.append({"at": time.time(), "path": path, "fence": fence, "behaviour": behaviour})

    def of(self, key: str) -> Calls:
        """Give the key's log of calls."""
        if key not in self.calls:
            self.calls[key] = Calls()
        return self.calls[key]

    def lines(self, key: str | None = None) -> Iterable[bytes]:
        """Give the ledger's lines, all or a key's."""
        return (entry.line for entry in (self.entries if key is None else self.by_key.get(key, ())))

    def forget(self) -> None:
        """Begin a new book (tests)."""
        self.era += 1
        self.ledger.clear()
        self.entries.clear()
        self.by_key.clear()
        self.calls.clear()
        self.operations.clear()
        self.promised.clear()
        self.holdings = Holdings()
        self.effect_calls = 0

    def _told(self, path: str, ident: str, key: str, body: dict[str, Any], parts: list[Any] | None) -> dict[str, Any]:
        return {**_told(ident, key, body, parts), **self.holdings.take(path, ident, key, body, in_part=bool(parts))}

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.by_key.setdefault(entry.key, []).append(entry)


def body_digest(path: str, raw: bytes) -> str:
    """Give the digest by which the bank tells whether two requests ask for the same."""
    return sha256(path.encode() + b"\n" + raw).hexdigest()


def _told(ident: str, key: str, body: dict[str, Any], parts: list[Any] | None) -> dict[str, Any]:
    shown = {name: value for name, value in body.items() if isinstance(value, str | int)}
    told = {**shown, "id": ident, "key": key, "status": "partial" if parts else "committed"}
    if not parts:
        return told
    left = ", ".join(str(part["part"]) for part in parts if not part["done"])
    return {**told, "parts": parts, "reason": f"Not done: {left}."}
