"""Examples of what an agent sends; docs/agents.md walks through them."""

from typing import Final

from drf_spectacular.utils import OpenApiExample

REFUND = {
    "operation": "refund",
    "arguments": {"order": "4711", "amount": "120.00", "currency": "EUR"},
    "reason": "The parcel arrived broken.",
}
NEW_RUN: Final = [
    OpenApiExample(
        "a run",
        value={"run_type": "support-case", "goal": "Settle case 4711", "effects": [{"key": "refund", **REFUND}]},
        request_only=True,
    )
]
NEW_EFFECT: Final = [OpenApiExample("a refund", value=REFUND, request_only=True)]
COMPLETION: Final = [OpenApiExample("done", value={"result": {"case": "4711", "settled": True}}, request_only=True)]
GIVING_UP: Final = [OpenApiExample("given up", value={"reason": "The customer withdrew the claim."}, request_only=True)]
WITHDRAWAL: Final = [
    OpenApiExample("not wanted", value={"reason": "The customer withdrew the claim."}, request_only=True)
]
