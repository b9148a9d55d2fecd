"""The shop's books: each settlement is a page of its own, written whole, and never twice. Synchronous functions.

The page is named after the effect's key, so that whoever comes again under the same key finds it: a worker that was killed in between, or
the status query. The copy to tape is slow, so a day whose payments are on tape is settled long before anybody is told."""

import json
import time
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

from console.env import data_dir
from runs.functions import Absent, Call, Done, NotDone, Partial, Rejected, function

TAPE = "TAPE-"
TAPE_SECONDS = 9.0


@dataclass(frozen=True)
class Page:
    """A page of the books."""

    name: str
    text: str

    @property
    def told(self) -> dict[str, Any]:
        """Say what stands on it."""
        page = json.loads(self.text)
        counted = {"payments": len(page["payments"]), "total": page["total"], "left_out": page["left_out"]}
        return {"page": self.name, "digest": sha256(self.text.encode()).hexdigest(), **counted}


@function("write_settlement")
def write_settlement(call: Call) -> Done | Partial:
    """Write the page of a day. Refused when the sum is not what is said; in part when a payment is of nothing."""
    kept = find(call.effect_key)
    if kept is None:
        kept = page_of(call)
        try:
            write(kept)
        except OSError as why:
            raise NotDone(f"The books cannot be written: {why}") from why  # nothing of the page stays
        if any(payment["reference"].startswith(TAPE) for payment in call.arguments["payments"]):
            time.sleep(TAPE_SECONDS)
    return answer(kept)


@function("find_settlement")
def find_settlement(call: Call) -> Done | Partial | Absent:
    """Find out whether the page of this effect was written."""
    kept = find(call.effect_key)
    return Absent("There is no such page.") if kept is None else answer(kept)


def answer(page: Page) -> Done | Partial:
    """Say what came of a page that stands in the books."""
    told = page.told
    if left_out := told["left_out"]:
        return Partial(f"Left out, because nothing was paid: {', '.join(left_out)}.", result=told, reference=page.name)
    return Done(told, reference=page.name)


def page_of(call: Call) -> Page:
    """Reckon the page. Raises Rejected."""
    asked = call.arguments
    payments = [payment for payment in asked["payments"] if Decimal(payment["amount"]) > 0]
    left_out = [payment["reference"] for payment in asked["payments"] if Decimal(payment["amount"]) <= 0]
    total = sum((Decimal(payment["amount"]) for payment in payments), Decimal(0))
    if total != Decimal(asked["total"]):
        raise Rejected(f"The payments come to {total} {asked['currency']}, not to {asked['total']}.")
    if not payments:
        raise Rejected("There is nothing to settle.")
    page = {
        "day": asked["day"],
        "payments": payments,
        "total": f"{total:f}",
        "currency": asked["currency"],
        "left_out": left_out,
    }
    return Page(f"{asked['day']}-{call.effect_key}", json.dumps(page, indent=1) + "\n")


def find(effect_key: str) -> Page | None:
    """Give the page that was written under this key."""
    for path in folder().glob(f"*-{effect_key}.json"):
        return Page(path.stem, path.read_text(encoding="utf-8"))
    return None


def write(page: Page) -> None:
    """Write a page whole, or not at all."""
    folder().mkdir(parents=True, exist_ok=True)
    path = folder() / f"{page.name}.json"
    part = path.with_suffix(".part")
    part.write_text(page.text, encoding="utf-8")
    part.replace(path)


def folder() -> Path:
    """Give where the books are kept: beside the other data of this installation."""
    return data_dir() / "books"
