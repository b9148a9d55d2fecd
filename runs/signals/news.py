"""News of a signal that came after its run's end, for whoever answers for the agent: once for each run, however many come."""

from console.notices import kinds
from console.notices.posting import post
from runs.models import Run, Signal


def came_late(run: Run, signal: Signal) -> None:
    """Tell it within the caller's transaction; of a run whose contents were erased nothing is told."""
    if run.erased_at is not None:
        return
    post(
        run.tenant_id, kinds.SIGNAL_LATE, about=run.pk, path=f"/runs/{run.pk}", title=f"Came too late: {' '.join(run.goal.split())}",
        text=f"A signal “{signal.name}” came when the run had ended, or was ending. It stands in its record, and changes nothing.",
        to_members=[run.agent.owner_id], key=f"run:{run.pk}:late_signal",
    )  # fmt: skip
