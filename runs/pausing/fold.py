"""What the facts about pauses amount to: a run's in its own stream, everything wider in its tenant's administration."""

from console.ledger.folding import Fact, Folded, Reducer


def told(table: str) -> Reducer:
    """Take a fact that tells all recorded columns of a pause."""

    def reduce(folded: Folded, stream: str, fact: Fact) -> None:
        columns = {name: value for name, value in fact.says.items() if name not in {"id", "via"}}
        folded.set(fact, table, fact.says["id"], **columns)

    return reduce


def _remain(folded: Folded, run: str, fact: Fact) -> None:
    for pause, remains in fact.says["pauses"].items():
        folded.set(fact, "pause", pause, **remains)


REDUCERS: dict[str, Reducer] = {
    "run.paused": told("pause"),
    "run.pause_lifted": told("pause"),
    "run.pauses_remain": _remain,
}
ADMINISTRATION: dict[str, Reducer] = {"pause.begun": told("tenant_pause"), "pause.lifted": told("tenant_pause")}
