"""Reading the world before an effect acts that makes good for another: it must be as that one left it, or a person is asked. Pure."""

from dataclasses import dataclass
from typing import Any, Final

from console.exact import Object, Value, canonical, decode, digest
from console.exact.decimals import decimal_string
from console.exact.paths import ABSENT, Path, follow, path_of
from runs.call import Reading
from runs.contracts.outcomes import Verdict, verdict_of
from runs.contracts.templates import CannotFill, written
from runs.outcome import Step, more
from runs.states import CHECKED, READY, WITHDRAWN
from runs.target_reading import by_its_status

LONGEST_WAIT: Final = 900.0  # between readings that fail
LONGEST_SHOWN: Final = 1000  # characters of a value that is found
DIFFERS: Final = "What it would change is not as the effect left it"
GONE: Final = "What it would change is not there any more"


@dataclass(frozen=True, slots=True)
class Expected:
    """What must stand at a place of the answer."""

    path: Path
    equals: Value
    digest: str = ""  # of the whole, where `equals` is only the beginning of something longer that a person accepted

    def difference(self, answer: Object) -> Object | None:
        """Give how the answer differs; None where it does not. Amounts may be written differently."""
        found = follow(answer, self.path)
        if self._is(found):
            return None
        return {"path": ".".join(self.path), "expected": self.equals, **_shown(found)}

    def _is(self, found: Any) -> bool:
        if self.digest:
            return found is not ABSENT and digest(found).hex() == self.digest
        return _same(self.path, found, self.equals)


def expected(text: str) -> tuple[Expected, ...]:
    """Read what an effect expects, from its canonical text."""
    listed: Any = decode(text) if text else []
    return tuple(Expected(path_of(each["path"]), each["equals"], each.get("digest", "")) for each in listed)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer(Reading):
    """Reads what a target's reader answers; what is learnt is how that differs from what is expected."""

    wanted: tuple[Expected, ...]

    def of(self, answer: Object) -> Verdict | None:
        """Say what the answer means; what is not there differs in everything."""
        found = verdict_of(self.table, answer) if self.table.rules else by_its_status(answer)
        if found is None or found.outcome not in {"succeeded", "absent"}:
            return found
        said: Object = answer if found.outcome == "succeeded" else {}
        listed: list[Value] = [each for one in self.wanted if (each := one.difference(said)) is not None]
        return Verdict(found.outcome, {"differences": listed}, found.reason, rule=found.rule)


def after_check(
    outcome: str, reason: str, result: Object | None, *, checks: int, retry_after: float | None = None
) -> Step:  # fmt: skip
    """Decide what follows a check; `checks` were made before it. What differs is not acted on; what could not be read is read again."""
    found = differences(result)
    if outcome == "absent" and (found or result is None):
        return Step(WITHDRAWN, None, more(f"{GONE}.", reason))
    if outcome in {"succeeded", "absent"}:
        return Step(WITHDRAWN, None, f"{DIFFERS}: {_in_words(found)}.") if found else Step(READY, 0.0, reason, CHECKED)
    wait = min(max(2.0 ** min(checks, 12), retry_after or 0.0), LONGEST_WAIT)
    return Step(
        READY, wait, more("It could not be read whether it may still be done.", reason or f"The answer was: {outcome}.")
    )


def differences(result: Object | None) -> list[Any]:
    """Give the differences that a check found."""
    listed: Any = (result or {}).get("differences", [])
    return list(listed)


def kept(result: Object | None) -> str:
    """Give the differences as they are kept: the result of an effect that was not done because of them."""
    return canonical(differences(result))


def _same(path: Path, found: Any, wanted: Value) -> bool:
    if wanted is None:  # somebody accepted that it is not there any more
        return found is ABSENT or found is None
    try:
        said, asked = written(path, found), written(path, wanted)
    except CannotFill:
        return found is not ABSENT and canonical(found) == canonical(wanted)
    if said == asked:
        return True
    amount = decimal_string(asked)
    return amount is not None and decimal_string(said) == amount


def _shown(found: Any) -> Object:
    """Show what was found; of what is longer its beginning, which says so by how long it is, and by the digest of the whole."""
    if found is ABSENT:
        return {"found": None}
    text = found if isinstance(found, str) else canonical(found)
    if len(text) <= LONGEST_SHOWN:
        return {"found": found}
    return {"found": text[:LONGEST_SHOWN], "found_length": len(text), "found_digest": digest(found).hex()}


def _in_words(found: list[Any]) -> str:
    shown = [f"{each['path']} is {_plainly(each['found'])}, not {_plainly(each['expected'])}" for each in found[:3]]
    more_of_them = [f"and {len(found) - 3} more"] if len(found) > 3 else []
    return "; ".join([*shown, *more_of_them])


def _plainly(value: Value) -> str:
    if value is None:
        return "absent"
    text = value if isinstance(value, str) else canonical(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
