"""What the API's answers about runs look like: one story, from a refund that waits for finance to the end of its run."""

from typing import Any, Final

from console.exact import canonical, digest

RUN_ID, EFFECT_ID = "019a2b00-0000-7000-8000-000000000001", "019a2b00-0000-7000-8000-000000000002"
ATTEMPT_ID, REQUEST_ID = "019a2b00-0000-7000-8000-000000000003", "019a2b00-0000-7000-8000-000000000004"
TENANT_ID = "019a2b00-0000-7000-8000-000000000005"
MADE, DECIDED, DONE = "2026-03-02T09:00:00.000000Z", "2026-03-02T09:04:10.000000Z", "2026-03-02T09:04:12.000000Z"
DEADLINE, LEASE = "2026-03-05T09:00:00.000000Z", "2026-03-02T09:04:40.000000Z"
ARGUMENTS: Final = {"amount": "120", "currency": "EUR", "order": "4711"}
RUN: Final[dict[str, Any]] = {
    "id": RUN_ID, "key": "case-4711", "run_type": "customer-case", "run_type_version": 1, "goal": "Settle case 4711",
    "agent": "refund-bot", "state": "running", "completes_itself": False, "closing_toward": None, "closing_reason": None, "epoch": 1,
    "version": 2, "result": None, "unresolved": [], "deadline_at": DEADLINE, "created_at": MADE, "ended_at": None, "erased_at": None,
    "parent": None, "holder": "worker-7f3a", "lease_expires_at": LEASE, "resume_due": False, "attention": None, "attention_since": None,
    "attention_reason": None, "corrections": 0, "corrections_seen": 0, "compensation": None, "residue": [],
}  # fmt: skip
ASKED: Final[dict[str, Any]] = {
    "finish_by": None,
    "reason": None,
    "may_resubmit": False,
    "alternative": None,
    "narrowing": None,
    "to_fit": False,
}
EFFECT: Final[dict[str, Any]] = {
    "id": EFFECT_ID, "run": RUN_ID, "run_version": 2, "number": 1, "key": "refund", "operation": "refund", "operation_version": 1,
    "executor": "http", "summary": "Refund 120.00 EUR for order 4711", "target": "order:4711", "arguments": ARGUMENTS,
    "reason": "The parcel arrived broken.", "required": True, "consequential": True, "irreversible": False, "after": [],
    "after_waits": [], "cleanup": False, "cancel_asked_at": None,
    "supersedes": None, "compensates": None, "approved_with": None,
    "digest": digest(ARGUMENTS).hex(), "state": "awaiting_approval", "state_reason": None,
    "verdict": "ask", "rule": "large", "approval": {"id": REQUEST_ID, "state": "pending", "decide_by": DEADLINE, "use_by": None, **ASKED},
    "fence": 0, "attempts_count": 0, "outcome": None, "failure_class": None,
    "result": None, "operation_reference": None, "deadline_at": DEADLINE,
    "created_at": MADE, "ended_at": None, "unknown_since": None, "next_attempt_at": None, "erased_at": None,
}  # fmt: skip
EVIDENCE: Final = {"response": {"status": 201, "body": {"id": "r-77"}}}
ATTEMPT: Final[dict[str, Any]] = {
    "id": ATTEMPT_ID, "number": 1, "kind": "act", "fence": 1, "state": "ended", "worker": "worker:1", "outcome": "succeeded",
    "failure_class": None,
    "http_status": 201, "sent": True, "reason": None, "evidence": EVIDENCE, "evidence_digest": digest(EVIDENCE).hex(),
    "started_at": DECIDED, "lease_expires_at": None, "ended_at": DONE, "late": None,
}  # fmt: skip
EFFECT_LISTED: Final[dict[str, Any]] = {**EFFECT, "compensated_by": []}
EFFECT_DONE: Final[dict[str, Any]] = {
    **EFFECT, "run_version": 5, "state": "succeeded", "fence": 1, "attempts_count": 1, "outcome": "succeeded",
    "result": {"receipt": "r-77"}, "ended_at": DONE, "superseded_by": [], "compensated_by": [], "attempts": [ATTEMPT],
    "approval": {"id": REQUEST_ID, "state": "consumed", "decide_by": DEADLINE, "use_by": DEADLINE, **ASKED},
}  # fmt: skip
PAYLOAD: Final = {"effect": EFFECT_ID, "to": "awaiting_approval"}
ENTRY: Final[dict[str, Any]] = {
    "seq": 2, "kind": "effect.proposed", "at": MADE, "actor": f"agent:{TENANT_ID}", "payload": PAYLOAD,
    "payload_text": canonical(PAYLOAD), "erased_at": None, "format": 1, "digest": digest(PAYLOAD).hex(), "prev_hash": "0" * 64,
    "hash": "f" * 64,
}  # fmt: skip
RUN_MADE: Final = {**RUN, "effects": [EFFECT]}
RUN_RECEIPT: Final = {"run": RUN_ID, "state": "succeeded", "at": DONE}
EFFECT_RECEIPT: Final = {"effect": EFFECT_ID, "state": "withdrawn", "at": DONE}
LEASE_NOW: Final = {"attempt": ATTEMPT_ID, "lease_expires_at": LEASE, "ends_at": DEADLINE}
PERMIT: Final[dict[str, Any]] = {
    **LEASE_NOW, "number": 1, "effect": EFFECT_ID, "run": RUN_ID, "operation": "refund", "summary": EFFECT["summary"],
    "target": "order:4711", "arguments": ARGUMENTS, "effect_key": f"cf-{EFFECT_ID}", "fence": 1, "deadline_at": DEADLINE,
}  # fmt: skip
REPORT: Final[dict[str, Any]] = {
    "attempt": ATTEMPT_ID, "effect": EFFECT_ID, "outcome": "succeeded", "state": "succeeded", "reason": "", "next_attempt_at": None,
    "at": DONE,
}  # fmt: skip
UNKNOWN_TYPE: Final[dict[str, Any]] = {
    "index": 1, "key": "case-4712", "outcome": "refused",
    "problem": {
        "type": "/api/v1/problems/unknown_run_type", "code": "unknown_run_type", "title": "The content does not fit", "status": 422,
        "detail": "No type of run of this name is in force.", "path": "/items/1/run_type",
    },
}  # fmt: skip
BULK_OF_RUNS: Final[dict[str, Any]] = {
    "created": 1, "existing": 0, "refused": 1,
    "items": [{"index": 0, "key": "case-4711", "outcome": "created", "run": RUN_MADE}, UNKNOWN_TYPE],
}  # fmt: skip
BULK_OF_EFFECTS: Final[dict[str, Any]] = {
    "created": 1, "existing": 0, "refused": 0,
    "items": [{"index": 0, "key": "refund", "outcome": "created", "effect": EFFECT}],
}  # fmt: skip


def page(item: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Give a page with one item."""
    return {**more, "items": [item], "next_cursor": None}
