"""Carrying an attempt out as its contract says, in the workshop of its executor, and what the answer leads to."""

import logging
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self
from uuid import UUID

from console.exact import canonical
from runs import target_reading
from runs.calling_off import after_cancel
from runs.checking import after_check, kept
from runs.contracts.executors import HTTP, PYTHON
from runs.contracts.operation import OperationDocument, read_operation
from runs.failures import CONTRACT_UNREADABLE
from runs.finding_out import finding_out
from runs.http_work import HttpWork
from runs.lines import Line, Row
from runs.looked import after_look
from runs.outcome import Step, Tried, after_act, after_resend
from runs.prepared import LeftToOthers, Prepared, prepared
from runs.python_work import PythonWork
from runs.settling import Settlement
from runs.states import ACT, ACTS, CANCEL, CHECK, LOOKS, READY, RESEND, VERIFY, WITHDRAWN
from runs.target_reading import TargetRead
from runs.verifying import after_verifying, verified_first
from runs.wire import Answer

logger = logging.getLogger(__name__)
OPERATIONS = "select id, document from runs_operationcontract where id = any(%s)"
LEFT_SECONDS = 5.0  # until another worker is expected to take up what this one cannot do


class ContractWorkshop:
    """The workshops of a shift. Opened inside its loop; `threads` is the most synchronous functions at once."""

    def __init__(self, threads: int = 16) -> None:
        self.cannot: list[UUID] = []
        self.operations: dict[UUID, Prepared] = {}
        self.looked_round = False
        self.http, self.python = HttpWork(), PythonWork(threads)
        self.rooms: dict[str, HttpWork | PythonWork] = {HTTP: self.http, PYTHON: self.python}
        self.open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self.open.enter_async_context(self.http)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.open.aclose()

    async def prepare(self, line: Line, rows: list[Row]) -> None:
        """Read the contracts of claimed attempts that this process has not seen yet, and first of all look what it cannot do."""
        if not self.looked_round:
            cannot = [operation for room in self.rooms.values() for operation in await room.cannot(line)]
            self.cannot.extend(cannot)
            self.looked_round = True
        operations = {row["operation_id"] for row in rows} - self.operations.keys()
        if operations:
            for found in await line.ask(OPERATIONS, [list(operations)]):
                try:
                    self.operations[found["id"]] = prepared(read_operation(found["document"]))
                except Exception:
                    logger.exception("contract %s cannot be read here; it is left to others", found["id"])
        await self.http.prepare(line, rows)

    async def perform(self, row: Row) -> Settlement | None:
        """Make the one attempt that was claimed and say what follows; None when it was no longer ours to make."""
        began = time.monotonic()
        known = self.operations.get(row["operation_id"])
        if known is None:
            return self._left_to_others(row, CONTRACT_UNREADABLE)
        # the world is read by a request, whoever acts
        room = self.http if row["kind"] == VERIFY else self.rooms.get(known.document.executor)
        if room is None:
            return self._left_to_others(row, f"No worker does what the executor is {known.document.executor} for.")
        try:
            answer = await room.answer(row, known, began)
        except LeftToOthers as why:
            return self._left_to_others(row, str(why))
        return None if answer is None else settlement(row, known.document, answer, began)

    async def read_target(self, row: Row) -> TargetRead:
        """Read the state of what a request is about, once."""
        known = self.operations.get(row["operation_id"])
        if known is None:
            return self._left_unread(row, CONTRACT_UNREADABLE)
        try:
            return target_reading.read(row, await self.http.read_target(row, known))
        except LeftToOthers as why:
            return self._left_unread(row, str(why))

    def _left_unread(self, row: Row, why: str) -> TargetRead:
        if row["operation_id"] not in self.cannot:
            self.cannot.append(row["operation_id"])
        return target_reading.failed(row, why)

    def _left_to_others(self, row: Row, why: str) -> Settlement:
        """Give back what this worker cannot do, whatever the contract says of retries: nothing was sent, and another may be able to."""
        if row["operation_id"] not in self.cannot:
            self.cannot.append(row["operation_id"])
        state, step = (READY, "") if row["kind"] in (ACT, CHECK) else (row["effect_state"], row["kind"])
        return Settlement(
            attempt_id=row["attempt_id"], fence=row["fence"], outcome="not_sent", state=state, delay=LEFT_SECONDS, http_status=None,
            sent=False, reason=why, result=None, reference="", evidence=canonical({"error": why}), step=step,
        )  # fmt: skip


def settlement(row: Row, document: OperationDocument, answer: Answer, began: float) -> Settlement:
    """Decide from the contract and the record what an answer leads to. Time is the database's at the claim, plus what passed since."""
    now: datetime = row["claimed_at"] + timedelta(seconds=time.monotonic() - began)
    looking = row["kind"] in LOOKS
    tried = Tried(
        attempts=row["acts"] + (row["kind"] in ACTS), first_at=row["first_at"], now=now, deadline_at=row["deadline_at"],
        granted=row["granted"], acted_at=row["acted_at"],
    )  # fmt: skip
    finding, reason, wished = finding_out(document), answer.reason or "", answer.retry_after_seconds
    step: Step
    if row["kind"] == CHECK:
        step = after_check(answer.outcome, reason, answer.result, checks=row["looks"], retry_after=wished)
        return _checked(row, answer, step)
    if row["kind"] == VERIFY and document.verify is not None:
        step = after_verifying(
            answer.outcome, reason, row["effect_state"], document.verify, since=row["verifying_since"], now=now, looks=row["looks"],
            retry_after=wished,
        )  # fmt: skip
        return _settled(row, answer, step, result=None, reference="")
    if row["kind"] == CANCEL:
        step = after_cancel(
            answer.outcome, reason, row["effect_state"], document.retry, tried, asked=row["looks"] + 1, finding=finding
        )
        return _settled(row, answer, step, result=None, reference="")
    if looking:
        step = after_look(
            answer.outcome, reason, row["effect_state"], document.retry, tried, kind=row["kind"], looks=row["looks"], retry_after=wished,
            finding=finding,
        )  # fmt: skip
    else:
        after = after_resend if row["kind"] == RESEND else after_act
        step = after(answer.outcome, reason, document.retry, tried, retry_after=wished, finding=finding)
    step = verified_first(step, row["effect_state"], document.verify)
    result = None if answer.result is None else canonical(answer.result)
    return _settled(row, answer, step, result=result, reference=answer.operation_id or "")


def _checked(row: Row, answer: Answer, step: Step) -> Settlement:
    """Settle a check. What differs is a conflict, and the difference is what is kept of an effect that was not done."""
    if step.state != WITHDRAWN:
        return _settled(row, answer, step, result=None, reference="")
    found = replace(answer, outcome="conflict")
    return _settled(row, found, step, result=kept(answer.result), reference="")


def _settled(row: Row, answer: Answer, step: Step, *, result: str | None, reference: str) -> Settlement:
    return Settlement(
        attempt_id=row["attempt_id"], fence=row["fence"], outcome=answer.outcome, state=step.state, delay=step.delay,
        http_status=answer.http_status, sent=answer.sent, reason=step.reason, result=result, reference=reference,
        evidence=answer.evidence, step=step.next,
    )  # fmt: skip
