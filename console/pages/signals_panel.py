"""The panel of a run's page about signals: those that its waits took, and those that came too late for it."""

from console.exact import decode
from console.pages.panel import Panel
from console.pages.room import MemberRequest
from runs.models import Run
from runs.signals.queries import signals_of
from runs.states import LATE


def signals(request: MemberRequest, run: Run) -> Panel | None:
    """Tell of a run's signals, or nothing where none came."""
    found = signals_of(run.pk)
    if not found:
        return None
    says = [(signal, None if signal.body is None else decode(signal.body.encode())) for signal in found]
    late = any(signal.state == LATE for signal in found)
    tone = "wait" if late else "plain"
    return Panel("signals", "Signals", "runs/signals.html", {"signals": says}, icon="bell", tone=tone, count=len(found))
