"""What the API's answers about cancelling look like."""

from typing import Any, Final

from runs.api.shown import DONE, EFFECT_ID, RUN_ID

CANCELLATION_ID = "019a2b00-0000-7000-8000-0000000000c1"
RECEIPT: Final[dict[str, Any]] = {
    "run": RUN_ID, "cancellation": CANCELLATION_ID, "number": 1, "scope": "run", "mode": "graceful", "state": "closing",
    "cancellation_state": "resolving", "grace_until": None, "joined": False, "at": DONE,
}  # fmt: skip
CANCELLATION: Final[dict[str, Any]] = {
    "id": CANCELLATION_ID, "run": RUN_ID, "effect": None, "number": 1, "scope": "run", "mode": "graceful",
    "reason": "The customer keeps the parcel.", "asked_at": DONE, "asked_by": "agent:019a2b00-0000-7000-8000-000000000005", "of": None,
    "state": "resolving", "grace_until": None, "evidence": None, "proven_at": None,
    "waits_for": [
        {"kind": "effect", "id": EFFECT_ID, "number": 1, "name": "Refund 120.00 EUR for order 4711", "state": "accepted", "until": None,
         "asked_to_stop_at": DONE}
    ],
    "came_after": [],
}  # fmt: skip
OPEN_ONE: Final[dict[str, Any]] = {
    **{name: value for name, value in CANCELLATION.items() if name not in {"evidence", "proven_at", "waits_for", "came_after"}},
    "run_key": "order-4711", "goal": "Refund order 4711",
    "waits_for": {"in_flight": 1, "unknown": 0, "cleanup": 0, "children": 0, "compensation": False},
}  # fmt: skip
REOPENED: Final[dict[str, Any]] = {"run": RUN_ID, "state": "running", "epoch": 2, "at": DONE}
SEEN_TO: Final[dict[str, Any]] = {"run": RUN_ID, "state": "cancelled", "at": DONE}
