"""What the API's answers about waits look like, in the story of shown.py: the refund waits until the customer's parcel is back."""

from typing import Any, Final

from runs.api.shown import DECIDED, DONE, EFFECT_ID, MADE, RUN_ID

WAIT_ID: Final = "019a2b00-0000-7000-8000-000000000006"
UNTIL: Final = "2026-04-01T09:00:00.000000Z"
OPENED: Final[dict[str, Any]] = {
    "wait": WAIT_ID, "name": "parcel", "state": "open", "due_at": None, "expires_at": UNTIL,
}  # fmt: skip
WAIT_RECEIPT: Final[dict[str, Any]] = {
    "run": RUN_ID, "run_state": "waiting", "at": MADE, **OPENED, "waits": [OPENED],
}  # fmt: skip
WITHDRAWN: Final[dict[str, Any]] = {
    "run": RUN_ID, "run_state": "running", "wait": WAIT_ID, "name": "parcel", "state": "withdrawn", "at": DONE,
}  # fmt: skip
WAIT: Final[dict[str, Any]] = {
    "id": WAIT_ID, "run": RUN_ID, "number": 1, "name": "parcel", "kind": "signal",
    "condition": {"correlation": "order-4711", "name": "parcel-back"}, "parks": True, "state": "met", "reason": None,
    "result": {"body": {"condition": "broken"}}, "holds_back": [EFFECT_ID], "opened_at": MADE, "due_at": None, "expires_at": UNTIL,
    "on_expiry": "escalate", "overdue_at": None, "ended_at": DECIDED, "late_milliseconds": None,
}  # fmt: skip
