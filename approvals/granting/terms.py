"""What a standing approval would allow, as somebody proposes it, and everything that is wrong with that."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from console.clock import instant
from console.exact import Object, Value, canonical, number_text
from console.exact.conditions import BadCondition, Condition, Undecided, document, parse, satisfiable
from console.exact.conditions.forms import checks_in
from console.exact.paths import BadPath, path_of
from console.http.refusals import InvalidContent
from console.ledger.folding import plain

LONGEST_PURPOSE: Final = 500
LONGEST_TARGET: Final = 500
MOST_USES: Final = 1_000_000
MOST_SECONDS: Final = 366 * 86400
PLACES: Final = 6
LARGEST: Final = Decimal(10) ** 32
ANY: Final = "*"


class BadGrant(InvalidContent):
    """A standing approval names an operation, targets, how often and until when it may be used, and what it is for."""

    code = "bad_grant"


@dataclass(frozen=True, slots=True)
class Terms:
    """`target_pattern` is a target, or how targets begin and then `*`; `constraint` a condition over {arguments}, None for none.

    Without an agent or a run type it serves any; without `amount_path` no sum is kept; without `rate_most` it may be used at any pace."""

    operation: str
    target_pattern: str
    uses_most: int
    ends_at: datetime
    purpose: str
    agent_id: UUID | None = None
    run_type: str = ""
    constraint: Value = None
    amount_path: str = ""
    amount_most: Decimal | None = None
    rate_most: int | None = None
    rate_seconds: int | None = None
    starts_at: datetime | None = None

    def asked(self) -> Object:
        """Give what equality of keys compares."""
        return {
            "operation": self.operation, "target_pattern": self.target_pattern, "uses_most": self.uses_most,
            "ends_at": instant(self.ends_at), "purpose": self.purpose, "agent": plain(self.agent_id), "run_type": self.run_type,
            "constraint": self.constraint, "amount_path": self.amount_path,
            "amount_most": None if self.amount_most is None else str(self.amount_most), "rate_most": self.rate_most,
            "rate_seconds": self.rate_seconds, "starts_at": instant(self.starts_at),
        }  # fmt: skip

    def condition(self) -> Condition | None:
        """Give the constraint, read and proven to hold of some arguments. Raises BadGrant."""
        if self.constraint is None:
            return None
        try:
            read = parse(self.constraint)
            possible = satisfiable(read)
        except BadCondition as bad:
            raise BadGrant(bad.detail, path=f"/constraint{bad.path}") from None
        except Undecided:
            raise BadGrant(
                "It cannot be proven that any arguments fit this; say it more simply.", path="/constraint"
            ) from None
        if any(check.path[0] != "arguments" for check in checks_in(read)):
            raise BadGrant("It speaks of arguments only: arguments.amount and the like.", path="/constraint")
        if not possible:
            raise BadGrant("No arguments can ever fit this.", path="/constraint")
        return read

    def constraint_text(self) -> str:
        """Write the constraint as it is kept: canonical, and empty where there is none."""
        read = self.condition()
        return "" if read is None else canonical(document(read))


def check(terms: Terms, now: datetime) -> None:
    """Refuse terms that are not whole. Raises BadGrant."""
    _check_text("operation", terms.operation, 63)
    _check_text("target_pattern", terms.target_pattern, LONGEST_TARGET)
    _check_text("purpose", terms.purpose, LONGEST_PURPOSE)
    if ANY in terms.target_pattern[:-1]:
        raise BadGrant("A * stands only at the end.", path="/target_pattern")
    if terms.target_pattern == ANY:
        raise BadGrant("Say at least how the targets begin.", path="/target_pattern")
    _check_number("uses_most", terms.uses_most, MOST_USES)
    starts_at = terms.starts_at or now
    if terms.ends_at <= max(now, starts_at):
        raise BadGrant("It ends after it begins, and after now.", path="/ends_at")
    terms.condition()
    _check_amount(terms)
    if (terms.rate_most is None) != (terms.rate_seconds is None):
        raise BadGrant("A pace is how often in how many seconds.", path="/rate_seconds")
    if terms.rate_most is not None and terms.rate_seconds is not None:
        _check_number("rate_most", terms.rate_most, MOST_USES)
        _check_number("rate_seconds", terms.rate_seconds, MOST_SECONDS)


def _check_amount(terms: Terms) -> None:
    if bool(terms.amount_path) != (terms.amount_most is not None):
        raise BadGrant("A sum is of one argument, up to a limit.", path="/amount_most")
    if not terms.amount_path or terms.amount_most is None:
        return
    try:
        named = path_of(terms.amount_path)
    except BadPath:
        named = ()
    if len(named) < 2 or named[0] != "arguments":
        raise BadGrant("The sum is of an argument: arguments.amount and the like.", path="/amount_path")
    if kept(terms.amount_most) is None or not terms.amount_most:
        raise BadGrant("The sum is above zero, with at most six places.", path="/amount_most")


def kept(number: Decimal) -> Decimal | None:
    """Give an amount as it is kept; None where it is below zero, too large, or has more than six places."""
    if not number.is_finite() or number < 0 or number >= LARGEST:
        return None
    return number if len(number_text(number).partition(".")[2]) <= PLACES else None


def _check_text(name: str, text: str, longest: int) -> None:
    if not text.strip() or len(text) > longest or "\x00" in text:
        raise BadGrant(f"It has 1 to {longest} characters.", path=f"/{name}")


def _check_number(name: str, number: int, most: int) -> None:
    if not 1 <= number <= most:
        raise BadGrant(f"It is between 1 and {most:,}.", path=f"/{name}")
