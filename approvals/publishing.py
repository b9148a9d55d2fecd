"""Publishing a version of a policy: immutable, in force at once, and refused when nobody could satisfy it."""

from collections.abc import Collection
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import policy_checks, telling
from approvals.models import Coverage, Policy, Request
from approvals.policy_document import EVERY, PolicyDocument, policy_document
from approvals.policy_people import Owned, Person, people_faults
from approvals.states import APPROVED, PENDING
from console import clock
from console.documents import Document, Fault
from console.documents.applying import NEW, REFUSED, Applied, against_versions
from console.doorbell import ring_after_commit
from console.exact import canonical
from console.identity.administration import hold
from console.identity.models import Agent, Member
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.ledger.moves import move


@move("publish policy")
def publish(by: Actor, document: Document) -> Applied:
    """Put a policy in force. What was asked or allowed under the version before is judged again (its effects are due at once)."""
    return put_in_force(by, document)


def put_in_force(by: Actor, document: Document) -> Applied:
    """Publish a policy within the caller's transaction, unless something is wrong with it."""
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
    faults = [*_doubly_governed(tenant.pk, policy), *people_faults_of(tenant.pk, policy)]
    if faults:
        return Applied(document, REFUSED, faults)
    before = 0
    if current is not None:
        before = open_on([current.pk])
        Policy.objects.filter(pk=current.pk).update(superseded_at=now)
        Coverage.objects.filter(policy_id=current.pk).delete()
    row = Policy(
        id=uuid7(), tenant_id=tenant.pk, name=policy.name, version=policy.version, document=canonical(document.value),
        digest=policy.digest, operations=list(policy.operations), published_at=now,
        standing_before=before,
    )  # fmt: skip
    row.save(force_insert=True)
    Coverage.objects.bulk_create(
        Coverage(tenant_id=tenant.pk, operation=name, policy=row) for name in policy.operations
    )
    _displace(tenant.pk)
    told = {"id": str(row.pk), **{column: plain(getattr(row, column)) for column in Policy.recorded}}
    chains.append(tenant, tenant.pk, [("policy.published", told)], by, now)
    if before:
        telling.policy_published(by, row, before)
    ring_after_commit(tenant.pk)
    return Applied(document, NEW)


def open_on(policy_ids: Collection[UUID]) -> int:
    """Count the requests that stand on these versions and are pending, or approved and unused."""
    return Request.objects.filter(policy_id__in=policy_ids, state__in=[PENDING, APPROVED]).count()


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


def people_faults_of(tenant_id: UUID, policy: PolicyDocument) -> list[Fault]:
    """Find what of a policy nobody could satisfy today."""
    return list(people_faults(policy, people_of(tenant_id), agents_of(tenant_id)))


def people_of(tenant_id: UUID) -> list[Person]:
    """Give the active members of a tenant as a policy counts them."""
    found = Member.objects.filter(tenant_id=tenant_id, active=True).order_by("user__name", "pk")
    return [
        Person(pk, name, frozenset(roles), frozenset(groups))
        for pk, name, roles, groups in found.values_list("pk", "user__name", "roles", "groups")
    ]


def agents_of(tenant_id: UUID) -> list[Owned]:
    """Give the active agents of a tenant, with who answers for each."""
    found = Agent.objects.filter(tenant_id=tenant_id, active=True).order_by("name")
    return [Owned(name, owner) for name, owner in found.values_list("name", "owner_id")]
