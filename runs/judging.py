"""Judging effects whose turn has come, and judging again those that a newer policy governs (APPROVALS.md: policy changed, re-routed)."""

from collections import defaultdict
from datetime import datetime
from typing import cast
from uuid import UUID

from django.db.models import Func, Q, QuerySet

from approvals import closing
from approvals.ask import ask
from approvals.models import Policy
from approvals.policies import Ruling, rulings
from approvals.policy_document import ALLOW, ASK, DENY
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
CHANGED = ("state", "verdict", "policy", "rule", "request", "state_reason", "next_attempt_at", "ended_at")


def judge_due(by: Actor, limit: int) -> int:
    """Judge effects whose turn has come: ready, asked about, or denied. Within the caller's transaction."""
    due = Effect.objects.filter(state=PROPOSED)
    return _judge(by, held(due, limit))


def judge_again_due(by: Actor, limit: int) -> int:
    """Send back effects whose policy governs them no more, so that they are judged by the one that does."""
    # Asked first, so that the effects of the policies in force, of which very many may wait, are not read at all.
    not_whole = Policy.objects.filter(Q(superseded_at__isnull=False) | ~Q(displaced=[])).values_list("pk", flat=True)
    due = Effect.objects.filter(state__in=JUDGED_AGAIN, policy__in=list(not_whole)).filter(
        Q(policy__superseded_at__isnull=False)
        | Q(policy__displaced__contains=Func("operation_name", template="array[%(expressions)s]::varchar[]"))
    )
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
    found = rulings(tenant_id, facts)
    asking = [
        (effect, ruling)
        for effect, ruling in zip(effects, found, strict=True)
        if effect.state != BLOCKED and ruling.verdict == ASK
    ]
    questions = [
        question(
            effect,
            operations[effect.operation_id],
            runs[effect.run_id].agent,
            types[runs[effect.run_id].run_type_id],
            ruling,
        )
        for effect, ruling in asking
    ]
    requests = {
        effect.pk: request.pk for (effect, _), request in zip(asking, ask(by, tenant_id, questions, now), strict=True)
    }
    entries: list[tuple[UUID, str, Object]] = []
    for effect, ruling in zip(effects, found, strict=True):
        _apply(effect, ruling, requests.get(effect.pk), now)
        entries.append((effect.run_id, "effect.judged", _facts(effect)))
    Effect.objects.bulk_update(effects, CHANGED, batch_size=100)
    record.write(entries, by, now)
    ended = sorted({effect.run_id for effect in effects if effect.state == DENIED})
    if ended:
        rows("select runs_after_endings(%s::uuid[], %s, %s)", [ended, str(by), now])
    ring_after_commit(*[effect.pk for effect in effects], work=any(effect.state == READY for effect in effects))


def _apply(effect: Effect, ruling: Ruling, request_id: UUID | None, now: datetime) -> None:
    """Let the ruling say what becomes of the effect; one whose turn has not come only takes note of it."""
    if effect.state != BLOCKED:
        effect.state = {DENY: DENIED, ALLOW: READY}.get(ruling.verdict, AWAITING_APPROVAL)
    effect.verdict, effect.policy_id, effect.rule, effect.request_id = (
        ruling.verdict,
        ruling.policy_id,
        ruling.rule,
        request_id,
    )
    effect.state_reason = ruling.reason if effect.state == DENIED else ""
    effect.next_attempt_at = now if effect.state == READY else None
    effect.ended_at = now if effect.state == DENIED else None


def _facts(effect: Effect) -> Object:
    return {
        "effect": str(effect.pk), "to": effect.state, "verdict": effect.verdict,
        "policy": str(effect.policy_id) if effect.policy_id else None, "rule": effect.rule,
        "request": str(effect.request_id) if effect.request_id else None, "reason": effect.state_reason,
    }  # fmt: skip
