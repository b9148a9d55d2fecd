"""What follows each outcome of a contract's tables, as a sentence: the contract's own choice where it has one. Pure."""

from typing import Any, Final

from console.exact.value import Object
from runs.contracts.spans import in_words

RESOLVED: Final = {
    "status": "by the status query",
    "read_back": "by reading back what should be there",
    "resend": "by the same call once more under the same key",
    "person": "by a person, with evidence",
}
SETTLES: Final = {
    "succeeded": "It has succeeded.",
    "partial": "It is partial, with its parts kept, and is not tried again.",
    "rejected": "It is rejected, and is not tried again.",
    "denied": "It is rejected for want of authority, and is not tried again.",
    "conflict": "It is rejected: the target had moved on. It is not tried again.",
    "invalid": "It has failed, and is not tried again.",
}
VERIFIED_FIRST: Final = "It says that it was done; it counts once the world shows it."
FOUND: Final = {
    "succeeded": "It has succeeded.",
    "partial": "It is partial, with its parts kept.",
    "rejected": "It is rejected.",
    "pending": "It is asked again.",
    "conflict": "Nothing automatic follows; a person decides.",
}


def after_call(outcome: str, contract: Object) -> str:
    """Say what follows an answer to the call, or a report."""
    retry: Any = contract.get("retry") or {}
    if outcome == "succeeded" and contract.get("verify"):
        return VERIFIED_FIRST
    if outcome in SETTLES:
        return SETTLES[outcome]
    if outcome == "accepted":
        return "It is accepted, and not done yet; the end is heard of later."
    if outcome == "unknown":
        resolve = (contract.get("unknown") or {}).get("resolve", "person")
        return f"It is unknown, and found out {RESOLVED[resolve]}."
    if outcome in retry.get("retryable", ()) and retry["attempts"] > 1:
        return (
            f"It is tried again, at most {retry['attempts']} times in all, within {in_words(retry['total_seconds'])}."
        )
    return "It has failed: the contract does not try it again."


def after_look(outcome: str, section: Object, contract: Object) -> str:
    """Say what follows an answer to the question what became of the call."""
    if outcome == "succeeded" and contract.get("verify"):
        return VERIFIED_FIRST
    if outcome in FOUND:
        return FOUND[outcome]
    if outcome == "absent" and section.get("absence_is_proof"):
        after = in_words(section.get("absence_after_seconds", 30))
        return f"It did not happen, when that is said {after} or more after the call: tried again under the same key, or failed."
    if outcome == "absent":
        again = (contract.get("unknown") or {}).get("resend_same_key")
        return f"It proves nothing; it is {'sent again under the same key, or ' if again else ''}asked again."
    return "Nothing was learnt; it is asked again."


def after_verification(outcome: str) -> str:
    """Say what follows a look at the world after an answer that said that it was done."""
    if outcome == "succeeded":
        return SETTLES["succeeded"]
    if outcome in {"absent", "rejected", "partial", "conflict"}:
        return "It is unknown: one says that it was done, the other does not show it. A person decides."
    return "Nothing was learnt; it is looked at again."


def after_reading(outcome: str) -> str:
    """Say what follows a reading of the target, before it is decided on or acted on."""
    if outcome == "succeeded":
        return "It is the target's state."
    return "There is no such target." if outcome == "absent" else "Nothing was learnt; it is read again."


def after_cancel(outcome: str) -> str:
    """Say what follows an answer to the request to stop what the other side has taken: it proves nothing by itself."""
    learnt = "It is kept as evidence" if outcome in FOUND or outcome == "absent" else "Nothing was learnt"
    return f"{learnt}; what became of it is found out at once, as of any other."
