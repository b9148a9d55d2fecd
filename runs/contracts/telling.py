"""A contract as sentences, line by line of the two lists: what each line says, or that it is not said. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from console.documents import Document
from console.exact.conditions import parse, sentence
from console.exact.value import Object
from runs.contracts.follows import after_call, after_cancel, after_look, after_reading, after_verification
from runs.contracts.gaps import Gap, gaps, lines_of
from runs.contracts.reasons import WHY
from runs.contracts.recovery_told import RECOVERY_TOLD
from runs.contracts.resume_told import RESUME_TOLD

Teller = Callable[[Object], Iterator[str]]
LOOKS = {"status": "The status query", "read_back": "Reading back"}
KEPT = "it is kept, and nothing was learnt"
TELLERS: dict[str, Teller] = {**RECOVERY_TOLD, **RESUME_TOLD}


@dataclass(frozen=True, slots=True)
class Told:
    """A line of a contract: its name, why it is asked, what the contract says (nothing: not said), and what it leaves open."""

    name: str
    why: str
    says: list[str]
    open: list[Gap]


@dataclass(frozen=True, slots=True)
class Answer:
    """A line of an outcome table: when it holds, what it means, what is kept of it, and what follows."""

    when: str
    outcome: str
    keeps: list[str]
    follows: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """An outcome table: whose answers it reads, its rules in order, and what an answer means that none of them fits."""

    of: str
    rules: list[Answer]
    otherwise: str


def told(document: Document) -> list[Told]:
    """Say a valid contract in normal form, line by line."""
    left_open = gaps(document)
    return [
        Told(line.name, WHY[line.name], list(TELLERS[line.name](document.value)), [gap for gap in left_open if gap.line == line.name])
        for line in lines_of(document)
    ]  # fmt: skip


def outcome_tables(contract: Object) -> list[Answers]:
    """Give an operation's outcome tables: of the call, and of the calls that ask what became of it."""
    executor = str(contract.get("executor", "http"))
    section: Any = contract.get(executor) or {}
    reads = contract.get("access") == "read"
    lost = "transient: nothing was learnt, and it is asked again" if reads else "unknown: it may have happened or not"
    otherwise = lost if executor == "http" else "no other outcome can be reported; without a report it is unknown"
    nothing = "nothing was learnt; it is asked again"
    stopped = "nothing was learnt; what became of it is found out at once, as of any other"
    call = partial(after_call, contract=contract)
    found: list[tuple[str, Any, str, Callable[[str], str]]] = [
        ("The call" if executor == "http" else "The report", section.get("outcomes"), otherwise, call)
    ]
    for name, of in LOOKS.items():
        look: Any = section.get(name) or {}
        found.append((of, look.get("outcomes"), nothing, partial(after_look, section=look, contract=contract)))
    found += [
        (
            "The message that comes by itself",
            (section.get("callback") or {}).get("outcomes"),
            KEPT,
            partial(after_look, section={}, contract=contract),
        ),
        ("The read", (section.get("read") or {}).get("outcomes"), nothing, after_reading),
        ("The request to cancel", (section.get("cancel") or {}).get("outcomes"), stopped, after_cancel),
        ("The verification", (contract.get("verify") or {}).get("outcomes"), nothing, after_verification),
    ]
    return [
        Answers(of, [_answer(rule, follows) for rule in rules], otherwise)
        for of, rules, otherwise, follows in found
        if rules
    ]


def _answer(rule: Any, follows: Callable[[str], str]) -> Answer:
    if isinstance(rule, str):  # what a function, an agent or a person may report
        return Answer("it is reported so", rule, [], follows(rule))
    keeps = [f"{name} = {value}" for name, value in (rule.get("result") or {}).items()]
    keeps += [f"the reason = {rule['reason']}"] if rule.get("reason") else []
    keeps += [f"the other side's own name = {rule['operation_id']}"] if rule.get("operation_id") else []
    return Answer(sentence(parse(rule["when"])), rule["outcome"], keeps, follows(rule["outcome"]))
