"""What the API's answers about compensation look like: a charge whose run was cancelled, and the refund that makes good for it."""

from typing import Any, Final

from console.exact import digest
from runs.api.shown import ARGUMENTS, ATTEMPT, DEADLINE, DONE, EFFECT, EFFECT_ID, MADE, RUN_ID, TENANT_ID

ITEM_ID, PLAN_ID = "019a2b00-0000-7000-8000-0000000000d1", "019a2b00-0000-7000-8000-0000000000d2"
ACTING_ID, ENDING_ID = "019a2b00-0000-7000-8000-0000000000d3", "019a2b00-0000-7000-8000-0000000000d4"
FILE_ID = "019a2b00-0000-7000-8000-0000000000d5"
OSCAR: Final = {"id": TENANT_ID, "name": "Oscar Wren"}
FEE: Final = "The hotel keeps its fee for booking."
CHARGE: Final[dict[str, Any]] = {
    **EFFECT, "key": "charge", "operation": "charge", "summary": "Charge 120.00 EUR for order 4711", "state": "succeeded", "fence": 1,
    "attempts_count": 1, "outcome": "succeeded", "result": {"receipt": "r-77"}, "approval": None, "verdict": "allow", "ended_at": DONE,
    "run_version": 12, "attempts": [ATTEMPT],
}  # fmt: skip
REFUND: Final[dict[str, Any]] = {
    **CHARGE, "id": ACTING_ID, "number": 2, "key": f"compensates:{EFFECT_ID}:1", "operation": "refund",
    "summary": "Refund 120.00 EUR for order 4711", "state": "rejected", "state_reason": "The account is closed.", "outcome": "rejected",
    "result": None, "required": False, "cleanup": True, "compensates": EFFECT_ID,
}  # fmt: skip
NAMED: Final = {
    "id": EFFECT_ID, "number": 1, "operation": "charge", "summary": CHARGE["summary"], "state": "succeeded", "state_reason": None,
}  # fmt: skip
ITEM: Final[dict[str, Any]] = {
    "id": ITEM_ID, "plan": PLAN_ID, "cause": "cancelled", "run": RUN_ID, "run_state": "closing", "number": 1, "kind": "effect",
    "effect": NAMED,
    "acting": {
        "id": ACTING_ID, "number": 2, "operation": "refund", "summary": REFUND["summary"], "state": "rejected",
        "state_reason": "The account is closed.",
    },
    "tries": 1, "operation": "refund", "arguments": ARGUMENTS, "summary": "Compensate: Charge 120.00 EUR for order 4711",
    "target": "order:4711", "need": "required", "weight": 5, "state": "escalated", "waits_for": None,
    "state_reason": "The account is closed.",
    "says": "It was not done, and the next in line were told: it needs somebody.", "after": [], "after_count": 0,
    "authority": "Finance, or whoever charged it.", "deadline_at": DEADLINE, "overdue": False,
    "expects": [{"path": "body.status", "equals": "charged"}], "difference": [], "difference_digest": None, "residue": [FEE], "left": [],
    "verification": "The statement shows both.", "verified_by": None, "instructions": "Pay it back by hand.",
    "checklist": [{"text": "Call the customer.", "done_by": TENANT_ID, "done_at": DONE}], "needs_second": True,
    "ladder": [{"after_seconds": 0, "to": "operators"}, {"after_seconds": 86400, "to": "admins"}], "level": 1, "escalated_at": DONE,
    "owner": OSCAR, "owner_group": "operators", "owned_at": DONE, "created_at": MADE, "started_at": MADE, "ended_at": None,
    "erased_at": None, "version": 9,
}  # fmt: skip
PLAN: Final[dict[str, Any]] = {
    "id": PLAN_ID, "run": RUN_ID, "number": 1, "cause": "cancelled", "reason": "The customer does not want it any more.",
    "state": "in_force", "version": 9, "asked_by": "system:clock", "asked_by_name": "the clock", "asked_at": MADE, "decided_by": None,
    "decided_at": None, "decided_reason": None, "erased_at": None,
}  # fmt: skip
PLAN_WITH_ITEMS: Final[dict[str, Any]] = {**PLAN, "items": [ITEM]}
FILE: Final[dict[str, Any]] = {
    "id": FILE_ID, "name": "statement.pdf", "media_type": "application/pdf", "size": 48211, "digest": digest(FEE).hex(),
    "uploaded_by": OSCAR, "uploaded_at": DONE,
}  # fmt: skip
ENDING: Final[dict[str, Any]] = {
    "id": ENDING_ID, "number": 1, "ending": "resolve", "evidence": "Paid back by hand; the statement shows it.",
    "link": "https://bank.example/statements/77", "reason": None, "authority": None, "left": [FEE], "needs_second": True,
    "state": "proposed", "proposed_by": OSCAR, "proposed_at": DONE, "decided_by": None, "decided_at": None, "decided_reason": None,
}  # fmt: skip
CHAIN: Final[dict[str, Any]] = {
    **ITEM, "run_ended_at": None, "of_plan": PLAN, "original": CHARGE, "found": [], "tried": [REFUND], "before": [],
    "behind": [], "behind_count": 0,
    "endings": [ENDING], "files": [FILE],
}  # fmt: skip
COUNTS: Final = {
    "open": 1, "needs_somebody": 1, "waiting": 0, "at_work": 0, "mine": 1, "group": 1, "nobody": 0, "required": 1, "overdue": 0,
}  # fmt: skip
OF_RUN: Final[dict[str, Any]] = {
    "run": RUN_ID, "run_state": "closing", "run_version": 12, "compensation": "open", "total": 1, "over": 0, "needs_somebody": 1,
    "residue": [], "unresolved": [ITEM_ID], "unresolved_total": 1, "plans": [PLAN_WITH_ITEMS], "next_cursor": None,
}  # fmt: skip
OUTCOMES: Final[dict[str, Any]] = {
    "ended": 41, "done": 36, "resolved": 3, "waived": 1, "dropped": 1, "escalated": 4, "success_rate": 0.9, "escalation_rate": 0.1,
    "median_seconds": 12.5, "p95_seconds": 840.0,
}  # fmt: skip
NUMBERS: Final[dict[str, Any]] = {
    "as_of": MADE, "since": MADE, "by": "day", "zone": "Europe/Berlin", "counted_all": True,
    "backlog": {"open": 7, "needs_somebody": 2, "overdue": 1, "oldest_seconds": 7260.0, "by_state": {"escalated": 2, "waiting": 5}},
    "whole": OUTCOMES, "periods": [{"from": "2026-11-30", **OUTCOMES}], "operations": [{"operation": "refund", "open": 7, **OUTCOMES}],
    "remains": [{"text": FEE, "counted": 12}], "fees": [{"currency": "EUR", "amount": "18", "counted": 12}],
}  # fmt: skip
