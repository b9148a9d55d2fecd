"""What the facts about limits amount to: their part of the reducers of a run's stream."""

from decimal import Decimal
from typing import Final

from console.ledger.folding import Fact, Folded, Reducer
from runs.states import EXHAUSTED


def _used(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(fact, "run", run, used_tokens=says["used_tokens"], used_cost=Decimal(says["used_cost"]))


def _exhausted(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(
        fact, "run", run, state=EXHAUSTED, attention=EXHAUSTED, attention_since=fact.at, attention_reason=fact.says["reason"]
    )  # fmt: skip


def _extended(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(fact, "run", run, limits=says["limits"], state=says["to"])
    if says["was"] == EXHAUSTED:
        folded.set(fact, "run", run, attention="", attention_since=None, attention_reason="")


REDUCERS: Final[dict[str, Reducer]] = {
    "run.used": _used, "run.exhausted": _exhausted, "run.extended": _extended,
}  # fmt: skip
