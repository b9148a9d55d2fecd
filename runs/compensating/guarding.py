"""What makes good for an effect is not the agent's to call off: its work item says how it goes on, and people see to that (R-J2)."""

from console.http.refusals import Refusal
from console.ledger.actors import Actor
from runs.models import Effect


class MakesGood(Refusal):
    """This effect makes good for another; no agent calls it off or takes its place. People do, by its work item."""

    code = "makes_good"


def check_not_making_good(by: Actor, effect: Effect, version: int) -> None:
    """Refuse an agent that would call off what makes good for something it did. Raises MakesGood."""
    if by.kind == "agent":
        refuse_making_good(effect, version)


def refuse_making_good(effect: Effect, version: int) -> None:
    """Refuse what makes good for another effect. Raises MakesGood."""
    if effect.compensates_id is not None:
        raise MakesGood(
            effect=str(effect.pk), compensates=str(effect.compensates_id), state=effect.state, version=version
        )
