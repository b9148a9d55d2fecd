"""Judging effects whose turn has come, and judging again those that a newer policy governs (APPROVALS.md: policy changed, re-routed)."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from django.db.models import Func, Q, QuerySet

from approvals import closing, reruling, revisions, spending
from approvals.ask import Question
from approvals.models import Policy, Request
from approvals.policies import Ruling, rulings
from approvals.policy_document import ALLOW, ASK, DENY
from approvals.states import PENDING
from console import bulk, clock
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, decode
from console.identity.models import Agent
from console.ledger.actors import Actor
from runs import catalogue, record
from runs.catalogue import Operation, RunType
from runs.compensating import foreseen, together
from runs.compensating.foreseen import Around
from runs.compensating.together import Asked
from runs.fitting import fitted_or_asked
from runs.granted import Came, granted
from runs.models import Effect, Run
from runs.pausing import standing
from runs.proposals import counting, facts_for_policy, question
from runs.states import AWAITING_APPROVAL, BLOCKED, CLOSING, DENIED, PROPOSED, QUARANTINED, READY, RUN_GOING

JUDGED_AGAIN = (AWAITING_APPROVAL, BLOCKED, READY)
KEPT = ("state", "state_reason", "policy", "rule", "next_attempt_at")
# Runs in which effects are begun as they come due, so also judged and over: one that waits goes on with what it proposed, one that closes
# cleans up, and what makes good for something is begun whatever has become of its run. Asked with what is due, so that what stands still
# takes no place among what is looked at.
GOING = (
    Q(run__state__in=sorted(RUN_GOING))
    | Q(run__state=CLOSING, cleanup=True)
    | (Q(compensates__isnull=False) & ~Q(run__state=QUARANTINED))
)
CHANGED = (
    "state",
    "verdict",
    "policy",
    "rule",
    "request",
    "grant",
    "approved_with",
    "state_reason",
    "next_attempt_at",
    "ended_at",
)


@dataclass(frozen=True, slots=True)
class Case:
    """What effects of one tenant are judged by: their runs, contracts and types, and the rulings in the effects' order."""

    tenant_id: UUID
    runs: dict[UUID, Run]
    operations: dict[UUID, Operation]
    types: dict[UUID, RunType]
    rulings: list[Ruling]

    def question(self, effect: Effect, ruling: Ruling, around: Around) -> Question:
        """Put an effect as the question that people are asked."""
        run = self.runs[effect.run_id]
        operation, run_type = self.operations[effect.operation_id], self.types[run.run_type_id]
        return question(effect, operation, run.agent, run_type, ruling, run.goal, around)

    def asked(self, effect: Effect) -> Asked:
        """Put an effect as the approval of what it makes good for looks at it."""
        return Asked(effect, self.operations[effect.operation_id])

    def came(self, effect: Effect, ruling: Ruling) -> Came:
        """Put an effect whose turn has come as a standing approval looks at it."""
        run = self.runs[effect.run_id]
        return Came(effect, run.agent, self.types[run.run_type_id].document.name, ruling)


def judge_due(by: Actor, limit: int) -> int:
    """Judge effects whose turn has come: ready, asked about, or denied. Within the caller's transaction."""
    due = Effect.objects.filter(state=PROPOSED)
    effects = held(due, limit)
    return _judge(by, effects) if effects else 0


def judge_again_due(by: Actor, limit: int) -> int:
    """Judge again effects whose policy governs them no more, by the one that does (APPROVALS.md: policy changed, re-routed)."""
    # Asked first, so that the effects of the policies in force, of which very many may wait, are not read at all.
    not_whole = Policy.objects.filter(Q(superseded_at__isnull=False) | ~Q(displaced=[])).values_list("pk", flat=True)
    due = Effect.objects.filter(state__in=JUDGED_AGAIN, policy__in=list(not_whole)).filter(
        Q(policy__superseded_at__isnull=False)
        | Q(policy__displaced__contains=Func("operation_name", template="array[%(expressions)s]::varchar[]"))
    )
    # While everything is stopped nothing is asked anew: it would be denied for a change of policy.
    effects = held(due.exclude(tenant_id__in=standing.emergencies()), limit)
    if not effects:
        return 0
    return _judge(by, effects)


