"""Writing down what came back, as a list and in one transaction."""

from dataclasses import dataclass
from uuid import UUID

from runs.lines import Line

SETTLE = """select attempt_id from runs_settle(
    %s::uuid[], %s::bigint[], %s::text[], %s::text[], %s::double precision[], %s::smallint[], %s::boolean[],
    %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s)"""


@dataclass(frozen=True, slots=True)
class Settlement:
    """One attempt's answer and what it leads to; `result` and `evidence` are canonical texts, `step` is what is due after `delay`."""

    attempt_id: UUID
    fence: int
    outcome: str
    state: str
    delay: float | None
    http_status: int | None
    sent: bool | None
    reason: str
    result: str | None
    reference: str
    evidence: str
    step: str = ""


async def settle(line: Line, answers: list[Settlement], worker: str) -> list[UUID]:
    """Record the answers; gives the attempts whose answer was late. Doing it again changes nothing."""
    late = await line.ask(
        SETTLE,
        [
            [answer.attempt_id for answer in answers],
            [answer.fence for answer in answers],
            [answer.outcome for answer in answers],
            [answer.state for answer in answers],
            [answer.delay for answer in answers],
            [answer.http_status for answer in answers],
            [answer.sent for answer in answers],
            [answer.reason for answer in answers],
            [answer.result for answer in answers],
            [answer.reference for answer in answers],
            [answer.evidence for answer in answers],
            [answer.step for answer in answers],
            worker,
        ],
    )
    return [row["attempt_id"] for row in late]
