"""What shows that something found by reading back came from this intent: a key or a fingerprint, never a likeness (R-F2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from console.exact.decimals import decimal_string
from console.exact.paths import Path, follow, path_of
from console.exact.value import Object, Value
from runs.contracts.request import ROOTS, Surroundings, facts_of
from runs.contracts.templates import CannotFill, Template, template, written

IDENTITIES = frozenset({("effect", name) for name in ("key", "id", "operation_id", "fingerprint")})


@dataclass(frozen=True, slots=True)
class Proof:
    """What must stand at one place of the answer."""

    path: Path
    equals: Template

    def holds(self, answer: Value, facts: Object) -> bool:
        """Tell whether it stands there; what is absent on either side proves nothing. Amounts may be written differently."""
        try:
            found, wanted = written(self.path, follow(answer, self.path)), self.equals.text(facts)
        except CannotFill:
            return False
        if found == wanted:
            return True
        argued = self.equals.alone is not None and self.equals.alone[0] == "arguments"
        amount = decimal_string(wanted) if argued else None
        return amount is not None and decimal_string(found) == amount


def proofs(sections: Sequence[Object]) -> tuple[Proof, ...]:
    """Read a contract's proofs."""
    return tuple(Proof(path_of(each["path"]), template(each["equals"], ROOTS)) for each in sections)


def proven(wanted: Sequence[Proof], answer: Value, arguments: Object, around: Surroundings) -> bool:
    """Tell whether all that is wanted holds of an answer {status, headers, body}."""
    facts = facts_of(arguments, around)
    return bool(wanted) and all(each.holds(answer, facts) for each in wanted)
