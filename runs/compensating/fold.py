"""What the facts about a run's compensation amount to: their part of the reducers of a run's stream."""

from console.ledger.folding import Fact, Folded, Reducer


def _stands(folded: Folded, run: str, fact: Fact) -> None:
    residue = {"residue": fact.says["residue"]} if "residue" in fact.says else {}
    folded.set(fact, "run", run, compensation=fact.says["to"], **residue)


REDUCERS: dict[str, Reducer] = {"run.compensating": _stands}
