"""What the record says of waits, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]
FOLLOWS: Final = {
    "wake": "the run goes on without it",
    "escalate": "a person is to look, and the run waits on",
    "fail": "the run is given up",
    "cancel": "the run is cancelled",
}
KINDS: Final = {
    "children": "child runs",
    "effects": "effects of its own",
}


def what(facts: Facts) -> str:
    """Say what a wait is for, as the end of a sentence: a signal “paid”."""
    return of_wait(str(facts.get("kind")), facts.get("subject_name"), facts.get("due_at"))


def of_wait(kind: str, subject_name: object, due_at: object) -> str:
    """Say what a wait of a kind is for, given the name and the time that it has."""
    if kind in {"timer", "clock_time"}:
        return f"{_minute(due_at)} UTC"
    if kind == "signal":
        return f"a signal “{subject_name}”"
    if kind == "dependency":
        return f"{subject_name} to answer again"
    if kind == "rate_window":
        return f"{subject_name} to take more, from {_minute(due_at)} UTC on"
    return KINDS.get(kind, "something")


def _opened(facts: Facts, about: "About") -> str:
    until = f", until {_minute(facts['expires_at'])} UTC at the latest" if facts.get("expires_at") else ""
    if facts.get("parks"):
        return f"Waits for {what(facts)} (“{facts.get('name')}”){until}; nobody needs to be there meanwhile."
    return f"Holds effects back for {what(facts)} (“{facts.get('name')}”){until}."


def _met(facts: Facts, about: "About") -> str:
    on = "; the run goes on" if facts.get("wakes") else ""
    return f"What it waited for (“{facts.get('name')}”) came{on}."


def _expired(facts: Facts, about: "About") -> str:
    on = "; the run goes on without it" if facts.get("wakes") else ""
    return f"What it waited for (“{facts.get('name')}”) did not come in its time{on}."


def _overdue(facts: Facts, about: "About") -> str:
    return f"What it waits for (“{facts.get('name')}”) did not come in its time; a person is to look, and it counts when it comes."


def _withdrawn(facts: Facts, about: "About") -> str:
    reason = str(facts.get("reason") or "").strip().rstrip(".")
    return f"Does not wait for “{facts.get('name')}” any more{f': {reason}' if reason else ''}."


def _woken(facts: Facts, about: "About") -> str:
    reason = str(facts.get("reason") or "").strip().rstrip(".")
    return f"Had the run go on without what it waited for{f': {reason}' if reason else ''}."


def _minute(at: object) -> str:
    return str(at)[:16].replace("T", " ")


SENTENCES: Final = {
    "wait.opened": _opened,
    "wait.met": _met,
    "wait.overdue": _overdue,
    "wait.expired": _expired,
    "wait.withdrawn": _withdrawn,
    "run.woken": _woken,
}
# What is left to say where the payload was erased.
ERASED: Final = {
    "wait.opened": "Began to wait; for what is erased.",
    "wait.met": "What it waited for came; what it was is erased.",
    "wait.overdue": "What it waits for did not come in its time; what it was is erased.",
    "wait.expired": "What it waited for did not come in its time; what it was is erased.",
    "wait.withdrawn": "Stopped waiting; for what, and why, is erased.",
    "run.woken": "Had the run go on without what it waited for; why is erased.",
}
