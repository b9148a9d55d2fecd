"""What every page says of what is stopped, to whoever looks, also to those who may not lift it."""

from dataclasses import dataclass
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
