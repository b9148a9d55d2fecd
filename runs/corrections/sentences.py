"""What the record says of corrections, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]


def _made(facts: Facts, about: "About") -> str:
    said = str(facts.get("text") or "").strip()
    whence = f" ({facts['source']})" if facts.get("source") else ""
    told = f"Corrected the run{whence}: {said if said.endswith(('.', '!', '?')) else f'{said}.'}"
    under_way = facts.get("under_way") or []
    if under_way:
        these = " and ".join(map(about.named, under_way))
        told += f" It contradicts {these}, which had been begun and {'is' if len(under_way) == 1 else 'are'} not begun again."
    return told


def _seen(facts: Facts, about: "About") -> str:
    seen = facts.get("seen")
    return (
        "Took the correction into account." if seen == 1 else f"Took the corrections up to number {seen} into account."
    )


SENTENCES: Final = {
    "correction.made": _made,
    "correction.seen": _seen,
    "corrections.remain": lambda facts, about: "Kept of each correction who made it, when, and what it withdrew.",
}
ERASED: Final = {
    "correction.made": "Corrected the run; what was said is erased.",
    "correction.seen": "Took corrections into account.",
}
