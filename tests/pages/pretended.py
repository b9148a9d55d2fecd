"""Things to show that no database holds: plain objects with the attributes that the templates' comments name."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace as Thing
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.test import RequestFactory

from console import signs
from console.pages.unknown_words import tabs
from runs.unknowns.queue import Wanted

NOW = datetime(2026, 3, 4, 14, 14, 8, tzinfo=UTC)
DIGEST = "9f3c" + "0a" * 28 + "b21e"


def before(**span: float) -> datetime:
    """Give an instant that lies behind."""
    return NOW - timedelta(**span)


def after(**span: float) -> datetime:
    """Give an instant that lies ahead."""
    return NOW + timedelta(**span)


def run(state: str = "running", **changes: Any) -> Thing:
    """Make a run."""
    facts = {
        "id": UUID(int=1), "key": "case-4711", "goal": "Settle case 4711", "state": state, "closing_reason": "", "epoch": 1, "result": None,
        "agent": Thing(name="refund-bot"), "run_type": Thing(name="case"), "created_at": before(minutes=9), "ended_at": None,
        "deadline_at": after(minutes=50), "unresolved": [], "needs": "", "effects_done": 1, "effects_total": 2,
    }  # fmt: skip
    return Thing(**facts | changes)


def attempt(number: int = 1, **changes: Any) -> Thing:
    """Make an attempt."""
    facts = {
        "number": number, "kind": "act", "state": "ended", "outcome": "succeeded", "http_status": 201, "fence": (1 << 40) + number,
        "id": UUID(int=10 + number), "sent": None, "reason": "", "late_outcome": "", "late_evidence": None, "late_at": None,
        "worker": "w-1", "started_at": before(minutes=5), "ended_at": before(minutes=5, seconds=-1), "evidence": {"status": 201},
    }  # fmt: skip
    return Thing(**facts | changes)


def effect(state: str = "succeeded", **changes: Any) -> Thing:
    """Make an effect."""
    facts = {
        "id": UUID(int=2), "number": 1, "key": "refund-1", "operation_name": "refund", "summary": "Refund 120.00 EUR on order 4711",
        "target": "order:4711", "arguments": {"order": "4711", "amount": "120", "currency": "EUR"}, "state": state, "state_reason": "",
        "required": True, "consequential": True, "irreversible": False, "fence": (1 << 40) + 1, "outcome": "", "result": None,
        "reason": "The parcel was lost.", "after_numbers": [], "request": None, "attempts": [attempt()], "created_at": before(minutes=8),
        "ended_at": None, "unknown_since": before(minutes=4) if state == "unknown" else None, "run": run(), "owner_name": "",
        "owner_group": "operators", "escalated_at": None, "is_unconfirmed": state == "unknown", "findings": [],
        "objective_at": after(minutes=11), "next_check_at": None,
        "known": [], "unknown_facts": [], "executor": "http", "carried_out_by": "Counterfoil, by a call to bank", "is_my_task": False,
    }  # fmt: skip
    return Thing(**facts | changes)


def row(state: str = "unknown", **changes: Any) -> Thing:
    """Make a row of the queue."""
    keeping = {
        "group": "operators", "owner_name": "", "is_mine": False, "since": None, "may_act": True, "escalated_at": None,
        "overdue": False, "objective_at": after(minutes=11),
    }  # fmt: skip
    facts = {
        "id": UUID(int=2), "number": 1, "run": run(), "summary": "Refund 120.00 EUR on order 4711", "amount": "120", "currency": "EUR",
        "operation": "refund", "dependency": "bank", "state": state, "required": True, "irreversible": False, "since": before(minutes=4),
        "keeping": Thing(**keeping | changes.pop("keeping", {})), "asks": True, "next_at": after(seconds=9), "under_way": False,
        "learnt": Thing(kind="status", outcome="absent", state="ended", http_status=404, reason="", at=before(seconds=20)), "waiting": None,
    }  # fmt: skip
    return Thing(**facts | changes)


def unknown_queue(*found: Thing, **context: Any) -> str:
    """Render the queue of unknowns."""
    asked = Wanted()
    facts: dict[str, Any] = {
        "rows": list(found), "waiting": [], "asked": asked, "narrowed": False, "tabs": tabs(asked), "words": "", "count": len(found),
        "names": {"operation": ["refund"], "dependency": ["bank"]}, "older": None, "newest": True, "idempotency_key": "k-1",
    }  # fmt: skip
    return rendered("unknown/list.html", **facts | context)


def question(state: str = "pending", **changes: Any) -> Thing:
    """Make an approval request."""
    facts = {
        "id": UUID(int=3), "number": 318, "state": state, "operation": "refund", "summary": "Refund 120.00 EUR on order 4711",
        "executor": "http", "carried_out_by": "Counterfoil, by a call to bank",
        "target": "order:4711", "arguments": {"order": "4711", "amount": "120", "currency": "EUR"}, "reason": "The parcel was lost.",
        "requester_name": "refund-bot", "owner_name": "Ben Osei", "policy_name": "refunds", "policy_version": 3, "rule": "above-50",
        "groups": ["finance"], "quorum": 1, "approvals_count": 0, "decide_by": after(minutes=18), "use_by": after(minutes=60),
        "tier": "normal", "consequential": True, "irreversible": False, "residue": [], "digest_hex": DIGEST,
        "created_at": before(minutes=6),
        "decided_at": None if state == "pending" else before(minutes=1), "decisions": [], "run": run(), "after_count": 0,
        "effect": Thing(id=UUID(int=2), number=1, state="awaiting_approval"), "state_reason": "", "rerouted_to": None, "if_wrong": "",
    }  # fmt: skip
    return Thing(**facts | changes)


def entry(seq: int = 1, **changes: Any) -> Thing:
    """Make an entry of the history."""
    facts = {
        "seq": seq, "kind": "run_opened", "sentence": "Opened the run", "actor_name": "refund-bot", "at": before(minutes=9), "detail": {},
        "hash_short": "1f3a…09bc",
    }  # fmt: skip
    return Thing(**facts | changes)


NAV = Thing(approvals=3, unknown=2, runs=5, member_name="Ann Okafor", role="finance approver", tenant_name="Acme")
SYSTEM = Thing(
    ready_count=0,
    oldest_ready_at=None,
    clock_at=before(seconds=1),
    clock=signs.clock(1),
    workers=signs.workers(2),
    running_runs=5,
    dependencies=[],
)
CHAIN = {"ok": True, "entries": 1, "head": "1f3a…09bc", "checked_at": NOW}


def rendered(template: str, *, htmx: bool = False, **context: Any) -> str:
    """Render as a signed-in member sees it at NOW."""
    request = RequestFactory().get("/")
    request.htmx = Thing(target="list") if htmx else None  # type: ignore[attr-defined]
    request._messages = []  # type: ignore[attr-defined]
    return render_to_string(template, {"nav": NAV, "now": NOW} | context, request=request)


def card(asked: Thing, **context: Any) -> str:
    """Render the page of one request."""
    here: dict[str, Any] = {
        "groups": [{"name": "Today", "questions": [asked]}],
        "pending_count": 1,
        "question": asked,
        "may_decide": True,
    }
    return rendered("approvals/card.html", **here | {"idempotency_key": "key-1"} | context)


def book(of: Thing, *effects: Thing, **context: Any) -> str:
    """Render the page of one run."""
    here: dict[str, Any] = {"run": of, "effects": list(effects), "history": [entry()], "chain": CHAIN}
    return rendered("runs/detail.html", **here | context)


def home(**context: Any) -> str:
    """Render the home page; without anything else, nothing needs anybody."""
    nothing: dict[str, Any] = {
        "unknown": [],
        "partial": [],
        "waiting": [],
        "questions": [],
        "tasks": [],
        "stuck": [],
        "mending": [],
        "plans": [],
    }
    nothing |= {
        "unknown_count": 0,
        "partial_count": 0,
        "mending_count": 0,
        "questions_count": 0,
        "tasks_count": 0,
        "stuck_count": 0,
    }
    return rendered("home.html", **nothing | {"system": SYSTEM, "recent": []} | context)
