"""Judging effects whose turn has come, and judging again those that a newer policy governs (APPROVALS.md: policy changed, re-routed)."""

from collections import defaultdict
from datetime import datetime
from typing import cast
from uuid import UUID

from django.db.models import QuerySet

from approvals import closing
from approvals.ask import ask
from approvals.policies import Ruling, rulings
from approvals.policy_document import ALLOW, DENY
from console import clock
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, decode
from console.ledger.actors import Actor
from runs import catalogue, record
from runs.models import Effect, Run
from runs.proposals import facts_for_policy, question
from runs.states import AWAITING_APPROVAL, BLOCKED, DENIED, PROPOSED, READY, RUNNING

JUDGED_AGAIN = (AWAITING_APPROVAL, BLOCKED, READY)


def judge_due(by: Actor, limit: int) -> int:
    """Judge effects whose turn has come: ready, asked about, or denied. Within the caller's transaction."""
    due = Effect.objects.filter(state=PROPOSED)
    return _judge(by, held(due, limit))


def judge_again_due(by: Actor, limit: int) -> int:
    """Send back effects that a superseded policy allowed or asked about, so that they are judged by the one in force."""
    due = Effect.objects.filter(state__in=JUDGED_AGAIN, policy__superseded_at__isnull=False)
    effects = held(due, limit)
    if not effects:
        return 0
    now = clock.now()
    waiting = [effect for effect in effects if effect.state == BLOCKED]
    sent_back = [effect for effect in effects if effect.state != BLOCKED]
    if sent_back:
        Effect.objects.filter(pk__in=[effect.pk for effect in sent_back]).update(
            state=PROPOSED, state_reason="policy_changed", next_attempt_at=None
        )
        record.write(
            [
                (effect.run_id, "effect.sent_back", {"effect": str(effect.pk), "reason": "policy_changed"})
                for effect in sent_back
            ],
            by,
            now,
        )
        for effect in sent_back:
            effect.state = PROPOSED
    return _judge(by, sent_back + waiting)


def held(due: "QuerySet[Effect]", limit: int) -> list[Effect]:
    """Lock the runs of what is due (those that somebody else holds wait for the next pass), then the effects, and look again."""
    run_ids = set(due.values_list("run_id", flat=True)[:limit])
    held = (
        Run.objects.filter(pk__in=run_ids, state=RUNNING)
        .order_by("pk")
        .select_for_update(no_key=True, skip_locked=True)
    )
    ids = [run.pk for run in held]
    return list(due.filter(run_id__in=ids).order_by("pk").select_for_update(no_key=True, of=("self",))[:limit])


def _judge(by: Actor, effects: list[Effect]) -> int:
    by_tenant: dict[UUID, list[Effect]] = defaultdict(list)
    for effect in effects:
        by_tenant[effect.tenant_id].append(effect)
    for tenant_id, mine in by_tenant.items():
        _judge_tenant(by, tenant_id, mine)
    return len(effects)


def _judge_tenant(by: Actor, tenant_id: UUID, effects: list[Effect]) -> None:
    now = clock.now()
    runs = Run.objects.select_related("agent").in_bulk({effect.run_id for effect in effects})
    operations = catalogue.operations_by_id({effect.operation_id for effect in effects})
    types = {run.run_type_id: catalogue.run_type(run.run_type_id) for run in runs.values()}
    facts = [
        facts_for_policy(
            operations[effect.operation_id], effect.target, cast("Object", decode(effect.arguments.encode())),
            types[runs[effect.run_id].run_type_id], runs[effect.run_id].agent,
        )
        for effect in effects
    ]  # fmt: skip
    # A claim that found the policy superseded sends an effect back with the request that it stood on; it stands on that no more.
    closing.reroute(by, [effect.request_id for effect in effects if effect.state != BLOCKED and effect.request_id], now)
    entries: list[tuple[UUID, str, Object]] = []
    for effect, ruling in zip(effects, rulings(tenant_id, facts), strict=True):
        run = runs[effect.run_id]
        request_id = None
        if effect.state != BLOCKED and ruling.verdict not in {ALLOW, DENY}:
            asked = question(effect, operations[effect.operation_id], run.agent, types[run.run_type_id], ruling)
            request_id = ask(by, tenant_id, [asked], now)[0].pk
        entries.append((effect.run_id, "effect.judged", _apply(effect, ruling, request_id, now)))
    record.write(entries, by, now)
    ended = [effect.run_id for effect in effects if effect.state == DENIED]
    if ended:
        rows("select runs_after_endings(%s::uuid[], %s, %s)", [ended, str(by), now])
    ring_after_commit(*[effect.pk for effect in effects], work=any(effect.state == READY for effect in effects))


def _apply(effect: Effect, ruling: Ruling, request_id: UUID | None, now: datetime) -> Object:
    if effect.state == BLOCKED:
        target = BLOCKED
    elif ruling.verdict == DENY:
        target = DENIED
    else:
        target = READY if ruling.verdict == ALLOW else AWAITING_APPROVAL
    effect.state = target
    Effect.objects.filter(pk=effect.pk).update(
        state=target, verdict=ruling.verdict, policy_id=ruling.policy_id, rule=ruling.rule, request_id=request_id,
        state_reason=ruling.reason if target == DENIED else "", next_attempt_at=now if target == READY else None,
        ended_at=now if target == DENIED else None,
    )  # fmt: skip
    return {
        "effect": str(effect.pk), "to": target, "verdict": ruling.verdict, "policy": str(ruling.policy_id) if ruling.policy_id else None,
        "rule": ruling.rule, "request": str(request_id) if request_id else None, "reason": ruling.reason if target == DENIED else "",
    }  # fmt: skip
