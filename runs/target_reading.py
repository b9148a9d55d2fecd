"""Reading the state of a target: what its contract's reader answers, as a version and as data, and how it is written down.

A reading changes nothing on either side, so it is no attempt: it has no key and no fence, and one that is lost is done again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from approvals.target import LONGEST_STATE
from console.exact import Object, canonical
from runs.call import Reading
from runs.contracts.outcomes import Verdict, verdict_of
from runs.contracts.templates import CannotFill, Template
from runs.lines import Line, Row
from runs.wire import Answer

MOST_READINGS: Final = 16  # begun with one claim
LONGEST_VERSION: Final = 200
LONGEST_FAULT: Final = 1000
THERE_IS_NONE: Final = "absent"  # the version of a target that is not there
LONGEST_WAITS: Final = {
    "pending": 900.0
}  # seconds between tries that fail; what was approved waits for them, and is tried more often
LONGEST_WAIT: Final = 60.0
TAKE: Final = "select * from runs_take_readings(%s, %s, %s::uuid[])"
KEEP: Final = """select * from runs_target_read(
    %s::uuid[], %s::timestamptz[], %s::text[], %s::text[], %s::text[], %s::double precision[], %s)"""


@dataclass(frozen=True, slots=True)
class TargetRead:
    """What a reading gave: the version and the state (canonical; "": too large to be kept), or why it failed and how long to wait."""

    request_id: UUID
    taken_at: datetime
    version: str = ""
    state: str = ""
    fault: str = ""
    delay: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetAnswer(Reading):
    """Reads the answer of a target's reader: what is learnt is its version and its state."""

    version: Template

    def of(self, answer: Object) -> Verdict | None:
        """Say what the answer means; without a table of outcomes an answer of 2xx is the state."""
        found = verdict_of(self.table, answer) if self.table.rules else by_its_status(answer)
        if found is None or found.outcome not in {"succeeded", "absent"}:
            return found
        if found.outcome == "absent":
            return Verdict("succeeded", {"version": THERE_IS_NONE, "state": {}}, rule=found.rule)
        try:
            version = self.version.text(answer)
        except CannotFill as why:
            return Verdict("invalid", reason=f"The answer does not say which version it is: {why}.")
        if not version or len(version) > LONGEST_VERSION:
            return Verdict("invalid", reason=f"A version has 1 to {LONGEST_VERSION} characters.")
        state: Any = answer.get("body") if found.result is None else found.result
        return Verdict("succeeded", {"version": version, "state": state}, rule=found.rule)


def by_its_status(answer: Object) -> Verdict | None:
    """Take an answer of 2xx for the state; of any other nothing is learnt."""
    return Verdict("succeeded") if 200 <= int(answer["status"]) < 300 else None


def read(row: Row, answer: Answer) -> TargetRead:
    """Give what an answer says of the target; anything but its state is a fault, after which it is read again."""
    if answer.outcome == "succeeded" and answer.result is not None:
        found: Any = answer.result["state"]
        state = canonical(found)
        return TargetRead(
            row["request_id"],
            row["taken_at"],
            str(answer.result["version"]),
            state if len(state) <= LONGEST_STATE else "",
        )
    return failed(row, answer.reason or f"The answer was: {answer.outcome}.", answer.retry_after_seconds or 0.0)


def failed(row: Row, why: str, at_least: float = 0.0) -> TargetRead:
    """Give a reading that failed; the more of them failed in a row, the longer the wait."""
    most = LONGEST_WAITS.get(row["state"], LONGEST_WAIT)
    wait = min(max(2.0 ** min(row["reads_failed"], 12), at_least), most)
    return TargetRead(row["request_id"], row["taken_at"], fault=why[:LONGEST_FAULT], delay=wait)


async def keep(line: Line, readings: list[TargetRead], worker: str) -> list[Row]:
    """Record readings; gives the requests and effects that they were about. Doing it again changes nothing."""
    return await line.ask(
        KEEP,
        [
            [one.request_id for one in readings], [one.taken_at for one in readings], [one.version for one in readings],
            [one.state for one in readings], [one.fault for one in readings], [one.delay for one in readings], worker,
        ],
    )  # fmt: skip
