"""What a contract says of those who act without HTTP: a registered function, the agent itself, a person."""

from dataclasses import dataclass
from typing import Any, Final

from console.documents import Fault
from console.exact import canonical
from console.exact.value import Object, Value
from runs.contracts.argument_schema import ArgumentRules, argument_rules
from runs.contracts.asking import Asking, asking

HTTP, PYTHON, AGENT, HUMAN = "http", "python", "agent", "human"
EXECUTORS = (HTTP, PYTHON, AGENT, HUMAN)
WORKED = (HTTP, PYTHON)  # what workers claim; the others are begun by whoever does them
DONE = frozenset({"succeeded", "partial", "accepted"})
ALWAYS = frozenset({"unknown", "not_sent"})  # what can be reported whatever a contract lists
LONGEST_RESULT: Final = 65536  # characters in canonical form


class BadResult(ValueError):
    """The result is not what the contract says; `faults` tells what and where."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks(Asking):
    """The function that finds out what became of a call, and how often it is asked; spans in seconds."""

    function: str
    attempt_timeout_seconds: float


@dataclass(frozen=True, slots=True)
class Reports:
    """What may be reported: the outcomes, and the form of the result (None: any object)."""

    outcomes: frozenset[str]
    result: ArgumentRules | None

    def take(self, outcome: str, result: Value) -> Value:
        """Give the result as it is kept: defaults filled in, decimals in canonical form, not too long. Raises BadResult.

        What succeeded has the result that the form asks for; any other outcome may go without."""
        if self.result is None or (result is None and outcome != "succeeded"):
            return bounded(result)
        faults: list[Fault] = []
        found = self.result.root.take({} if result is None else result, ("result",), faults)
        if faults:
            raise BadResult(sorted(faults))
        return bounded(found)


def bounded(result: Value) -> Value:
    """Give a result that is short enough to be kept. Raises BadResult."""
    if result is not None and len(canonical(result)) > LONGEST_RESULT:
        raise BadResult([Fault("/result", "too_long", f"A result has at most {LONGEST_RESULT:,} characters.")])
    return result


@dataclass(frozen=True, slots=True)
class PythonCall:
    """The registered function of an operation, and the one that finds out what became of it."""

    function: str
    reports: Reports
    secrets: frozenset[str]
    status: Looks | None

    def functions(self) -> frozenset[str]:
        """Give the names of the functions that a worker needs."""
        return frozenset({self.function} | ({self.status.function} if self.status else set()))


@dataclass(frozen=True, slots=True)
class Permit:
    """What an agent or a person does under a permit: how long it lasts, and what may be reported."""

    lease_seconds: float
    reports: Reports
    instructions: str = ""
    groups: tuple[str, ...] = ()
    form: Object | None = None
    evidence_required: bool = False


def python_call(section: Object | None) -> PythonCall | None:
    """Read the section of a registered function; None is none."""
    if section is None:
        return None
    status: Any = section.get("status")
    looks = status and Looks(
        function=status["function"],
        attempt_timeout_seconds=float(status["attempt_timeout_seconds"]),
        **asking(status),
    )
    return PythonCall(section["function"], _reports(section, "result"), frozenset(section["secrets"]), looks)


def permit(section: Object | None) -> Permit | None:
    """Read the section of an agent or a person; None is none."""
    if section is None:
        return None
    form = "form" if "instructions" in section else "result"
    return Permit(
        lease_seconds=float(section["lease_seconds"]),
        reports=_reports(section, form),
        instructions=section.get("instructions", ""),
        groups=tuple(section.get("groups", ())),
        form=section.get(form),
        evidence_required=section.get("evidence_required", False),
    )


def _reports(section: Object, form: str) -> Reports:
    schema = section.get(form)
    return Reports(frozenset(section["outcomes"]), None if schema is None else argument_rules(schema))
