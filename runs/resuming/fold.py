"""What the facts about resumes and quarantine amount to: their part of the reducers of a run's stream."""

from console.ledger.folding import Fact, Folded, Reducer
from runs.states import QUARANTINED

RESUMPTION_FACTS = ("number", "epoch", "versions", "steps", "decision", "reason", "brief_digest")


def _resumed(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "resumption", says["resumption"], run_id=run, checkpoint_id=says["checkpoint"], resumed_at=fact.at, resumed_by=fact.actor,
        **{name: says[name] for name in RESUMPTION_FACTS},
    )  # fmt: skip
    if says["becomes"]:
        folded.set(fact, "run", run, **says["becomes"])


def _quarantined(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(
        fact, "run", run, state=QUARANTINED, resume_due=True, attention="quarantined", attention_since=fact.at,
        attention_reason=fact.says["reason"],
    )  # fmt: skip


def _released(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(
        fact,
        "run",
        run,
        state=fact.says["to"],
        resume_due=True,
        attention="",
        attention_since=None,
        attention_reason="",
    )


def _accepted(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, versions=fact.says["versions"])
    if fact.says["calm"]:
        folded.set(fact, "run", run, attention="", attention_since=None, attention_reason="")


def _remains(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "resumption", fact.says["resumption"], **fact.says["remains"])


REDUCERS: dict[str, Reducer] = {
    "run.resumed": _resumed,
    "run.resumed_late": _resumed,
    "resumption.remains": _remains,
    "run.quarantined": _quarantined,
    "quarantine.released": _released,
    "versions.accepted": _accepted,
}
