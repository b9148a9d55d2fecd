"""What the record says of resumes and quarantine, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]
CAME_TO: Final = {
    "continue": "and the run goes on",
    "replan": "and the run goes on by a new plan",
    "wait": "and the run waits",
    "compensate": "and something is undone before the run goes on",
    "escalate": "and a person has to decide",
    "terminate": "too late, and nothing was changed",
    "quarantine": "and the run is set aside",
}


def _resumed(facts: Facts, about: "About") -> str:
    decision = str(facts.get("decision") or "")
    reason = str(facts.get("reason") or "")
    return f"Resumed, {CAME_TO.get(decision, f'and it came to {decision}')}{f': {reason}' if reason else '.'}"


def _why(facts: Facts) -> str:
    reason = str(facts.get("reason") or "").strip()
    return f": {reason}" if reason else "."


SENTENCES: Final = {
    "run.resumed": _resumed,
    "run.resumed_late": _resumed,
    "resumption.remains": lambda facts, about: "Kept of a resume its place, its decision and its digest.",
    "run.quarantined": lambda facts, about: (
        f"Set the run aside; nothing of it begins until a person releases it{_why(facts)}"
    ),
    "quarantine.released": lambda facts, about: f"Released the run; it goes on once it has been resumed{_why(facts)}",
    "versions.accepted": lambda facts, about: f"Accepted the changed versions; a resume with them goes on{_why(facts)}",
}
# What is left to say where the payload was erased.
ERASED: Final = {
    "run.resumed": "The run was resumed; what that came to is erased.",
    "run.resumed_late": "Somebody wanted to resume the run when it was over; nothing was changed.",
    "run.quarantined": "The run was set aside; why is erased.",
    "quarantine.released": "The run was released; why is erased.",
    "versions.accepted": "Changed versions were accepted; why is erased.",
}
