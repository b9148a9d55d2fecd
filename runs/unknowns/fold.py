"""What the facts about owners and findings amount to: their part of the reducers of a run's stream."""

from console.ledger.folding import Columns, Fact, Folded, Reducer
from runs.states import CANNOT_TELL, IN_FORCE, OVERTAKEN, REST_SETTLED, SETTLED, STILL_PENDING


def _claimed(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "effect", fact.says["effect"], owner_id=fact.says["owner"], owned_at=fact.at)


def _released(folded: Folded, run: str, fact: Fact) -> None:
    folded.set(fact, "effect", fact.says["effect"], owner_id=None, owned_at=None)


def _handed_over(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    folded.set(fact, "effect", says["effect"], owner_id=says["owner"], owner_group=says["group"], owned_at=fact.at)


def _asked(folded: Folded, run: str, fact: Fact) -> None:
    """Nothing recorded changes: when the next look is due is no part of the record."""


def _made(folded: Folded, run: str, fact: Fact) -> None:
    says = fact.says
    copied: Columns = {
        name: says[name]
        for name in (
            "number", "exit", "then", "evidence", "link", "reason", "result", "reference", "look_again_at", "extra_attempts", "to_group",
            "needs_second", "state",
        )
    }  # fmt: skip
    folded.set(
        fact, "resolution", says["resolution"], effect_id=says["effect"], run_id=run, proposed_by_id=says["by"], proposed_at=fact.at,
        decided_by_id=None, decided_at=fact.at if says["state"] == IN_FORCE else None, decided_reason="", **copied,
    )  # fmt: skip
    for file, told in says["files"].items():
        folded.set(
            fact, "evidence", file, effect_id=says["effect"], run_id=run, resolution_id=says["resolution"], uploaded_by_id=says["by"],
            uploaded_at=fact.at, **told,
        )  # fmt: skip


def _decided(state: str) -> Reducer:
    def reduce(folded: Folded, run: str, fact: Fact) -> None:
        says = fact.says
        folded.set(
            fact,
            "resolution",
            says["resolution"],
            state=state,
            decided_by_id=says["by"],
            decided_at=fact.at,
            decided_reason=says["reason"],
        )

    return reduce


def _resolved(folded: Folded, run: str, fact: Fact) -> None:
    says, effect = fact.says, fact.says["effect"]
    if says["exit"] == STILL_PENDING:
        return
    if says["exit"] == CANNOT_TELL:
        folded.set(
            fact,
            "effect",
            effect,
            owner_id=None,
            owner_group=says["group"],
            owned_at=fact.at,
        )
    elif says["exit"] == REST_SETTLED:
        folded.set(fact, "effect", effect, reconciled_at=fact.at)
    else:
        folded.set(
            fact, "effect", effect, state=says["to"], state_reason=says["reason"], outcome=says["outcome"], fence=says["fence"],
            attempts_granted=says["granted"], ended_at=fact.at if says["to"] in SETTLED else None,
        )  # fmt: skip
        if says["result"] is not None:
            folded.set(fact, "effect", effect, result=says["result"])
        if says["reference"]:
            folded.set(fact, "effect", effect, operation_reference=says["reference"])


REDUCERS: dict[str, Reducer] = {
    "unknown.claimed": _claimed,
    "unknown.released": _released,
    "unknown.handed_over": _handed_over,
    "unknown.asked": _asked,
    "resolution.made": _made,
    "resolution.confirmed": _decided(IN_FORCE),
    "resolution.declined": _decided("declined"),
    "resolution.withdrawn": _decided("withdrawn"),
    "resolution.overtaken": _decided(OVERTAKEN),
    "effect.resolved": _resolved,
}
