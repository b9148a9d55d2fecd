"""What the facts about checkpoints amount to: their part of the reducers of a run's stream."""

from console.ledger.folding import Columns, Fact, Folded, Reducer

SAYS = (
    "number", "boundary", "epoch", "seq", "schema_version", "versions", "authoritative_digest", "state_digest", "state_size", "media_type",
    "artifacts", "note", "contradictions",
)  # fmt: skip


def _written(folded: Folded, run: str, fact: Fact) -> None:
    copied: Columns = {name: fact.says[name] for name in SAYS}
    folded.set(
        fact,
        "checkpoint",
        fact.says["checkpoint"],
        run_id=run,
        written_at=fact.at,
        written_by=fact.actor,
        dropped_at=None,
        **copied,
    )


def _dropped(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "checkpoint", fact.says["checkpoint"], dropped_at=fact.at)


def _remains(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "checkpoint", fact.says["checkpoint"], **fact.says["remains"])


REDUCERS: dict[str, Reducer] = {
    "checkpoint.written": _written,
    "checkpoint.dropped": _dropped,
    "checkpoint.remains": _remains,
}
