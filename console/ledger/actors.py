"""Who does something, and by which door: what every move and every entry of the record is told."""

from dataclasses import dataclass, field
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

    def __str__(self) -> str:
        return f"{self.kind}:{self.id or self.name}"


def system(name: str) -> Actor:
    """Make the actor that a process of our own is (clock, worker, command)."""
    return Actor(kind="system", id=None, name=name, tenant_id=None, via=name)
