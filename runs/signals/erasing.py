"""Erasing what signals said and what they were about, with the run that they belong to: their names, digests and times remain."""

from console.ledger import erasing
from console.ledger.erasing import ERASED
from runs.models import Run, Signal
from runs.signals.matching import Entry


def erase(run: Run) -> list[Entry]:
    """Erase what the signals of a run say, and tell what remains of each. The caller records it."""
    Signal.objects.filter(run=run).update(body=None, correlation=ERASED, note="")
    found = Signal.objects.filter(run=run).order_by("received_at", "pk")
    return [
        (run.pk, "signal.remains", {"signal": str(signal.pk), "remains": erasing.remains(signal)}) for signal in found
    ]
