"""What pages and the API read of policies: those in force, and how far publishing one has come."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from approvals.models import Policy, Request
from approvals.states import APPROVED, PENDING


@dataclass(frozen=True, slots=True)
class Standing:
    """How many open requests stand on a policy, and how many of those wait to be judged again by the version in force.

    `before` is how many stood on the version before when this one was published."""

    here: int
    older: int
    before: int

    @property
    def is_judging(self) -> bool:
        """Tell whether some are still to be judged again."""
        return self.older > 0


def in_force(tenant_id: UUID, after: str, limit: int) -> list[Policy]:
    """Give the policies in force, by name."""
    found = Policy.objects.filter(tenant_id=tenant_id, superseded_at=None, name__gt=after)
    return list(found.order_by("name")[:limit])


def one(tenant_id: UUID, name: str) -> Policy | None:
    """Give the version in force of a policy, or else its last."""
    return Policy.objects.filter(tenant_id=tenant_id, name=name).order_by("-version").first()


def standing(policy: Policy) -> Standing:
    """Count what stands on a policy."""
    return standings([policy])[policy.pk]


def standings(policies: Sequence[Policy]) -> dict[UUID, Standing]:
    """Count what stands on each of a tenant's policies, and on its other versions: two statements, along the index."""
    names = {policy.name: policy for policy in policies}
    tenants = {policy.tenant_id for policy in policies}
    versions = dict(Policy.objects.filter(tenant_id__in=tenants, name__in=names).values_list("pk", "name"))
    stood = Request.objects.filter(policy_id__in=list(versions), state__in=[PENDING, APPROVED]).values("policy_id")
    numbers = dict(stood.annotate(number=Count("pk")).values_list("policy_id", "number"))
    in_all: dict[str, int] = defaultdict(int)
    for version, number in numbers.items():
        in_all[versions[version]] += number
    return {
        policy.pk: Standing(here := numbers.get(policy.pk, 0), in_all[policy.name] - here, policy.standing_before)
        for policy in policies
    }
