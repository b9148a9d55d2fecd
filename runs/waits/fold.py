"""What the facts about waits amount to: their part of the reducers of a run's stream."""

from console.ledger.folding import Columns, Fact, Folded, Reducer
from runs.states import EXPIRED, MET, OVERDUE_WAIT, RUNNING, WAIT_OPEN, WAITING, WITHDRAWN

CALM: Columns = {"attention": "", "attention_since": None, "attention_reason": ""}
SAID = (
    "number", "name", "kind", "condition", "subject_name", "correlation", "subjects", "due_at", "expires_at", "on_expiry", "parks",
)  # fmt: skip


def _opened(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    copied: Columns = {name: says[name] for name in SAID}
    folded.set(
        fact, "wait", says["wait"], run_id=run, state=WAIT_OPEN, opened_at=fact.at, overdue_at=None, ended_at=None, reason="",
        result=None, **copied,
    )  # fmt: skip
    if says["parks"]:
        folded.set(fact, "run", run, state=WAITING, lease_holder="")


def _ended(state: str) -> Reducer:
    def reduce(folded: Folded, run: str, fact: Fact) -> None:
        says = fact.says
        folded.set(
            fact, "wait", says["wait"], state=state, ended_at=fact.at, reason=says["reason"], result=says["result"]
        )
        if says["wakes"]:
            _goes_on(folded, run, fact)
        elif says["calms"]:
            folded.set(fact, "run", run, **CALM)

    return reduce


def _overdue(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(fact, "wait", says["wait"], overdue_at=fact.at)
    if says["calls"]:
        reason = says["attention_reason"]
        folded.set(fact, "run", run, attention=OVERDUE_WAIT, attention_since=fact.at, attention_reason=reason)


def _woken(folded: Folded, run: str, fact: Fact) -> None:
    _goes_on(folded, run, fact)


def _goes_on(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, state=RUNNING)
    if folded.get("run", run, "attention") == OVERDUE_WAIT:
        folded.set(fact, "run", run, **CALM)


REDUCERS: dict[str, Reducer] = {
    "wait.opened": _opened,
    "wait.overdue": _overdue,
    "wait.met": _ended(MET),
    "wait.expired": _ended(EXPIRED),
    "wait.withdrawn": _ended(WITHDRAWN),
    "run.woken": _woken,
}
