"""What customers have with the bank: reservations, charges and notices, and how each stands after what was done about it.

All of it follows from the ledger's lines, in their order. The bank does what it is told as often as it is told under keys that it does not
know: a charge that is paid back twice is paid back twice, and its account says so."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import Any

FEE = Decimal("1.50")  # what the bank keeps of a charge that it pays back
CENT = Decimal("0.01")
DONE_OF_PARTS = Decimal(2) / 3  # of what is done in part
Shown = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: how its ids begin, how it stands at first, by what it is made good for, and how it stands then."""

    prefix: str
    begins: str
    undo: str
    ends: str


KINDS = {
    "reservations": Kind("rs", "held", "release", "released"),
    "charges": Kind("ch", "charged", "refund", "paid_back"),
    "notices": Kind("nt", "sent", "correction", "corrected"),
}
PREFIXES = {f"/{name}": kind.prefix for name, kind in KINDS.items()}
PATH = re.compile(r"/(reservations|charges|notices)(?:/([a-z]{2}_[0-9]+)(?:/([a-z]+))?)?")


@dataclass(slots=True)
class Holding:
    """One of them; `under` is the key of the last thing done about it."""

    id: str
    kind: str
    account: str
    status: str
    amount: Decimal
    currency: str
    under: str
    version: int = 1
    given_back: Decimal = Decimal()
    fee: Decimal = Decimal()
    text: str = ""

    @property
    def left(self) -> Decimal:
        """What is still held of it, or not paid back."""
        return self.amount - self.given_back

    def shown(self) -> Shown:
        """Give it as a customer reads it."""
        return {
            "id": self.id, "account": self.account, "status": self.status, "version": self.version, "amount": _money(self.amount),
            "currency": self.currency, "given_back": _money(self.given_back), "fee": _money(self.fee), "text": self.text,
            "changed_under": self.under,
        }  # fmt: skip


class Holdings:
    """All of them, by id."""

    def __init__(self, lines: Iterable[Shown] = ()) -> None:
        self.by_id: dict[str, Holding] = {}
        for line in lines:
            self.take(line["path"], line["id"], line["key"], line["body"], in_part="parts" in line)

    def take(self, path: str, ident: str, key: str, body: Shown, *, in_part: bool = False) -> Shown:
        """Hold what a line of the ledger says; gives what else is told of it."""
        found = PATH.fullmatch(path)
        if found is None:
            return {}
        name, about, _ = found.groups()
        share = DONE_OF_PARTS if in_part else Decimal(1)
        if about is None:
            self.by_id[ident] = _begun(name, ident, key, body, share)
            return {}
        return self._undone(self.by_id[about], key, body, share)

    def find(self, path: str) -> Holding | None:
        """Give what is held at a path: /charges/ch_000003, or what a deed about it is about."""
        found = PATH.fullmatch(path)
        holding = self.by_id.get(found[2] or "") if found else None
        return holding if holding and found and holding.kind == found[1] else None

    def account(self, name: str) -> Shown:
        """Give what an account comes to."""
        mine = [each for each in self.by_id.values() if each.account == name]
        charges = [each for each in mine if each.kind == "charges"]
        reserved = sum((each.left for each in mine if each.kind == "reservations"), Decimal())
        charged, back, fees = (
            sum((getattr(each, what) for each in charges), Decimal()) for what in ("amount", "given_back", "fee")
        )
        standing = [each.id for each in mine if each.kind == "notices" and each.status != "corrected"]
        return {
            "account": name, "reserved": _money(reserved), "charged": _money(charged), "given_back": _money(back), "fees": _money(fees),
            "paid": _money(charged - back), "notices_standing": len(standing),
        }  # fmt: skip

    def _undone(self, holding: Holding, key: str, body: Shown, share: Decimal) -> Shown:
        kind = KINDS[holding.kind]
        holding.version += 1
        holding.under = key
        holding.status = kind.ends if share == 1 else f"partly_{kind.ends}"
        wanted = _part(Decimal(str(body.get("amount", holding.amount))), share)
        fee = min(FEE, wanted) if holding.kind == "charges" else Decimal()
        holding.given_back += wanted - fee
        holding.fee += fee
        return {"about": holding.id, "given_back": _money(wanted - fee), "fee": _money(fee)}


def is_deed(path: str) -> bool:
    """Tell whether posting there asks for something to be done about a holding, or for a new one."""
    found = PATH.fullmatch(path)
    return found is not None and (found[2] is None or found[3] == KINDS[found[1]].undo)


def _begun(name: str, ident: str, key: str, body: Shown, share: Decimal) -> Holding:
    amount = _part(Decimal(str(body.get("amount", 0))), share)
    account, currency, text = (str(body.get(said, "")) for said in ("account", "currency", "text"))
    return Holding(ident, name, account, KINDS[name].begins, amount, currency, key, text=text)


def _part(amount: Decimal, share: Decimal) -> Decimal:
    return (amount * share).quantize(CENT, ROUND_DOWN)


def _money(amount: Decimal) -> str:
    return f"{amount:.2f}"
