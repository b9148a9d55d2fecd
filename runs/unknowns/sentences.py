"""What the record says of owners and findings, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]
SETTLED_MEANWHILE: Final = "a person settled it meanwhile"  # the reason of a look that was under way then
FOUND: Final = {
    "happened": "that it happened",
    "did_not_happen": "that it did not happen",
    "still_pending": "that it is still pending",
    "must_be_undone": "that it happened and must be undone",
    "cannot_tell": "nothing that tells what became of it",
    "rest_settled": "that the rest of it is settled",
}
BECAME: Final = {
    "happened": "succeeded",
    "must_be_undone": "succeeded and is to be undone, for which a work item is planned",
    "retry": "is tried again with the same key",
    "give_up": "failed: it did not happen and is given up",
    "rest_settled": "stays as it was done in part, and holds up nothing any more",
}


def _claimed(facts: Facts, about: "About") -> str:
    return f"Looks after {about.effect(facts)} from now on."


def _released(facts: Facts, about: "About") -> str:
    return f"Nobody looks after {about.effect(facts)} any more{_because(facts)}"


def _handed_over(facts: Facts, about: "About") -> str:
    whom = "another member" if facts.get("owner") else facts.get("group")
    return f"Handed {about.effect(facts)} to {whom}{_because(facts)}"


def _asked(facts: Facts, about: "About") -> str:
    return f"Had the other side asked at once what became of {about.effect(facts)}."


def _made(facts: Facts, about: "About") -> str:
    waits = " It waits for a second person." if facts.get("state") == "proposed" else ""
    files = facts.get("files") or {}
    beside = f" ({len(files)} {'file' if len(files) == 1 else 'files'} beside it)" if files else ""
    found = FOUND.get(str(facts.get("exit")), "something")
    return f"Found of {about.effect(facts)} {found}{beside}, by this evidence: {_end(facts.get('evidence'))}{waits}"


def _confirmed(facts: Facts, about: "About") -> str:
    return f"Confirmed what was found of {about.effect(facts)}{_because(facts)}"


def _declined(facts: Facts, about: "About") -> str:
    return f"Declined what was found of {about.effect(facts)}{_because(facts)}"


def _withdrawn(facts: Facts, about: "About") -> str:
    return f"Took back what was found of {about.effect(facts)}{_because(facts)}"


def _overtaken(facts: Facts, about: "About") -> str:
    return f"What was found of {about.effect(facts)} is overtaken: it was settled, or done again, before anybody confirmed it."


def _resolved(facts: Facts, about: "About") -> str:
    effect, way = about.effect(facts), str(facts.get("then") or facts.get("exit"))
    if way == "still_pending":
        at = str(facts.get("look_again_at"))[:16].replace("T", " ")
        return f"{effect.capitalize()} stays unknown, to be looked at again at {at} UTC."
    if way == "cannot_tell":
        return f"{effect.capitalize()} stays unknown and is handed to {facts.get('group')}."
    return f"With that {effect} {BECAME.get(way, 'is settled')}."


def _because(facts: Facts) -> str:
    reason = str(facts.get("reason") or "").strip().rstrip(".")
    return f": {reason}." if reason else "."


def _end(text: object) -> str:
    said = str(text or "").strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."


SENTENCES: Final = {
    "unknown.claimed": _claimed,
    "unknown.released": _released,
    "unknown.handed_over": _handed_over,
    "unknown.asked": _asked,
    "resolution.made": _made,
    "resolution.confirmed": _confirmed,
    "resolution.declined": _declined,
    "resolution.withdrawn": _withdrawn,
    "resolution.overtaken": _overtaken,
    "effect.resolved": _resolved,
}
# What is left to say where the payload was erased.
ERASED: Final = {
    "unknown.handed_over": "Handed an effect to somebody else; to whom is erased.",
    "resolution.made": "Wrote down what was found of an effect; what it was is erased.",
    "effect.resolved": "With that an effect was settled; as what is erased.",
}
