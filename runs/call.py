"""Make the HTTP call of an attempt, once, and say what became of it.

The one narrow place where this product speaks to the world. It never retries: whether to try again is decided from the
record. Where the exchange broke decides what is known (R-B2): before the first byte left nothing was sent; after it a
write's outcome is unknown whatever the error, and a read's is merely transient."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Final

import aiohttp

from console.crashpoint import crashpoint
from console.exact import BadJSON, Object, decode
from console.telemetry import traces
from runs.contracts.outcomes import OutcomeTable, Verdict, said_in, verdict_of
from runs.contracts.partial import PartialRule
from runs.evidence import blotted, evidence, said
from runs.retry_after import retry_after_seconds
from runs.sending import HungUp, Sending
from runs.wire import Answer, WireRequest

# What may be believed only of an answer that reads as what it says it is; a refusal or a plea for time needs no body.
CLAIMS: Final = frozenset({"succeeded", "accepted", "partial", "pending", "absent"})
ENDINGS: Final = frozenset({"succeeded", "partial", "rejected"})  # what a look can find to have come of it
NONSENSE: Final = (ValueError, TypeError, aiohttp.NonHttpUrlClientError)  # no address, or a header that cannot be sent
MOST_REASON_CHARACTERS: Final = 1000
_OTHER_CONNECTIONS: Final = 64


class BadAnswer(Exception):
    """The answer came, but cannot be read as what it says it is."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How an answer is read: the contract's outcome table, what tells a partial effect, and what proves that it is ours."""

    table: OutcomeTable
    partial: PartialRule | None = None
    proven: Callable[[Object], bool] | None = None

    def of(self, answer: Object) -> Verdict | None:
        """Say what an answer means. A partial effect is told before the table is asked; what is found and not proven is a conflict."""
        found = verdict_of(self.table, answer)
        if self.partial is not None and self.partial.holds(answer):
            kept = self.partial.kept(answer) or (found.result if found else None)
            return Verdict("partial", kept, found.reason if found else None)
        if found is not None and found.outcome in ENDINGS and self.proven is not None and not self.proven(answer):
            return Verdict("conflict", reason="What was found does not come from this intent.")
        return found


async def call(session: aiohttp.ClientSession, request: WireRequest, *, reading: Reading, access: str) -> Answer:
    """Send the request once and say what became of it, as the contract reads answers; only cancellation is raised."""
    with traces.span(
        f"{request.method} {_host(request.url)}",
        traces.CALL,
        http__request__method=request.method,
        server__address=_host(request.url),
    ):
        if parent := traces.traceparent():
            request.headers["traceparent"] = parent
        answer = await _call(session, request, reading, access)
        traces.note(http__response__status_code=answer.http_status, outcome=answer.outcome, sent=answer.sent)
        return answer


async def _call(session: aiohttp.ClientSession, request: WireRequest, reading: Reading, access: str) -> Answer:
    started = perf_counter()
    sending = Sending(request.body, compensates=request.compensates)
    try:
        async with asyncio.timeout(request.timeout_seconds):
            crashpoint("dispatch.before_socket")
            status = await _send_and_receive(session, request, sending)
        crashpoint("dispatch.response_received")
        verdict = _judge(reading, status, sending)
    except Exception as error:  # noqa: BLE001 - whatever broke, what may have left decides what is known
        return _answer(_broken(sending, request, error, access), sending, request, started, error)
    verdict = verdict or Verdict(_unclear(access), reason="No rule reads this answer.")
    return _answer(verdict, sending, request, started)


def _host(url: str) -> str:
    """Give an address's host and port: the rest may hold what is nobody's business."""
    return url.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2]


async def _send_and_receive(session: aiohttp.ClientSession, request: WireRequest, sending: Sending) -> int:
    for _ in range(_OTHER_CONNECTIONS):
        try:
            async with session.request(
                request.method, request.url, headers=request.headers, data=sending, allow_redirects=False
            ) as response:
                sending.begins(response.status, response.headers)
                await _receive(response, sending, request.max_response_bytes)
                return response.status
        except HungUp:
            continue  # nothing was written to it: taking another connection from the pool resends nothing
    raise HungUp("The other side hangs up before it has been told anything.")


async def _receive(response: aiohttp.ClientResponse, sending: Sending, most: int) -> None:
    content = response.content
    while not content.at_eof():
        sending.received += await content.read(most + 1 - len(sending.received))
        if len(sending.received) > most:
            response.close()
            raise BadAnswer(f"The answer is larger than {most} bytes.")


def _judge(reading: Reading, status: int, sending: Sending) -> Verdict | None:
    body, unreadable = _body(sending)
    verdict = reading.of({"status": status, **said_in(sending.headers, body)})
    if verdict is not None and verdict.outcome in CLAIMS:
        if unreadable:
            raise BadAnswer(unreadable)
        if body is not None and verdict.rule is not None and not reading.table.rules[verdict.rule].fits(body):
            raise BadAnswer("The answer is JSON of another kind than the contract reads.")
    return verdict


def _body(sending: Sending) -> tuple[Any, str | None]:
    """Give the decoded body, and why it cannot serve as proof if it is not JSON; BadAnswer for broken JSON."""
    if not sending.received:
        return None, None
    declared = sending.headers.get("content-type", "").split(";", 1)[0].strip().lower()
    if declared and not declared.endswith("json"):
        return None, f"The answer is {declared[:100]}, not JSON."
    try:
        return decode(bytes(sending.received)), None
    except BadJSON as why:
        raise BadAnswer(f"The answer is not readable JSON: {why}") from None


def _unclear(access: str) -> str:
    return "transient" if access == "read" else "unknown"


def _broken(sending: Sending, request: WireRequest, error: Exception, access: str) -> Verdict:
    if sending.sent:
        return Verdict(_unclear(access), reason=_what_broke(sending, request, error))
    if isinstance(error, NONSENSE) and not isinstance(error, aiohttp.ClientConnectorError):
        return Verdict("invalid", reason=f"The request cannot be sent: {said(error)}")
    if isinstance(error, TimeoutError):
        return Verdict("not_sent", reason=f"No connection within {request.timeout_seconds:g} s; nothing was sent.")
    return Verdict("not_sent", reason=f"Nothing was sent: {said(error)}")


def _what_broke(sending: Sending, request: WireRequest, error: Exception) -> str:
    if isinstance(error, BadAnswer):
        return str(error)
    if isinstance(error, TimeoutError):
        part = "answer" if sending.status is None else "whole answer"
        return f"No {part} within {request.timeout_seconds:g} s; the request had been sent."
    if sending.status is None:
        return f"The connection broke after the request was sent: {said(error)}"
    return f"The answer broke off: {said(error)}"


def _answer(
    verdict: Verdict, sending: Sending, request: WireRequest, started: float, error: Exception | None = None
) -> Answer:
    secrets = request.secrets()
    return Answer(
        outcome=verdict.outcome,
        http_status=sending.status,
        sent=sending.sent,
        result=verdict.result,
        reason=verdict.reason and blotted(verdict.reason, secrets)[:MOST_REASON_CHARACTERS],
        operation_id=verdict.operation_id,
        retry_after_seconds=_retry_after(sending.headers),
        evidence=evidence(sending, error, secrets),
        elapsed_seconds=perf_counter() - started,
    )


def _retry_after(headers: dict[str, str]) -> float | None:
    if "retry-after" not in headers:
        return None
    return retry_after_seconds(headers["retry-after"], date=headers.get("date"), now=datetime.now(UTC))
