"""What stands alone, judged by the policy of its operation's name: when it is asked, and again when a later version is in force."""

from collections import defaultdict
from uuid import UUID

from django.db.models import Func, Q

from approvals import closing, reruling, spending
from approvals.models import Policy, Request
from approvals.policies import Ruling, rulings
from approvals.policy_asks import NOBODY
from approvals.policy_document import ALLOW
from approvals.states import APPROVED, PENDING
from console import clock
from console.exact import Object, decode
from console.identity.models import Agent
from console.ledger.actors import Actor


def facts(told: Object, agent: Agent) -> Object:
    """Give what a policy may look at; there is no run, so its type is empty."""
    return {**told, "run_type": "", "agent": agent.name, "owner": agent.owner.user.name}


def judge_again_due(by: Actor, limit: int) -> int:
    """Judge again what waits, or is approved and unused, under a version that is not in force any more. What the new one says in the same
    words stands; the rest ends, and the agent asks anew. Within the caller's transaction."""
    not_whole = Policy.objects.filter(Q(superseded_at__isnull=False) | ~Q(displaced=[])).values_list("pk", flat=True)
    due = Request.objects.filter(alone=True, state__in=[PENDING, APPROVED], policy__in=list(not_whole)).filter(
        Q(policy__superseded_at__isnull=False)
        | Q(policy__displaced__contains=Func("operation", template="array[%(expressions)s]::varchar[]"))
    )
    ids = list(due.values_list("pk", flat=True)[:limit])
    held = due.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True, skip_locked=True, of=("self",))
    by_tenant: dict[UUID, list[Request]] = defaultdict(list)
    for request in held.select_related("policy", "agent__owner__user"):
        by_tenant[request.tenant_id].append(request)
    for tenant_id, requests in by_tenant.items():
        _judge(by, tenant_id, requests)
    return sum(map(len, by_tenant.values()))


def _judge(by: Actor, tenant_id: UUID, requests: list[Request]) -> None:
    subjects = [request.subject for request in requests]
    found = rulings(tenant_id, [facts(_told(request), request.agent) for request in requests], subjects)
    now = clock.now()
    stands = {request: ruling for request, ruling in zip(requests, found, strict=True) if _may_stand(request, ruling)}
    reruling.rerule(
        by,
        {request.pk: request for request in stands},
        {request.pk: ruling for request, ruling in stands.items()},
        now,
    )
    spending.keep(tenant_id, [(request.subject, ruling.spends) for request, ruling in stands.items()], now)
    closing.reroute(by, [request.pk for request in requests if request not in stands], now)


def _may_stand(request: Request, ruling: Ruling) -> bool:
    if request.panels == NOBODY:
        return ruling.verdict == ALLOW
    return reruling.may_stand(request, ruling)


def _told(request: Request) -> Object:
    return {
        "operation": request.operation, "target": request.target, "arguments": decode(request.arguments), "tier": request.tier,
        "irreversible": request.irreversible,
    }  # fmt: skip
