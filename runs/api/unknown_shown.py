"""What the API's answers about unknown outcomes look like: a refund that was sent and not answered, and who found out about it."""

from typing import Any, Final

from console.exact import digest
from runs.api.shown import DEADLINE, DONE, EFFECT, EFFECT_ID, MADE, RUN_ID, TENANT_ID

FINDING_ID, FILE_ID = "019a2b00-0000-7000-8000-000000000006", "019a2b00-0000-7000-8000-000000000007"
OSCAR: Final = {"id": TENANT_ID, "name": "Oscar Wren"}
EVIDENCE: Final = "The bank's statement of 10:02 shows 120.00 EUR under our key."
UNKNOWN: Final[dict[str, Any]] = {
    **EFFECT, "run_version": 5, "state": "unknown", "state_reason": "No answer came in time.", "approval": None, "fence": 1,
    "attempts_count": 1, "outcome": "unknown", "unknown_since": MADE, "next_attempt_at": DONE, "owner": OSCAR, "owner_group": "operators",
    "owned_at": DONE, "objective_at": DEADLINE, "overdue": False, "alerts": 0, "escalated_at": None, "attempts_granted": 0,
    "next_step": "status", "waiting_finding": None,
}  # fmt: skip
EXITS: Final[dict[str, Any]] = {
    "effect": EFFECT_ID, "run": RUN_ID, "state": "unknown", "version": 5, "may_act": True, "waiting_finding": None,
    "exits": [{
        "exit": "happened", "then": "", "title": "It happened",
        "next": "It becomes succeeded, and what waits for it comes to its turn. The run goes on, and its agent completes it.",
        "allowed": True, "why_not": "", "needs_second": False, "attempts_left": None, "needs_extra": False,
    }],
}  # fmt: skip
RESOLUTION: Final[dict[str, Any]] = {
    "id": FINDING_ID, "effect": EFFECT_ID, "number": 1, "exit": "happened", "then": "", "evidence": EVIDENCE,
    "link": "https://bank.example/statements/77", "reason": None, "result": {"receipt": "r-77"}, "reference": "r-77",
    "files": [{
        "id": FILE_ID, "name": "statement.pdf", "media_type": "application/pdf", "size": 48211, "digest": digest(EVIDENCE).hex(),
    }],
    "look_again_at": None, "extra_attempts": 0, "to_group": None, "needs_second": True, "state": "in_force", "proposed_by": OSCAR,
    "proposed_at": MADE, "decided_by": {"id": RUN_ID, "name": "Ann Okafor"}, "decided_at": DONE, "decided_reason": "I see it too.",
}  # fmt: skip
OWNED: Final = {"effect": EFFECT_ID, "owner": TENANT_ID, "owner_group": "operators", "version": 6, "at": DONE}
ASKED: Final = {"effect": EFFECT_ID, "step": "status", "state": "unknown", "version": 6, "at": DONE}
RESOLVED: Final = {
    "resolution": FINDING_ID, "effect": EFFECT_ID, "exit": "happened", "then": "", "finding": "in_force", "needs_second": False,
    "state": "succeeded", "version": 7, "at": DONE,
}  # fmt: skip
