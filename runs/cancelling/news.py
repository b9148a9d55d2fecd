"""Whoever drives a run is told that it is to stop: by the long poll of its version, and by a notice where an endpoint takes that kind."""

from console.notices import kinds
from console.notices.posting import Told, tell_endpoints
from runs.models import Cancellation, Run


def asked(run: Run, made: Cancellation) -> None:
    """Tell endpoints that a run is to stop, within the caller's transaction."""
    title, text = f"To stop: {' '.join(run.goal.split())}", f"{made.mode.capitalize()}: {made.reason}"
    told = Told(about=run.pk, title=title, text=text, path=f"/runs/{run.pk}", key=f"cancellation:{made.pk}")
    tell_endpoints(run.tenant_id, kinds.RUN_CANCELLED, [told])
