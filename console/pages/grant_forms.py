"""The form of a standing approval: read from the address, filled in from a card, and kept as it was shown when it is proposed."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from approvals.granting.terms import BadGrant, Terms
from approvals.models import Request
from approvals.policies import asked
from approvals.policy_asks import Ask
from console.clock import instant
from console.exact import Object, Value, decode, number_text
from console.exact.conditions.forms import ORDER
from console.exact.decimals import decimal_string

LINES = (1, 2, 3)
OPS = {"lte": "at most", "gte": "at least", "lt": "below", "gt": "above", "eq": "is", "prefix": "begins with"}
WORDS = (
    "operation", "agent", "run_type", "target_pattern", "uses_most", "amount_path", "amount_most", "rate_most", "rate_seconds",
    "lasts_hours", "purpose", *(f"{name}{line}" for line in LINES for name in ("path", "op", "value")),
)  # fmt: skip
LONGEST_HOURS = 24 * 366


def from_card(request: Request) -> dict[str, str]:
    """Fill the form in from a request: more like this one, no wider than its rule allows."""
    ask = asked(request)
    bounds = ask.grants if ask else None
    if bounds is None:
        return {"operation": request.operation}
    noun, _, _ = request.target.partition(":")
    told, arguments = decode(request.shown, 128), decode(request.arguments, 128)
    filled = {
        "operation": request.operation, "agent": str(request.agent_id), "target_pattern": f"{noun}:*" if noun else request.target,
        "run_type": str(told.get("run_type", "")) if isinstance(told, dict) else "", "uses_most": str(min(bounds.uses, 10)),
        "lasts_hours": str(max(1, min(bounds.within_seconds // 3600, 168))), "amount_path": bounds.amount_path,
        "amount_most": number_text(bounds.amount_most) if bounds.amount_most is not None else "",
    }  # fmt: skip
    return filled | _like(arguments if isinstance(arguments, dict) else {}, ask)


def _like(arguments: Object, ask: Ask | None) -> dict[str, str]:
    """Give the lines of the constraint: the sum's argument at most what it is here, and the currency as it is here."""
    found: list[tuple[str, str, str]] = []
    bounds = ask.grants if ask else None
    name = bounds.amount_path.removeprefix("arguments.") if bounds else ""
    here = arguments.get(name or "amount")
    number = decimal_string(here) if isinstance(here, str) else here
    if isinstance(number, int | Decimal) and not isinstance(number, bool):
        found.append((name or "amount", "lte", number_text(number)))
    if isinstance(arguments.get("currency"), str):
        found.append(("currency", "eq", str(arguments["currency"])))
    return {
        f"{word}{line}": text
        for line, each in enumerate(found, 1)
        for word, text in zip(("path", "op", "value"), each, strict=True)
    }


def read(form: Mapping[str, str], now: datetime) -> Terms:
    """Read terms from a form; `ends_at` is said once it was shown, and `lasts_hours` before. Raises BadGrant."""
    return Terms(
        operation=_text(form, "operation"), target_pattern=_text(form, "target_pattern"), uses_most=_whole(form, "uses_most") or 0,
        ends_at=_ends_at(form, now), purpose=_text(form, "purpose"), agent_id=_agent(form), run_type=_text(form, "run_type"),
        constraint=_constraint(form), amount_path=_path(_text(form, "amount_path")), amount_most=_number(form, "amount_most"),
        rate_most=_whole(form, "rate_most"), rate_seconds=_whole(form, "rate_seconds"),
    )  # fmt: skip


def hidden(form: Mapping[str, str], terms: Terms) -> list[tuple[str, str]]:
    """Give what the form that proposes sends: what was typed, and the very end that was shown."""
    typed = [(name, form.get(name, "")) for name in WORDS if name != "lasts_hours" and form.get(name)]
    return [*typed, ("ends_at", instant(terms.ends_at) or "")]


def lines(form: Mapping[str, str]) -> list[dict[str, Any]]:
    """Give the lines of the constraint as they were typed."""
    return [
        {"number": line, "path": form.get(f"path{line}", ""), "op": form.get(f"op{line}", "lte"), "value": form.get(f"value{line}", "")}
        for line in LINES
    ]  # fmt: skip


def _constraint(form: Mapping[str, str]) -> Value:
    checks = [_check(form, line) for line in LINES if _text(form, f"path{line}")]
    return {"all": list(checks)} if checks else None


def _check(form: Mapping[str, str], line: int) -> Value:
    op, text = form.get(f"op{line}", ""), _text(form, f"value{line}")
    value: Value = text
    if op in ORDER:
        value = decimal_string(text)
        if value is None:
            raise BadGrant("It is compared with a number, such as 100 or 99.50.", path=f"/value{line}")
    return {"path": _path(_text(form, f"path{line}")), "op": op, "value": value}


def _path(text: str) -> str:
    """Let people leave out `arguments.`, which every path begins with."""
    return text if not text or text.startswith("arguments.") else f"arguments.{text}"


def _ends_at(form: Mapping[str, str], now: datetime) -> datetime:
    shown = _text(form, "ends_at")
    if shown:
        try:
            at = datetime.fromisoformat(shown)
            if at.tzinfo is not None:
                return at.astimezone(UTC)
        except (ValueError, OverflowError):  # the first and the last day there are, seen from another zone
            pass
        raise BadGrant("Say for how many hours.", path="/ends_at")
    hours = _whole(form, "lasts_hours") or 0
    if not 1 <= hours <= LONGEST_HOURS:
        raise BadGrant(f"It lasts 1 to {LONGEST_HOURS:,} hours.", path="/ends_at")
    return now + timedelta(hours=hours)


def _agent(form: Mapping[str, str]) -> UUID | None:
    text = _text(form, "agent")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise BadGrant("Choose an agent of this list.", path="/agent") from None


def _whole(form: Mapping[str, str], name: str) -> int | None:
    text = _text(form, name)
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadGrant("It is a whole number.", path=f"/{name}")
    return int(text)


def _number(form: Mapping[str, str], name: str) -> Decimal | None:
    text = _text(form, name)
    found = decimal_string(text) if text else None
    if text and found is None:
        raise BadGrant("It is a number, such as 100 or 99.50.", path=f"/{name}")
    return found


def _text(form: Mapping[str, str], name: str) -> str:
    return form.get(name, "").strip()
