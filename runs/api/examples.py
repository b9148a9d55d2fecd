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
SECOND = {"operation": "lookup", "arguments": {"order": "4712"}}
NEW_RUNS: Final = [
    OpenApiExample(
        "two runs",
        value={
            "items": [
                {
                    "key": "case-4711",
                    "run_type": "support-case",
                    "goal": "Settle case 4711",
                    "effects": [{"key": "refund", **REFUND}],
                },
                {"key": "case-4712", "run_type": "support-case", "goal": "Settle case 4712"},
            ]
        },
        request_only=True,
    )
]
NEW_EFFECTS: Final = [
    OpenApiExample(
        "two effects",
        value={"items": [{"key": "refund", **REFUND}, {"key": "look-up", "after": ["refund"], **SECOND}]},
        request_only=True,
    )
]
TAKING: Final = [OpenApiExample("a process", value={"holder": "worker-7f3a"}, request_only=True)]
REPORT: Final = [
    OpenApiExample(
        "it is done",
        value={
            "outcome": "succeeded",
            "result": {"label": "L-77"},
            "reference": "L-77",
            "evidence": "The carrier's confirmation of 10:02.",
        },
        request_only=True,
    ),
    OpenApiExample(
        "it was refused", value={"outcome": "rejected", "reason": "The address is not served."}, request_only=True
    ),
]
HANDING_BACK: Final = [
    OpenApiExample("not begun", value={"reason": "The printer is out of labels."}, request_only=True)
]
