"""What the facts about cancellations amount to: their part of the reducers of a run's stream."""

from console.ledger.folding import Columns, Fact, Folded, Reducer
from runs.states import OVERTAKEN, PROVEN, REQUESTED, RESOLVING, RUNNING

COPIED = ("number", "scope", "mode", "reason", "asked_by", "grace_until")


def _requested(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    copied: Columns = {name: says[name] for name in COPIED}
    folded.set(
        fact, "cancellation", says["cancellation"], run_id=run, effect_id=says.get("effect"), of_id=says["of"], asked_at=fact.at,
        state=REQUESTED, evidence=None, proven_at=None, **copied,
    )  # fmt: skip
    if "epoch" in says:
        folded.set(fact, "run", run, epoch=says["epoch"], lease_holder="")


def _hurried(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "cancellation", fact.says["cancellation"], grace_until=fact.says["grace_until"])


def _resolving(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "cancellation", fact.says["cancellation"], state=RESOLVING)


def _over(state: str) -> Reducer:
    def reduce(folded: Folded, run: str, fact: Fact) -> None:
        says = fact.says
        folded.set(
            fact, "cancellation", says["cancellation"], state=state, evidence=says["evidence"], proven_at=fact.at
        )

    return reduce


def _reopened(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "run", run, state=RUNNING, closing_toward="", closing_reason="", ended_at=None, epoch=says["epoch"], lease_holder="",
        resume_due=True, deadline_at=says["deadline_at"], attention="", attention_since=None, attention_reason="",
    )  # fmt: skip


def _late(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, attention="late", attention_since=fact.at, attention_reason=fact.says["reason"])


def _seen_to(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, attention="", attention_since=None, attention_reason="")


def _remains(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "cancellation", fact.says["cancellation"], **fact.says["remains"])


REDUCERS: dict[str, Reducer] = {
    "cancellation.requested": _requested,
    "cancellation.hurried": _hurried,
    "cancellation.resolving": _resolving,
    "cancellation.proven": _over(PROVEN),
    "cancellation.overtaken": _over(OVERTAKEN),
    "cancellation.remains": _remains,
    "run.reopened": _reopened,
    "run.late": _late,
    "run.seen_to": _seen_to,
}
