"""What the facts about corrections amount to: their part of the reducers of a run's stream."""

from typing import Final

from console.ledger.folding import Fact, Folded, Reducer

TOLD: Final = ("number", "made_by", "source", "text", "contradicts", "invalidated", "under_way")


def _made(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "correction", says["correction"], run_id=run, made_at=fact.at, **{name: says[name] for name in TOLD}
    )
    folded.set(fact, "run", run, corrections_count=says["number"])


def _seen(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "run", run, corrections_seen=fact.says["seen"])


def _remain(folded: Folded, run: str, fact: Fact) -> None:
    for correction, remains in fact.says["corrections"].items():
        folded.set(fact, "correction", correction, **remains)


REDUCERS: Final[dict[str, Reducer]] = {
    "correction.made": _made, "correction.seen": _seen, "corrections.remain": _remain,
}  # fmt: skip
