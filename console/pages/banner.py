"""What every page says of what is stopped, to whoever looks, also to those who may not lift it."""

from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from console.pages.counts import MOST, Count
from runs.models import Pause
from runs.pausing import standing

NAMED = 12


@dataclass(frozen=True, slots=True)
class Stopped:
    """The emergency stop, the pause of everything, the operations and run types that are paused, and how many runs are by themselves."""

    emergency: Pause | None
    everything: Pause | None
    parts: list[Pause]
    parts_more: bool
    runs: Count

    def __bool__(self) -> bool:
        return bool(self.emergency or self.everything or self.parts or self.runs)

    @property
    def mark(self) -> str:
        """Give what tells this banner from another: a page that stands open asks with it whether there is anything new."""
        told = [*filter(None, (self.emergency, self.everything)), *self.parts]
        said = " ".join([*(str(pause.pk) for pause in told), str(self.parts_more), str(self.runs)])
        return sha256(said.encode()).hexdigest()[:16]

    @property
    def count(self) -> Count:
        """Count the pauses that stand, as far as they are named."""
        return Count(bool(self.emergency) + bool(self.everything) + len(self.parts) + self.runs)


def stopped(tenant_id: UUID) -> Stopped:
    """Tell what is stopped in a tenant."""
    found = list(standing.wide(tenant_id)[: NAMED + 3])
    everything = [pause for pause in found if pause.scope == standing.SCOPE_TENANT]
    parts = [pause for pause in found if pause.scope != standing.SCOPE_TENANT]
    return Stopped(
        next((pause for pause in everything if pause.emergency), None),
        next((pause for pause in everything if not pause.emergency), None),
        parts[:NAMED],
        len(parts) > NAMED,
        Count(standing.count_paused_runs(tenant_id, MOST + 1)),
    )
