"""The cases of the matrix, and what must come of each: reckoned from what it is made of, never from what was seen. Pure.

A case is one payment whose worker (or, where nobody has been told yet, web server) is killed at one place, by one script of
a bank that keeps keys or forgets them, under a contract that can ask the bank or cannot, with one worker or two."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from itertools import combinations, product

POINTS = (
    "wake.enqueue", "claim.after_commit", "dispatch.before_socket", "dispatch.bytes_sent", "dispatch.response_received",
    "result.before_commit", "result.after_commit",
)  # fmt: skip
LATE_SECONDS, TIMEOUT_SECONDS = 4.0, 2
# What the bank does with the first call; every later one it does and says so.
SCRIPTS: dict[str, object] = {
    "commit and answer": "commit_and_answer",
    "commit and drop": "commit_and_drop",
    "commit and 500": "commit_and_500",
    "late commit": {"do": "late_commit", "seconds": LATE_SECONDS},
    "202": {"do": "accept_202", "seconds": 1.5},
    "reject": "reject",
    "rate limit": {"do": "rate_limit", "seconds": 1},
    "partial": "partial",
}
COMMITS = frozenset(SCRIPTS) - {"reject", "rate limit"}
SAYS = {
    "commit and answer": "succeeded",
    "202": "accepted",
    "reject": "rejected",
    "rate limit": "overload",
    "partial": "partial",
}
BANKS = {True: "keeps", False: "forgets"}


@dataclass(frozen=True, slots=True, order=True)
class Case:
    """One case, by its five axes."""

    point: str
    script: str
    keeps_keys: bool
    can_ask: bool
    workers: int

    @property
    def name(self) -> str:
        """Name it for a table."""
        asked = "asked" if self.can_ask else "blind"
        return f"{self.point:27} {self.script:18} {BANKS[self.keeps_keys]:8} {asked:6} {self.workers}"

    @property
    def order(self) -> str:
        """Give the order that this case's payment is for."""
        return f"M-{POINTS.index(self.point)}-{[*SCRIPTS].index(self.script)}-{self.keeps_keys:d}{self.can_ask:d}{self.workers}"

    @property
    def operation(self) -> str:
        """Give the operation whose contract and bank are this case's."""
        return f"pay-{BANKS[self.keeps_keys]}-{'asked' if self.can_ask else 'blind'}"


@dataclass(frozen=True, slots=True)
class Expected:
    """What must be so in the end: the effect's state, its acts, the calls that the bank saw, and its entries."""

    state: str
    acts: int
    calls: int
    entries: int

    @property
    def run_ends(self) -> bool:
        """Say whether its run, which completes itself, has come to an end (R-A8)."""
        return self.state in {"succeeded", "rejected"}


def expected(case: Case) -> Expected:
    """Reckon what must come of a case."""
    called = case.point not in {"claim.after_commit", "dispatch.before_socket"}
    entries = int(called and case.script in COMMITS)
    if not is_recorded(case):
        return Expected(found_out(case, entries), 1, int(called), entries)
    said = SAYS.get(case.script, "unknown")
    if said == "accepted" and not case.can_ask:  # a promise that nobody can ask about is not read as one
        said = "unknown"
    if said == "overload":  # the bank did nothing and said so: the contract sends it again, under the same key
        return Expected("succeeded", 2, 2, 1)
    state = found_out(case, entries, said) if said in {"accepted", "unknown"} else said
    return Expected(state, 1, 1, entries)


def is_recorded(case: Case) -> bool:
    """Say whether the answer to the first call is written down in spite of the kill."""
    return case.point in {"wake.enqueue", "result.after_commit"} or not passes(case)


def passes(case: Case) -> bool:
    """Say whether the worker ever comes to the place: without an answer it is never at the one where the answer is there."""
    return case.point != "dispatch.response_received" or case.script not in {"commit and drop", "late commit"}


def found_out(case: Case, entries: int, before: str = "unknown") -> str:
    """Give what asking leads to: only what the bank has can be learned. Absence proves nothing by these contracts."""
    if not case.can_ask or not entries:
        return before
    return "partial" if case.script == "partial" else "succeeded"


def whole() -> list[Case]:
    """Give every case."""
    return [Case(*axes) for axes in product(POINTS, SCRIPTS, (True, False), (True, False), (1, 2))]


def sample() -> list[Case]:
    """Give few cases in which every two values of different axes meet: found greedily and always the same, rarer values first."""
    cases, chosen, used = whole(), list[Case](), Counter[tuple[int, object]]()
    missing = {pair for case in cases for pair in pairs(case)}
    while missing:
        best = max(
            cases,
            key=lambda case: (len(missing.intersection(pairs(case))), -sum(used[v] for v in enumerate(astuple(case)))),
        )
        chosen.append(best)
        used.update(enumerate(astuple(best)))
        missing.difference_update(pairs(best))
    return chosen


def pairs(case: Case) -> Iterator[tuple[tuple[int, object], tuple[int, object]]]:
    """Give every two of a case's values, with their axes."""
    yield from combinations(enumerate(astuple(case)), 2)


def of_workers(cases: Iterable[Case], workers: int) -> list[Case]:
    """Give those cases that have so many workers."""
    return [case for case in cases if case.workers == workers]
