"""What a run's record says of its compensation, as sentences that a person reads. Pure."""

from typing import TYPE_CHECKING, Any, Final

from console.exact import decode
from runs.states import TO_PLAN, TO_UNDO, UNDONE

if TYPE_CHECKING:
    from runs.sentences import About

Facts = dict[str, Any]
STANDS: Final = {
    "": "Nothing is to be made good for.",
    TO_PLAN: "What it did and must be made good for is to be planned.",
    TO_UNDO: "What it did is being made good for; it does not end before that is over.",
    UNDONE: "Everything that had to be made good for is over.",
}


def _stands(facts: Facts, about: "About") -> str:
    said = STANDS.get(str(facts.get("to")), "It stands otherwise with what is to be made good for.")
    left: Any = decode(facts["residue"]) if facts.get("residue") else []
    return f"{said} What remains: {'; '.join(str(each).rstrip('.') for each in left)}." if left else said


SENTENCES: Final = {"run.compensating": _stands}
ERASED: Final = {"run.compensating": "Told how it stood with what is to be made good for; what remained is erased."}
