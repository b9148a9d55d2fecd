"""What the name of a group means: the group that members are in by that name, and for three names a role of theirs. One table."""

from typing import Final
from uuid import UUID

from console.identity.models import Member

ROLE_OF: Final = {"operators": "operator", "admins": "admin", "approvers": "approver"}


def groups_of(member: Member) -> list[str]:
    """Name every group that a member belongs to: their own, and those that their roles are called by."""
    return sorted({*member.groups, *(name for name, role in ROLE_OF.items() if role in member.roles)})


def belongs(member: Member, group: str) -> bool:
    """Tell whether a member belongs to a group."""
    return group in groups_of(member)


def is_known(tenant_id: UUID, group: str) -> bool:
    """Tell whether a group can be named: somebody active belongs to it, or a role is called by it."""
    return (
        group in ROLE_OF or Member.objects.filter(tenant_id=tenant_id, active=True, groups__contains=[group]).exists()
    )
