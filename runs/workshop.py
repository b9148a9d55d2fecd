"""Carrying an attempt out as its contract says: the request made from its templates, the one call, and what the answer leads to."""

import logging
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self
from uuid import UUID

import aiohttp

from console import env
from console.clock import instant
from console.exact import canonical, decode
from runs.call import call
from runs.contracts.dependency import read_dependency
from runs.contracts.operation import OperationDocument, read_operation
from runs.contracts.request import BadRequest, Exchange, MissingSecret, Surroundings, render
from runs.effect_keys import effect_key
from runs.lines import AWAY, Line, Row
from runs.outcome import Step, after_act, after_look
from runs.sending import open_session
from runs.settling import Settlement
from runs.states import READY
from runs.wire import Answer, WireRequest, stamped

logger = logging.getLogger(__name__)
OPERATIONS = "select id, document from runs_operationcontract where id = any(%s)"
DEPENDENCIES = "select id, document from runs_dependency where id = any(%s)"
# Secrets named by the contracts in force, so that a worker leaves what it has no secret for to others before it claims any of it.
SECRETS = r"""select id, array(select m[1] from regexp_matches(document, '\{secret\.([^{}]+)\}', 'g') as m) as names
             from runs_operationcontract where executor = 'http' and retired_at is null and position('{secret.' in document) > 0"""
MARK = """update runs_attempt set sent_mark_at = cf_now() where id = %s and fence = %s and state = 'running' returning id"""
FIRST_LOOK_SECONDS = 5.0
LEFT_SECONDS = 5.0  # until another worker is expected to take up what this one cannot do


@dataclass(frozen=True, slots=True)
class Prepared:
    """An operation made ready in this process, with the secrets that it names."""

    document: OperationDocument
    secrets: dict[str, str]


