"""Going through the nine steps over facts: what each found, the decision, and the brief. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from runs.resuming import steps
from runs.resuming.brief import Brief, brief
from runs.resuming.facts import Facts, Step, Taken


@dataclass(frozen=True, slots=True)
class Judged:
    """What a resume came to."""

    steps: Sequence[Step]
    decision: str
    reason: str
    brief: Brief


def judge(facts: Facts, taken: Taken) -> Judged:
    """Look at the present in nine steps and decide (R-H1)."""
    seven = [
        steps.step("schema", list(steps.schema(facts))),
        steps.step("ownership", list(steps.ownership(facts, taken))),
        steps.step("authoritative", list(steps.authoritative(facts))),
        steps.step("effects", list(steps.effects(facts))),
        steps.step("permissions", list(steps.permissions(facts))),
        steps.step("compatibility", list(steps.compatibility(facts))),
        steps.step("news", list(steps.news(facts))),
    ]
    decision, reason = steps.decide(seven)
    told = brief(facts, taken, seven, decision, reason)
    eighth = steps.step("context", list(steps.context(facts, len(told.text.encode()), told.left_out)))
    ninth = Step("decision", steps.outcome(decision), f"{decision.capitalize()}. {reason}")
    return Judged((*seven, eighth, ninth), decision, reason, told)
