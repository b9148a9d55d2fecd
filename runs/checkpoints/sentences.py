"""What the record says of checkpoints, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

from console.exact import decode

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]
AT: Final = {
    "transition": "after a step", "before_effect": "before an effect", "after_effect": "after an effect", "wait": "before a wait",
    "approval": "after an approval", "hand_over": "before the run was handed on",
}  # fmt: skip


def _written(facts: Facts, about: "About") -> str:
    where = AT.get(str(facts.get("boundary")), "")
    said = f"Wrote checkpoint {facts.get('number')}{f' {where}' if where else ''}"
    if facts.get("state_digest") is None:
        said += ", without a state of its own"
    note = str(facts.get("note") or "").strip().rstrip(".")
    wrong = decode(facts["contradictions"].encode()) if facts.get("contradictions") else []
    count = len(wrong) if isinstance(wrong, list) else 0
    flagged = f" {count} of its claims {'is' if count == 1 else 'are'} not so, and the record stands." if count else ""
    return f"{said}{f': {note}' if note else ''}.{flagged}"


def _dropped(facts: Facts, about: "About") -> str:
    return f"Let go the agent's state of checkpoint {facts.get('number')}, because {facts.get('reason')}."


def _remains(facts: Facts, about: "About") -> str:
    number = (facts.get("remains") or {}).get("number")
    return f"Kept of checkpoint {number} its place, its versions of the schema and its digests."


SENTENCES: Final = {
    "checkpoint.written": _written,
    "checkpoint.dropped": _dropped,
    "checkpoint.remains": _remains,
}
# What is left to say where the payload was erased.
ERASED: Final = {
    "checkpoint.written": "Wrote a checkpoint; what it held is erased.",
    "checkpoint.dropped": "Let go the agent's state of a checkpoint; of which is erased.",
}