class ContractWorkshop:
    """Carries out attempts of operations with executor `http`. Opened inside the shift's loop."""

    def __init__(self) -> None:
        self.cannot: list[UUID] = []
        self.operations: dict[UUID, Prepared] = {}
        self.base_urls: dict[UUID, str] = {}
        self.looked_round = False
        self.session: aiohttp.ClientSession | None = None
        self.line: Line | None = None

    async def __aenter__(self) -> Self:
        self.session = open_session()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.session is not None:
            await self.session.close()

    async def prepare(self, line: Line, rows: list[Row]) -> None:
        """Read the contracts of claimed attempts that this process has not seen yet, and first of all look what it cannot do."""
        self.line = line
        if not self.looked_round:
            for found in await line.ask(SECRETS, []):
                if not all(env.secret(name) for name in found["names"]):
                    self.cannot.append(found["id"])
            self.looked_round = True
        operations = {row["operation_id"] for row in rows} - self.operations.keys()
        dependencies = {row["dependency_id"] for row in rows if row["dependency_id"]} - self.base_urls.keys()
        if operations:
            for found in await line.ask(OPERATIONS, [list(operations)]):
                try:
                    document = read_operation(found["document"])
                except Exception:
                    logger.exception("contract %s cannot be read here; it is left to others", found["id"])
                    continue
                self.operations[found["id"]] = Prepared(document, _secrets(document))
        if dependencies:
            for found in await line.ask(DEPENDENCIES, [list(dependencies)]):
                dependency = read_dependency(found["document"])
                self.base_urls[found["id"]] = env.base_url(dependency.name) or dependency.base_url

    async def perform(self, row: Row) -> Settlement | None:
        """Make the one call of a claimed attempt and say what follows; None when the attempt was no longer ours to make."""
        began = time.monotonic()
        prepared = self.operations.get(row["operation_id"])
        if prepared is None:
            return self._left_to_others(row, "This worker cannot read the contract.")
        try:
            request, exchange = self._request(row, prepared)
        except MissingSecret as why:
            return self._left_to_others(row, f"This worker cannot make the request: {why}")
        except BadRequest as why:
            return settlement(row, prepared.document, _unmade("invalid", f"The request cannot be made: {why}"), began)
        http, acting = prepared.document.http, row["kind"] == "act"
        if acting and http and http.mark_before_send:
            try:
                if not await self._mark(row):
                    return None
            except AWAY as fault:
                why_not = f"Nothing was sent, because that could not be written down first: {type(fault).__name__}"
                return settlement(row, prepared.document, _unmade("not_sent", why_not), began)
        if self.session is None:
            raise RuntimeError("the workshop is not open")
        access = prepared.document.access if acting else "read"
        answer = await call(self.session, request, table=exchange.outcomes, access=access)
        return settlement(row, prepared.document, answer, began)

    def _request(self, row: Row, prepared: Prepared) -> tuple[WireRequest, Exchange]:
        http = prepared.document.http
        if http is None or (row["kind"] == "status" and http.status is None):
            raise BadRequest("/http", (), "the contract describes no such call")
        exchange = http.status.exchange if row["kind"] == "status" and http.status else http.act
        key = effect_key(row["effect_id"])
        around = Surroundings(
            base_url=self.base_urls.get(row["dependency_id"], ""), effect_key=key, effect_id=str(row["effect_id"]), fence=row["fence"],
            deadline=instant(row["deadline_at"]) or "", secrets=prepared.secrets, operation_id=row["operation_reference"] or None,
        )  # fmt: skip
        made = render(exchange, decode(row["arguments"].encode()), around)  # type: ignore[arg-type]
        acting = row["kind"] == "act"
        headers = stamped(
            made.headers,
            key=key if acting else None,
            fence=row["fence"] if acting else None,
            deadline=row["deadline_at"] if acting else None,
        )
        secret = {name.lower() for name in made.secret_headers}
        hidden = frozenset(name for name in headers if name.lower() in secret)
        return WireRequest(
            made.method, made.url, headers, made.body, made.timeout_seconds, made.max_response_bytes, hidden
        ), exchange

    def _left_to_others(self, row: Row, why: str) -> Settlement:
        """Give back what this worker cannot do, whatever the contract says of retries: nothing was sent, and another may be able to."""
        if row["operation_id"] not in self.cannot:
            self.cannot.append(row["operation_id"])
        state = READY if row["kind"] == "act" else row["effect_state"]
        return Settlement(
            attempt_id=row["attempt_id"], fence=row["fence"], outcome="not_sent", state=state, delay=LEFT_SECONDS, http_status=None,
            sent=False, reason=why, result=None, reference="", evidence=canonical({"error": why}),
        )  # fmt: skip

    async def _mark(self, row: Row) -> bool:
        """Commit just before the socket that the request may have been sent from now on (contract: mark_before_send)."""
        return self.line is not None and bool(await self.line.ask(MARK, [row["attempt_id"], row["fence"]]))


def settlement(row: Row, document: OperationDocument, answer: Answer, began: float) -> Settlement:
    """Decide from the contract and the record what an answer leads to. Time is the database's at the claim, plus what passed since."""
    now: datetime = row["claimed_at"] + timedelta(seconds=time.monotonic() - began)
    status = document.http.status if document.http else None
    reason = answer.reason or ""
    step: Step
    if row["kind"] == "status":
        step = after_look(
            answer.outcome,
            reason,
            row["effect_state"],
            looks=row["looks"],
            look_every=status.every_seconds if status else FIRST_LOOK_SECONDS,
            overdue=status is not None and (now - row["first_at"]).total_seconds() >= status.objective_seconds,
        )
    else:
        step = after_act(
            answer.outcome, reason, document.retry, attempts=row["acts"] + 1, first_at=row["first_at"], now=now,
            deadline_at=row["deadline_at"], retry_after=answer.retry_after_seconds, look_every=status.every_seconds if status else None,
        )  # fmt: skip
    return Settlement(
        attempt_id=row["attempt_id"], fence=row["fence"], outcome=answer.outcome, state=step.state, delay=step.delay,
        http_status=answer.http_status, sent=answer.sent, reason=step.reason,
        result=None if answer.result is None else canonical(answer.result), reference=answer.operation_id or "", evidence=answer.evidence,
    )  # fmt: skip


def _unmade(outcome: str, why: str) -> Answer:
    return Answer(outcome, None, False, None, why, None, None, canonical({"error": why}), 0.0)


def _secrets(document: OperationDocument) -> dict[str, str]:
    names = document.http.secrets if document.http else frozenset[str]()
    return {name: value for name in names if (value := env.secret(name))}
