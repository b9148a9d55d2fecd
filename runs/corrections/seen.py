"""Whether a run's driver has taken its corrections into account: until then nothing new is taken from it."""

from console.http.refusals import Refusal
from runs.models import Run


class CorrectionsUnseen(Refusal):
    """A user corrected this run. Read the corrections, take them into account, and say so; then go on."""

    code = "corrections_unseen"


def check_seen(run: Run) -> None:
    """Refuse what a driver that has not seen all corrections wants. Raises CorrectionsUnseen."""
    if run.corrections_seen < run.corrections_count:
        raise CorrectionsUnseen(
            seen=run.corrections_seen, corrections=run.corrections_count, state=run.state, version=run.ledger_seq
        )
