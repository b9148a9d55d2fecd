"""Rows of every kind that compensation keeps, written as its moves write them, for tests that are about the record itself."""

import hashlib
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from compensation.models import Ending, EvidenceFile, Plan, WorkItem
from compensation.states import (
    ASKED,
    EFFECT,
    ESCALATED,
    FAILED,
    FOR_ORDER,
    IN_FORCE,
    PLANNED,
    PROPOSED,
    REQUIRED,
    RESOLVE,
    RESOLVED,
    WAITING,
)
from compensation.writing import add, changed, write
from console import clock
from console.exact import canonical
from console.identity.models import Member
from console.ledger.actors import Actor
from runs.models import Effect, Run
from tests.cast import inside

RECEIPT = b"10:02 paid back 20.00"


def by_hand(by: Actor, run: UUID, effect: UUID, first: Member, second: Member) -> WorkItem:
    """Have an effect made good for by hand: planned, tried in vain, resolved with a file by one person and confirmed by another."""
    with inside(by.tenant):
        Run.objects.select_for_update().get(pk=run)
        made = Effect.objects.get(pk=effect)
        now = clock.now()
        plan = _plan(by, run, first, now)
        item = _item(plan, made, now)
        ending = Ending(
            tenant_id=by.tenant, plan=plan, item=item, number=1, ending=RESOLVE, evidence="The bank sent it.", link="https://bank.example/1",
            reason="It was refused.", authority="Finance.", left=canonical(["A fee of 2.50."]), needs_second=True, state=PROPOSED,
            proposed_by=first, proposed_at=now,
        )  # fmt: skip
        file = EvidenceFile(
            tenant_id=by.tenant, plan=plan, item=item, name="receipt.txt", media_type="text/plain", size=len(RECEIPT),
            digest=hashlib.sha256(RECEIPT).digest(), content=RECEIPT, uploaded_by=first, uploaded_at=now,
        )  # fmt: skip
        for rows, kind in (([item], "item.planned"), ([ending], "ending.proposed"), ([file], "file.added")):
            add(by, rows, kind, now)
        _end(by, item, ending, second, now)
        return item


def _plan(by: Actor, run: UUID, member: Member, now: datetime) -> Plan:
    number = Plan.objects.filter(run=run).count() + 1
    plan = Plan(
        tenant_id=by.tenant, run_id=run, number=number, cause=ASKED, reason="The customer left.", state=PROPOSED, asked_by=str(by),
        asked_at=now, ledger_seq=0, ledger_hash=b"",
    )  # fmt: skip
    add(by, [plan], "plan.made", now)
    decided: dict[str, Any] = {"decided_by_id": member.pk, "decided_at": now, "decided_reason": "Yes."}
    write(by, [changed(plan, "plan.approved", state=IN_FORCE, **decided)], now)
    return plan


def _item(plan: Plan, effect: Effect, now: datetime) -> WorkItem:
    number = WorkItem.objects.filter(run=plan.run_id).count() + 1
    return WorkItem(
        tenant_id=plan.tenant_id, plan=plan, run_id=plan.run_id, number=number, kind=EFFECT, effect=effect, step="pay", operation="refund",
        arguments=canonical({"receipt": "r-1"}), summary="Refund r-1", target="receipt:r-1", need=REQUIRED, weight=4, state=PLANNED,
        authority="Finance.", deadline_at=now + timedelta(hours=1), expects=canonical([{"path": "body.status", "equals": "paid"}]),
        residue=canonical(["The statement shows both."]), verification="The statement shows both.", instructions="Ask the bank.",
        checklist=canonical([{"text": "Ask.", "done_by": None, "done_at": None}]), needs_second=True,
        ladder=canonical([{"after_seconds": 0, "to": "operators"}]), created_at=now,
    )  # fmt: skip


def _end(by: Actor, item: WorkItem, ending: Ending, second: Member, now: datetime) -> None:
    difference = canonical([{"path": "body.status", "expected": "paid", "found": "closed"}])
    tried: dict[str, Any] = {"tries": 1, "started_at": now, "state_reason": "It was refused.", "difference": difference}
    decided: dict[str, Any] = {"decided_by_id": second.pk, "decided_at": now, "decided_reason": "Seen."}
    over: dict[str, Any] = {"verified_by": "person", "left": ending.left, "ended_at": now, "acting_id": item.effect_id}
    behind: dict[str, Any] = {
        "after": [item.pk],
        "after_count": 1,
        "after_steps": ["charge"],
        "after_earlier": ["reserve"],
    }
    owned: dict[str, Any] = {"owner_id": second.pk, "owner_group": "operators", "owned_at": now}
    write(by, [changed(item, "item.waits", state=WAITING, waits_for=FOR_ORDER, **behind)], now)
    write(by, [changed(item, "item.failed", state=FAILED, waits_for="", **tried)], now)
    write(by, [changed(item, "item.escalated", state=ESCALATED, level=1, escalated_at=now)], now)
    write(
        by, [changed(item, "item.owned", **owned), changed(ending, "ending.confirmed", state=IN_FORCE, **decided)], now
    )
    write(by, [changed(item, "item.resolved", state=RESOLVED, **over)], now)
