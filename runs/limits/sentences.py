"""What the record says of limits, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]


def _used(facts: Facts, about: "About") -> str:
    parts = [
        f"{facts['tokens']} tokens" if facts.get("tokens") else "",
        f"a cost of {facts['cost']}" if str(facts.get("cost") or "0") != "0" else "",
    ]
    what = " and ".join(part for part in parts if part) or "nothing"
    note = f" for {facts['note']}" if facts.get("note") else ""
    return f"Reported {what}{note}; {facts.get('used_tokens')} tokens and {facts.get('used_cost')} in all."


def _exhausted(facts: Facts, about: "About") -> str:
    return f"The run has used up what it may use ({facts.get('reason')}); nothing more begins."


def _extended(facts: Facts, about: "About") -> str:
    more = facts.get("more") or {}
    what = " and ".join(f"{amount} {str(name).replace('_', ' ')}" for name, amount in sorted(more.items())) or "nothing"
    goes_on = "; the run goes on" if facts.get("was") == "exhausted" else ""
    reason = str(facts.get("reason") or "").strip().rstrip(".")
    return f"Gave the run more to use: {what}{goes_on}{f': {reason}' if reason else ''}."


SENTENCES: Final = {"run.used": _used, "run.exhausted": _exhausted, "run.extended": _extended}
ERASED: Final = {
    "run.used": "Reported what was used; how much is erased.",
    "run.exhausted": "The run had used up what it may use; of what is erased.",
    "run.extended": "Gave the run more to use; of what is erased.",
}
