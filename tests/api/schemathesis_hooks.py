"""What no schema can say about a call, told to schemathesis; loaded by its configuration (test_schemathesis.py)."""

from decimal import Decimal
from typing import Any

import schemathesis

FARTHEST = Decimal(10) ** 99


@schemathesis.hook
def filter_case(context: Any, case: Any) -> bool:
    """Let go of unknown headers: HTTP wants them ignored. Unknown parameters and fields are refused, and stay."""
    return "x-schemathesis-unknown-property" not in {name.lower() for name in case.headers or {}}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Make what is meant to be sound so: no cursor that was not given out, numbers that can be kept, tags in quotes, short waits."""
    if case.meta is not None and not case.meta.generation.mode.is_positive:
        return
    query, headers = case.query or {}, case.headers or {}
    query.pop("cursor", None)
    if "wait" in query:
        query.update(wait="1s", known="nothing")
    tag = headers.get("If-Match")
    if isinstance(tag, str) and tag.isdigit():
        headers["If-Match"] = f'"{tag}"'  # the coverage phase takes the quotes away
    case.body = within(case.body)


def within(value: Any) -> Any:
    """Bring numbers whose first digit stands too far from the ones to where they can be kept."""
    if isinstance(value, float | int) and not isinstance(value, bool) and value:
        return value if 1 / FARTHEST < abs(Decimal(value)) < FARTHEST else 1
    if isinstance(value, dict):
        return {name: within(inside) for name, inside in value.items()}
    return [within(inside) for inside in value] if isinstance(value, list) else value