def _judge(by: Actor, effects: list[Effect]) -> int:
    by_tenant: dict[UUID, list[Effect]] = defaultdict(list)
    for effect in effects:
        by_tenant[effect.tenant_id].append(effect)
    return sum(_judge_tenant(by, tenant_id, mine) for tenant_id, mine in by_tenant.items())


def _judge_tenant(by: Actor, tenant_id: UUID, effects: list[Effect]) -> int:
    """Judge effects of one tenant by the versions that govern them now. Of what they say the same it stands; the rest is judged anew."""
    case = _case(tenant_id, effects)
    requests = reruling.hold([effect.request_id for effect in effects if effect.request_id])
    now = clock.now()
    standing_on: dict[UUID, Ruling] = {}
    kept: list[tuple[Effect, Ruling]] = []
    changed: list[tuple[Effect, Ruling]] = []
    for effect, ruling in zip(effects, case.rulings, strict=True):
        request = requests.get(effect.request_id) if effect.request_id else None
        if request is not None and request.state not in reruling.OPEN and effect.state in (AWAITING_APPROVAL, READY):
            continue  # it was decided, or ended, and the effect has not heard yet
        if _says_the_same(effect, request, ruling):
            _keep(effect, request, ruling, now)
            kept.append((effect, ruling))
            if request is not None:
                standing_on[request.pk] = ruling
        else:
            changed.append((effect, ruling))
    reruling.rerule(by, requests, standing_on, now)
    _stay(by, tenant_id, kept, now)
    _send_back(by, [effect for effect, _ in changed if effect.state in (AWAITING_APPROVAL, READY)], now)
    _apply(by, case, changed, now)
    return len(kept) + len(changed)


def _stay(by: Actor, tenant_id: UUID, kept: list[tuple[Effect, Ruling]], now: datetime) -> None:
    effects = [effect for effect, _ in kept]
    bulk.update(effects, KEPT)
    spending.keep(tenant_id, counting(effects, [ruling for _, ruling in kept]), now)
    record.write([(effect.run_id, "effect.judged", {**_facts(effect), "stands": True}) for effect in effects], by, now)


def _says_the_same(effect: Effect, request: Request | None, ruling: Ruling) -> bool:
    """Tell whether a later version leaves an effect where it is: asked in the same words, or allowed as before."""
    if request is not None:
        return reruling.may_stand(request, ruling)
    return effect.state == READY and effect.grant_id is None and effect.verdict == ruling.verdict == ALLOW


def _keep(effect: Effect, request: Request | None, ruling: Ruling, now: datetime) -> None:
    """Let an effect stand under the version that ruled; one that a claim had sent back comes back to where its request is."""
    effect.policy_id, effect.rule = ruling.policy_id, ruling.rule
    if effect.state == PROPOSED and request is not None:
        waits = request.state == PENDING
        effect.state, effect.state_reason = (AWAITING_APPROVAL if waits else READY), ""
        effect.next_attempt_at = None if waits else now


def _send_back(by: Actor, effects: list[Effect], now: datetime) -> None:
    for effect in effects:
        effect.state, effect.state_reason, effect.next_attempt_at = PROPOSED, "policy_changed", None
    bulk.update(effects, ("state", "state_reason", "next_attempt_at"))
    told: list[tuple[UUID, str, Object]] = [
        (effect.run_id, "effect.sent_back", {"effect": str(effect.pk), "reason": "policy_changed"})
        for effect in effects
    ]
    record.write(told, by, now)


def held(due: "QuerySet[Effect]", limit: int) -> list[Effect]:
    """Lock the runs of what is due (those that somebody else holds wait for the next pass), then the effects, and look again."""
    due = due.filter(GOING)
    run_ids = set(due.values_list("run_id", flat=True)[:limit])
    held = Run.objects.filter(pk__among=run_ids).order_by("pk")
    ids = list(held.select_for_update(no_key=True, skip_locked=True).values_list("pk", flat=True))
    return list(due.filter(run_id__in=ids).order_by("pk").select_for_update(no_key=True, of=("self",))[:limit])


