"""What of a run was made good for, and what is being: a resume looks at it, and whoever goes on is told (R-H3, R-J2)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from console.exact import Object, Value, decode
from runs.models import Effect, Run
from runs.states import OPEN, SUCCEEDED, TO_PLAN, TO_UNDO

UNDER_WAY: Final = (TO_PLAN, TO_UNDO)
SAYS: Final = {
    "": "Nothing of this run is made good for.",
    "due": "What this run did is to be made good for, and that is being planned.",
    "open": "What this run did is being made good for; work items look after that, and it is not completed before those required are over.",
    "over": "What this run did was made good for, or that was answered for otherwise.",
}  # fmt: skip


def load(run: Run, most: int) -> list[Effect]:
    """Read the run's effects that make good for others, the newest first; most runs have none, and are not looked through."""
    if not run.compensation:
        return []
    found = Effect.objects.filter(run=run, compensates__isnull=False).select_related("compensates")
    return list(found.order_by("-number")[:most])


def under_way(effects: Sequence[Effect]) -> list[Effect]:
    """Give those of them that are not over."""
    return [effect for effect in effects if effect.state in OPEN]


def gone(effects: Sequence[Effect]) -> list[Effect]:
    """Give the effects that happened and are not there any more, because they were made good for."""
    return [effect.compensates for effect in effects if effect.state == SUCCEEDED and effect.compensates is not None]


def remains(run: Run) -> list[str]:
    """Give what remains of it, where that is known."""
    kept: Any = decode(run.residue) if run.residue else []
    return [str(each) for each in kept] if isinstance(kept, list) else []


def legal(run: Run, effects: Sequence[Effect]) -> Iterator[str]:
    """Say what whoever drives the run does about it."""
    if run.compensation in UNDER_WAY:
        yield "Leave alone what is being made good for (compensation.under_way); propose nothing that undoes it a second time."
    if gone(effects):
        yield "Count on nothing under compensation.made_good; what of it is still wanted is proposed anew, under a new key."


def told(run: Run) -> Object:
    """Say where the run stands with it."""
    stands: Value = run.compensation or None
    return {"stands": stands, "says": SAYS.get(run.compensation, run.compensation)}
