"""Who does something, and by which door: what every move and every entry of the record is told."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Actor:
    """An agent, a member or the system itself, in one tenant (None: across tenants)."""

    kind: str
    id: UUID | None
    name: str
    tenant_id: UUID | None
    via: str
    roles: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    scopes: frozenset[str] = field(default=frozenset())
    is_authenticated: bool = True
    # when this person last proved who they are, by password, code or passkey: what a policy may ask for a yes
    stepped_up_at: datetime | None = field(default=None, compare=False)

    @property
    def principal(self) -> UUID:
        """Give the agent's or member's id. Raises TypeError for the system, which is nobody."""
        if self.id is None:
            raise TypeError(f"{self} is no principal")
        return self.id

    @property
    def tenant(self) -> UUID:
        """Give the tenant acted in. Raises TypeError for an actor that crosses tenants."""
        if self.tenant_id is None:
            raise TypeError(f"{self} belongs to no tenant")
        return self.tenant_id

    def __str__(self) -> str:
        return f"{self.kind}:{self.id or self.name}"


def system(name: str) -> Actor:
    """Make the actor that a process of our own is (clock, worker, command)."""
    return Actor(kind="system", id=None, name=name, tenant_id=None, via=name)
