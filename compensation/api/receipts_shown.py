"""What the receipts of compensation look like."""

from typing import Any, Final

from compensation.api.shown import ACTING_ID, ENDING_ID, FEE, FILE_ID, ITEM_ID, PLAN_ID
from console.exact import digest
from runs.api.shown import ARGUMENTS, DEADLINE, DONE, EFFECT_ID, RUN_ID, TENANT_ID

ASKED: Final[dict[str, Any]] = {
    "run": RUN_ID, "plan": PLAN_ID, "number": 1, "plan_state": "in_force", "state": "running", "compensation": "open", "version": 13,
    "at": DONE,
    "items": [
        {"item": ITEM_ID, "number": 1, "effect": EFFECT_ID, "operation": "refund", "state": "running", "waits_for": "", "acting": ACTING_ID}
    ],
}  # fmt: skip
PREVIEW: Final[dict[str, Any]] = {
    "run": RUN_ID, "preview": True, "approve_first": False, "at": DONE,
    "items": [{
        "effect": EFFECT_ID, "number": 1, "kind": "effect", "operation": "refund",
        "summary": "Compensate: Charge 120.00 EUR for order 4711", "target": "order:4711", "arguments": ARGUMENTS, "need": "required",
        "weight": 5, "waits_for": "", "reason": "", "after": [], "after_count": 0, "authority": "Finance, or whoever charged it.",
        "deadline_at": DEADLINE, "expects": [{"path": "body.status", "equals": "charged"}], "residue": [FEE],
        "verification": "The statement shows both.", "instructions": "", "needs_second": True, "owner_group": "operators",
    }],
    "left": [{"effect": RUN_ID, "number": 2, "why": "did_not_happen", "item": None}],
}  # fmt: skip
ITEM: Final[dict[str, Any]] = {
    "item": ITEM_ID, "run": RUN_ID, "state": "running", "waits_for": "", "acting": ACTING_ID, "version": 10, "at": DONE,
}  # fmt: skip
TRIED: Final = {**ITEM, "tries": 2, "begun": True}
OWNED: Final = {**ITEM, "state": "failed", "owner": TENANT_ID, "owner_group": "operators"}
ESCALATED: Final = {**ITEM, "state": "escalated", "to": "admins", "level": 2}
TICKED: Final = {**ITEM, "state": "failed", "place": 0, "done": True, "open": ["Write down what was said."]}
FILED: Final = {**ITEM, "state": "failed", "file": FILE_ID, "name": "statement.pdf", "digest": digest(FEE).hex()}
ENDING: Final = {
    **ITEM, "state": "failed", "ending": ENDING_ID, "is_a": "resolve", "stands": "proposed", "needs_second": True,
}  # fmt: skip
ADDED: Final = {**ITEM, "state": "waiting", "waits_for": "person", "acting": None, "plan": PLAN_ID, "number": 3}
PLAN: Final = {"plan": PLAN_ID, "run": RUN_ID, "state": "in_force", "version": 10, "at": DONE}
