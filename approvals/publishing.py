"""Publishing a version of a policy: immutable, in force at once, and refused when nobody could satisfy it."""

from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import policy_checks
from approvals.models import Coverage, Policy
from approvals.policy_document import ASK, EVERY, PolicyDocument, Rule, policy_document
from console import clock
from console.documents import Document, Fault
from console.documents.applying import NEW, REFUSED, Applied, against_versions
from console.doorbell import ring_after_commit
from console.exact import canonical
from console.exact.conditions import AllOf, Undecided, parse, satisfiable
from console.identity.administration import hold
from console.identity.models import Agent, Member
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.ledger.moves import move


@move("publish policy")
def publish(by: Actor, document: Document) -> Applied:
    """Put a policy in force. What was asked or allowed under the version before is judged again (its effects are due at once)."""
    faults = policy_checks.validate(document)
    if faults:
        return Applied(document, REFUSED, faults)
    document = policy_checks.normalise(document)
    tenant, now = hold(by.tenant), clock.now()
    policy = policy_document(document.value)
    versions = {found.version: found for found in Policy.objects.filter(tenant_id=tenant.pk, name=policy.name)}
    current = next((found for found in versions.values() if found.superseded_at is None), None)
    same = versions.get(policy.version)
    known = against_versions(
        document, policy.digest, bytes(same.digest) if same else None, current.version if current else None
    )
    if known is not None:
        return known
    faults = [*_doubly_governed(tenant.pk, policy), *_unsatisfiable(tenant.pk, policy)]
    if faults:
        return Applied(document, REFUSED, faults)
    if current is not None:
        Policy.objects.filter(pk=current.pk).update(superseded_at=now)
        Coverage.objects.filter(policy_id=current.pk).delete()
    row = Policy(
        id=uuid7(), tenant_id=tenant.pk, name=policy.name, version=policy.version, document=canonical(document.value),
        digest=policy.digest, operations=list(policy.operations), published_at=now,
    )  # fmt: skip
    row.save(force_insert=True)
    Coverage.objects.bulk_create(
        Coverage(tenant_id=tenant.pk, operation=name, policy=row) for name in policy.operations
    )
    _displace(tenant.pk)
    told = {"id": str(row.pk), **{column: plain(getattr(row, column)) for column in Policy.recorded}}
    chains.append(tenant, tenant.pk, [("policy.published", told)], by, now)
    ring_after_commit(tenant.pk)
    return Applied(document, NEW)


def _displace(tenant_id: UUID) -> None:
    """Tell the policy that governs `*`, if there is one, which operations others govern."""
    covered = Coverage.objects.filter(tenant_id=tenant_id)
    named = list(covered.exclude(operation=EVERY).order_by("operation").values_list("operation", flat=True))
    Policy.objects.filter(pk__in=covered.filter(operation=EVERY).values("policy_id")).update(displaced=named)


def _doubly_governed(tenant_id: UUID, policy: PolicyDocument) -> list[Fault]:
    others = Coverage.objects.filter(tenant_id=tenant_id, operation__in=policy.operations).exclude(
        policy__name=policy.name
    )
    return [
        Fault(
            "/operations",
            "governed_already",
            f"{covered.operation} is governed by the policy {covered.policy.name} already.",
        )
        for covered in others.select_related("policy")
    ]


def _unsatisfiable(tenant_id: UUID, policy: PolicyDocument) -> list[Fault]:
    """Find rules that ask more people than there are; silence would then be the only answer. Whoever answers for an agent decides
    nothing that it asks, so the rule is looked at for each agent that it may hold of."""
    faults: list[Fault] = []
    agents = list(Agent.objects.filter(tenant_id=tenant_id, active=True).order_by("name").values_list("name", "owner"))
    for place, rule in enumerate(policy.rules):
        if rule.then != ASK or rule.ask is None:
            continue
        approvers = Member.objects.filter(
            tenant_id=tenant_id, active=True, roles__contains=["approver"], groups__overlap=list(rule.ask.groups)
        )
        able = set(approvers.values_list("pk", flat=True))
        groups = " or ".join(rule.ask.groups)
        asks = f"It asks {rule.ask.quorum} of {groups}, and {{}}. Add approvers first."
        if len(able) < rule.ask.quorum:
            why = asks.format(f"{len(able)} active approvers are in it")
        elif short := [
            name for name, owner in agents if len(able - {owner}) < rule.ask.quorum and _holds_of(rule, name)
        ]:
            why = asks.format(
                f"{len(able) - 1} besides the owner of {short[0]}, who does not decide what that agent asks"
            )
        else:
            continue
        faults.append(Fault(f"/rules/{place}/ask", "nobody_can_satisfy", why))
    return faults


def _holds_of(rule: Rule, agent: str) -> bool:
    """Tell whether the rule may hold of what this agent asks; what cannot be proven counts as true."""
    try:
        return satisfiable(AllOf((parse({"path": "agent", "op": "eq", "value": agent}), rule.when)))
    except Undecided:
        return True
