"""What is known of an effect, and what is not, in sentences: from its attempts alone, so that no page says more than the record."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Protocol

from console.pages.templatetags.times import clock
from runs.contracts.executors import AGENT, HTTP, HUMAN, PYTHON
from runs.states import ACT, ACTS, CHECK, LOOKS, READ, RESEND, VERIFY

# What is open, by who carries it out: whether it happened, how far it came, and what nobody has asked.
QUESTIONS = {
    HTTP: (
        "Whether it happened on the other side.", "Whether the request left us at all.",
        "What the other side says of it: nobody has asked yet.",
    ),
    PYTHON: (
        "Whether it happened.", "How far the function came before it stopped.",
        "What there is to be seen of it: nobody has looked yet.",
    ),
    AGENT: (
        "Whether the agent did it.", "How far the agent came before it stopped.",
        "What the agent, or whoever it dealt with, says of it: nobody has asked yet.",
    ),
    HUMAN: (
        "Whether the person did it.", "How far the person came before their time ran out.",
        "What the person who began it says: nobody has asked yet.",
    ),
}  # fmt: skip
SAYS_NOTHING = frozenset(
    {"transient", "overload", "denied", "invalid", "not_sent", "unknown"}
)  # an answer to a question, not about the effect
ASKED = {  # looks that are no questions
    READ: "Read what is there", VERIFY: "Read whether the world shows it", CHECK: "Checked first whether it may be done",
}  # fmt: skip
VANISHED = "the worker vanished"  # as runs/sql/leases.sql says it; of an agent's or a person's lease it says otherwise


class Try(Protocol):
    """What is read of an attempt."""

    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def http_status(self) -> int | None: ...
    @property
    def sent(self) -> bool | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def started_at(self) -> datetime: ...
    @property
    def late_outcome(self) -> str: ...


def known(attempts: Sequence[Try], now: datetime) -> list[str]:
    """Give what each attempt tells; queries that brought the same answer one after the other are one line."""
    return [line for _, tries in groupby(attempts, _sort) for line in _lines(list(tries), now)]


def not_known(attempts: Sequence[Try], *, absence_is_proof: bool, executor: str = HTTP) -> list[str]:
    """Give the open questions of an effect whose end is not confirmed, in the words of whoever carries it out."""
    acts = [attempt for attempt in attempts if attempt.kind in ACTS]
    asked = [attempt for attempt in attempts if attempt.kind in LOOKS]
    happened, begun, silent = QUESTIONS.get(executor, QUESTIONS[HTTP])
    questions = [happened]
    if acts and acts[-1].sent is None:
        questions.append(begun)
    if asked and asked[-1].outcome == "absent" and not absence_is_proof:
        questions.append(
            "Whether it may still come: for the contract, that the other side has no trace of it proves nothing."
        )
    if asked and asked[-1].outcome == "conflict":
        questions.append("What there is on the other side: it does not prove to be ours.")
    if not asked and acts and acts[-1].state != "running":
        questions.append(silent)
    return questions


def _sort(attempt: Try) -> tuple[object, ...]:
    act = attempt.number if attempt.kind in ACTS else 0
    return act, attempt.kind, attempt.state, attempt.outcome, attempt.http_status, attempt.reason, attempt.late_outcome


def _lines(tries: list[Try], now: datetime) -> Iterator[str]:
    first, last = tries[0], tries[-1]
    at, became = f"{clock(first.started_at, now)} UTC", _became(first)
    asked = ASKED.get(first.kind, "Asked about it")
    if first.kind == ACT:
        yield f"Attempt {first.number}, {at}: {became}"
    elif first.kind == RESEND:
        yield f"Attempt {first.number}, sent again with the same key, {at}: {became}"
    elif len(tries) == 1:
        yield f"{asked} at {at}: {became}"
    else:
        since, until = clock(first.started_at, now), clock(last.started_at, now)
        during = f"at {since} UTC" if since == until else f"from {since} to {until} UTC"
        yield f"{asked} {len(tries)} times, {during}, each time the same: {became}"
    if first.late_outcome:
        late = first.late_outcome.replace("_", " ")
        yield f"After attempt {first.number} had been given up, an answer came ({late}). It is kept and changes nothing."


def _became(attempt: Try) -> str:
    if attempt.state == "running":
        return "it is under way."
    if attempt.state == "lost":
        if attempt.reason not in {"", VANISHED}:
            return f"{attempt.reason}."
        return "its worker vanished before an answer was recorded."
    if attempt.http_status:
        silent = attempt.kind in LOOKS and attempt.outcome in SAYS_NOTHING
        outcome = "which says nothing of it" if silent else attempt.outcome.replace("_", " ")
        return f"the other side answered {attempt.http_status}{f', {outcome}' if outcome else ''}."
    if attempt.sent is False:
        return "nothing left us."
    return "no clear answer came."