def _case(tenant_id: UUID, effects: list[Effect]) -> Case:
    """Read what effects of one tenant, which are held, are judged by, and what the policies in force say of them."""
    runs = Run.objects.only("goal", "agent", "run_type").in_bulk({effect.run_id for effect in effects})
    agents = Agent.objects.select_related("owner__user").in_bulk({run.agent_id for run in runs.values()})
    for run in runs.values():
        run.agent = agents[run.agent_id]
    operations = catalogue.operations_by_id({effect.operation_id for effect in effects})
    types = {run.run_type_id: catalogue.run_type(run.run_type_id) for run in runs.values()}
    facts = [
        facts_for_policy(
            operations[effect.operation_id], effect.target, cast("Object", decode(effect.arguments.encode())),
            types[runs[effect.run_id].run_type_id], runs[effect.run_id].agent,
        )
        for effect in effects
    ]  # fmt: skip
    found = rulings(tenant_id, facts, [effect.pk for effect in effects])
    return Case(tenant_id, runs, operations, types, standing.unasked(tenant_id, found))


def _apply(by: Actor, case: Case, judged: list[tuple[Effect, Ruling]], now: datetime) -> None:
    """Let the rulings say what becomes of effects, and ask where they ask."""
    if not judged:
        return
    effects = [effect for effect, _ in judged]
    # A claim that found the policy superseded sends an effect back with the request that it stood on; it stands on that no more.
    closing.reroute(by, [effect.request_id for effect in effects if effect.state != BLOCKED and effect.request_id], now)
    come = [(effect, ruling) for effect, ruling in judged if effect.state != BLOCKED]
    covered = together.approved_with(case.asked(effect) for effect, ruling in come if ruling.verdict == ASK)
    grants = granted(case.tenant_id, [case.came(effect, ruling) for effect, ruling in come], now)
    left = [each for each in come if each[1].verdict == ASK and each[0].pk not in {*grants, *covered}]
    around = foreseen.around(
        case.tenant_id, ((effect, case.operations[effect.operation_id].document) for effect, _ in left)
    )
    asking = [(effect, case.question(effect, ruling, around)) for effect, ruling in left]
    asked = fitted_or_asked(by, case.tenant_id, asking, now)
    revisions.tell_of_drift(by, case.tenant_id, asked, now)
    requests = {effect.pk: request.pk for (effect, _), request in zip(asking, asked, strict=True)}
    entries: list[tuple[UUID, str, Object]] = []
    for effect, ruling in judged:
        effect.grant_id, effect.approved_with_id = grants.get(effect.pk), covered.get(effect.pk)
        _ruled(effect, ruling, requests.get(effect.pk), now)
        entries.append((effect.run_id, "effect.judged", _facts(effect)))
    bulk.update(effects, CHANGED)
    spending.keep(case.tenant_id, counting(effects, [ruling for _, ruling in judged]), now)
    record.write(entries, by, now)
    ended = sorted({effect.run_id for effect in effects if effect.state == DENIED})
    if ended:
        rows("select runs_after_endings(%s::uuid[], %s, %s)", [ended, str(by), now])
    ring_after_commit(*[effect.pk for effect in effects], work=any(effect.state == READY for effect in effects))


def _ruled(effect: Effect, ruling: Ruling, request_id: UUID | None, now: datetime) -> None:
    """Let the ruling say what becomes of the effect, by what stands in for an answer; one whose turn has not come only takes note of it."""
    if effect.state != BLOCKED:
        states = {DENY: DENIED, ALLOW: READY}
        stands = effect.grant_id or effect.approved_with_id
        effect.state = READY if stands else states.get(ruling.verdict, AWAITING_APPROVAL)
    effect.verdict, effect.policy_id, effect.rule = ruling.verdict, ruling.policy_id, ruling.rule
    effect.request_id = request_id
    effect.state_reason = ruling.reason if effect.state == DENIED else ""
    effect.next_attempt_at = now if effect.state == READY else None
    effect.ended_at = now if effect.state == DENIED else None


def _facts(effect: Effect) -> Object:
    return {
        "effect": str(effect.pk), "to": effect.state, "verdict": effect.verdict,
        "policy": str(effect.policy_id) if effect.policy_id else None, "rule": effect.rule,
        "request": str(effect.request_id) if effect.request_id else None, "reason": effect.state_reason,
    } | {
        name: str(value) for name, value in (("grant", effect.grant_id), ("approved_with", effect.approved_with_id)) if value
    }  # fmt: skip
