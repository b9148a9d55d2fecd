"""Whom a notice reaches: roles, groups and members, as the active members of the tenant at the moment it is posted."""

from collections.abc import Collection
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q

from console.identity.groups import ROLE_OF
from console.identity.models import Member


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is told, in words who that is, and where it is known why each of them is told, as a sentence."""

    members: list[Member]
    words: str
    why: dict[UUID, str] = field(default_factory=dict)


def owners(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the roles and the groups that an owner's name means: a role in the plural, as `operators`, and whatever group has that name."""
    return ((ROLE_OF[name],) if name in ROLE_OF else ()), (name,)


def audience(
    tenant_id: UUID,
    roles: Collection[str],
    groups: Collection[str],
    members: Collection[UUID],
    but_not: Collection[UUID] = (),
) -> Audience:
    """Find whom to tell; where that is nobody, the administrators are told, for a notice that reaches nobody is lost."""
    active = Member.objects.filter(tenant_id=tenant_id, active=True).exclude(pk__in=list(but_not))
    active = active.select_related("user").order_by("pk")
    wanted = Q(roles__overlap=list(roles)) | Q(groups__overlap=list(groups)) | Q(pk__in=list(members))
    found = list(active.filter(wanted))
    words = _words(roles, groups, [each.user.name for each in found if each.pk in set(members)])
    if found:
        return Audience(found, words)
    return Audience(list(active.filter(roles__contains=["admin"])), f"administrators, for nobody is in {words}")


def _words(roles: Collection[str], groups: Collection[str], names: Collection[str]) -> str:
    return ", ".join(dict.fromkeys([*names, *(f"{role}s" for role in sorted(roles)), *groups])) or "nobody"
