"""What the record of a request says of the deeds upon it, as sentences. Pure."""

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

Facts: TypeAlias = dict[str, Any]


class About(Protocol):
    """What names the effects that facts are about."""

    def effect(self, facts: Facts) -> str:
        """Name the effect that the facts are about."""


Teller: TypeAlias = Callable[[Facts, Any], str]

THEN: Final = {
    "let_finish": "it is let finish", "ask_to_cancel": "it is asked to stop", "compensate": "it is to be undone once it is over",
}  # fmt: skip
ERASED: Final = {
    "request.vote_withdrawn": "Took an approval back; why is erased.",
    "request.extended": "Put off the time to decide; why is erased.",
    "request.escalated": "Asked others too; whom and why is erased.",
    "request.fitted": "Bound the approval to something that fits what was allowed; to what is erased.",
    "request.revoked": "Revoked the approval; why is erased.",
    "request.outcome": "Said what became of it; what is erased.",
}


def _because(facts: Facts) -> str:
    reason = str(facts.get("reason") or "").strip().rstrip(".")
    return f": {reason}." if reason else "."


def _approved(facts: Facts, about: About) -> str:
    return (
        "With that it is approved for less than was asked."
        if facts.get("to_fit")
        else "With that the request is approved."
    )


def _escalated(facts: Facts, about: About) -> str:
    groups = " and ".join(map(str, facts.get("to") or ["others"]))
    return f"Asked {groups} too{_because(facts)}"


def _overran(facts: Facts, about: About) -> str:
    return f"What was begun was not over in its time; {THEN.get(str(facts.get('then')), 'nothing follows')}."


def _revoked(facts: Facts, about: About) -> str:
    when = "when it had been used; nothing is tried again under it" if facts.get("begun") else "before it was used"
    return f"Revoked the approval {when}{_because(facts)}"


def _outcome(facts: Facts, about: About) -> str:
    detail = str(facts.get("detail") or "").strip().rstrip(".")
    return f"What became of it: {facts.get('outcome')}{f' ({detail})' if detail else ''}."


SENTENCES: Final[dict[str, Teller]] = {
    "request.vote_withdrawn": lambda facts, about: f"Took their approval back{_because(facts)}",
    "request.extended": lambda facts, about: f"Put off the time to decide to {facts.get('decide_by')}{_because(facts)}",
    "request.escalated": _escalated,
    "request.approved": _approved,
    "request.fitted": lambda facts, about: (
        f"The approval is bound to {about.effect({'effect': facts.get('subject')})}, which fits it."
    ),
    "request.overran": _overran,
    "request.revoked": _revoked,
    "request.outcome": _outcome,
}
