"""What the facts about signals amount to: their part of the reducers of a run's stream. Each tells all of the signal's row."""

from console.ledger.folding import Fact, Folded, Reducer
from runs.states import LATE, TAKEN


def _came(state: str) -> Reducer:
    def reduce(folded: Folded, run: str, fact: Fact) -> None:
        says = fact.says
        folded.set(
            fact, "signal", says["signal"], run_id=run, wait_id=says["wait"], name=says["name"], correlation=says["correlation"],
            source=says["source"], sender=says["sender"], message_id=says["message_id"], body_digest=says["body_digest"],
            received_at=says["received_at"], note=says["note"], state=state, settled_at=fact.at,
        )  # fmt: skip

    return reduce


def _remains(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "signal", fact.says["signal"], **fact.says["remains"])


REDUCERS: dict[str, Reducer] = {"signal.taken": _came(TAKEN), "signal.late": _came(LATE), "signal.remains": _remains}
