"""What the record says of cancellations, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]
ASKED: Final = {
    "effect": "be cancelled",
    "run": "the run be cancelled",
    "tree": "the run be cancelled with all that it started",
}


def _requested(facts: Facts, about: "About") -> str:
    scope = str(facts.get("scope"))
    what = f"{about.effect(facts)} {ASKED['effect']}" if scope == "effect" else ASKED.get(scope, ASKED["run"])
    how = ", at once; the driver's token is no longer good" if facts.get("epoch") else ""
    grace = facts.get("grace_until")
    until = f"; its driver may clean up until {str(grace)[11:19]} UTC" if grace else ""
    because = ", because the run that started it is" if facts.get("of") else ""
    return f"Asked that {what}{because}{how}{until}{'.' if because else _because(facts)}"


def _proven(facts: Facts, about: "About") -> str:
    if facts.get("about"):
        return f"With that the cancellation of {about.named(facts['about'])} is proven: nothing is in flight, and nothing is unknown."
    return "The cancellation is proven: nothing is in flight, nothing is unknown, and what it waited for is there."


def _reopened(facts: Facts, about: "About") -> str:
    return f"Opened the run again, with token {facts.get('epoch')}; nothing is begun before a resume has decided{_because(facts)}"


def _because(facts: Facts) -> str:
    reason = str(facts.get("reason") or "").strip().rstrip(".")
    return f": {reason}." if reason else "."


SENTENCES: Final = {
    "cancellation.requested": _requested,
    "cancellation.hurried": lambda facts, about: "The time in which the driver may clean up is over.",
    "cancellation.resolving": lambda facts, about: (
        "Everything that could be stopped is stopped; what had begun is being found out."
    ),
    "cancellation.proven": _proven,
    "cancellation.overtaken": lambda facts, about: (
        f"The cancellation of {about.named(facts.get('about'))} came too late: it was done."
    ),
    "cancellation.remains": lambda facts, about: (
        "Kept of a cancellation when it was asked for, how, and what proved it."
    ),
    "run.reopened": _reopened,
    "run.late": lambda facts, about: (
        f"Something came that says that {about.effect(facts)} was done; the run stays as it ended, and somebody has to see to it."
    ),
    "run.seen_to": lambda facts, about: f"Saw to what was left when the run had ended{_because(facts)}",
}
# What is left to say where the payload was erased.
ERASED: Final = {
    "cancellation.requested": "Asked that something be cancelled; what, and why, is erased.",
    "cancellation.proven": "A cancellation was proven; by what is erased.",
    "cancellation.overtaken": "A cancellation came too late; of what is erased.",
    "run.reopened": "Opened the run again; why is erased.",
    "run.late": "Something came after the run had ended; what it was is erased.",
    "run.seen_to": "Saw to what was left when the run had ended; what was said is erased.",
}
