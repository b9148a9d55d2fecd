"""The workshop for HTTP: the request made from its templates, and the one call."""

from types import TracebackType
from typing import Any, Self
from uuid import UUID

import aiohttp

from console import env
from console.clock import instant
from console.exact import decode
from runs.call import Reading, call
from runs.checking import CheckAnswer, expected
from runs.contracts.dependency import read_dependency
from runs.contracts.operation import HttpCall, OperationDocument
from runs.contracts.proof import proven
from runs.contracts.request import BadRequest, Exchange, MissingSecret, Surroundings, render
from runs.effect_keys import effect_key
from runs.failures import DEADLINE_PASSED
from runs.lines import AWAY, Line, Row
from runs.prepared import LeftToOthers, Prepared, time_for, unmade
from runs.sending import open_session
from runs.states import ACTS, CANCEL, CHECK, READ, STATUS, VERIFY
from runs.target_reading import TargetAnswer
from runs.wire import Answer, WireRequest, stamped

DEPENDENCIES = "select id, document from runs_dependency where id = any(%s)"
# Secrets named by the contracts in force, so that a worker leaves what it has no secret for to others before it claims any of it.
SECRETS = r"""select id, array(select m[1] from regexp_matches(document, '\{secret\.([^{}]+)\}', 'g') as m) as names
             from runs_operationcontract where executor = 'http' and retired_at is null and position('{secret.' in document) > 0"""
MARK = """update runs_attempt set sent_mark_at = cf_now() where id = %s and fence = %s and state = 'running' returning id"""


class HttpWork:
    """Carries out attempts of operations with executor `http`. Opened inside the shift's loop."""

    def __init__(self) -> None:
        self.base_urls: dict[UUID, str] = {}
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

    async def cannot(self, line: Line) -> list[UUID]:
        """Give the operations in force that this worker has no secret for."""
        return [
            found["id"] for found in await line.ask(SECRETS, []) if not all(env.secret(name) for name in found["names"])
        ]

    async def prepare(self, line: Line, rows: list[Row]) -> None:
        """Look up where the dependencies of claimed attempts live."""
        self.line = line
        dependencies = {row["dependency_id"] for row in rows if row["dependency_id"]} - self.base_urls.keys()
        if dependencies:
            for found in await line.ask(DEPENDENCIES, [list(dependencies)]):
                dependency = read_dependency(found["document"])
                self.base_urls[found["id"]] = env.base_url(dependency.name) or dependency.base_url

    async def answer(self, row: Row, prepared: Prepared, began: float) -> Answer | None:
        """Make the call and give what came back; None when the attempt was no longer ours to make. Raises LeftToOthers."""
        try:
            request, reading = self._request(row, prepared)
        except MissingSecret as why:
            raise LeftToOthers(f"This worker cannot make the request: {why}") from None
        except BadRequest as why:
            return unmade("invalid", f"The request cannot be made: {why}")
        http, acting = prepared.document.http, row["kind"] in ACTS
        if acting and http and http.mark_before_send:
            try:
                if not await self._mark(row):
                    return None
            except AWAY as fault:
                why_not = f"Nothing was sent, because that could not be written down first: {type(fault).__name__}"
                return unmade("not_sent", why_not)
        request.timeout_seconds = time_for(row, request.timeout_seconds, began)
        if request.timeout_seconds <= 0:
            return unmade("not_sent", f"Nothing was sent: {DEADLINE_PASSED}")
        if self.session is None:
            raise RuntimeError("the workshop is not open")
        return await call(self.session, request, reading=reading, access=prepared.document.access if acting else "read")

    async def read_target(self, row: Row, prepared: Prepared) -> Answer:
        """Read the state of the target and give what came back. Raises LeftToOthers."""
        reader = prepared.document.reader
        if reader is None or self.session is None:
            raise LeftToOthers("Nothing here says how its target is read.")
        try:
            request, _ = self._made(row, prepared, reader.exchange)
        except MissingSecret as why:
            raise LeftToOthers(f"This worker cannot make the request: {why}") from None
        except BadRequest as why:
            return unmade("invalid", f"The request cannot be made: {why}")
        reading = TargetAnswer(reader.exchange.outcomes, version=reader.version)
        return await call(self.session, request, reading=reading, access="read")

    def _request(self, row: Row, prepared: Prepared) -> tuple[WireRequest, Reading]:
        made, reading = self._made(row, prepared, _exchange(prepared.document, row["kind"]))
        if row["kind"] == CHECK:
            reading = CheckAnswer(reading.table, wanted=expected(row["expects"]))
        made.compensates = row["kind"] in ACTS and row["compensates"]
        return made, reading

    def _made(self, row: Row, prepared: Prepared, exchange: Exchange) -> tuple[WireRequest, Reading]:
        key = effect_key(row["effect_id"])
        around = Surroundings(
            base_url=self.base_urls.get(row["dependency_id"], ""), effect_key=key, effect_id=str(row["effect_id"]), fence=row["fence"],
            deadline=instant(row["deadline_at"]) or "", secrets=prepared.secrets, operation_id=row["operation_reference"] or None,
            fingerprint=row["fingerprint"],
        )  # fmt: skip
        arguments: Any = decode(row["arguments"].encode())
        made = render(exchange, arguments, around)
        acting = row["kind"] in ACTS
        headers = stamped(
            made.headers,
            key=key if acting else None,
            fence=row["fence"] if acting else None,
            deadline=row["deadline_at"] if acting else None,
        )
        secret = {name.lower() for name in made.secret_headers}
        hidden = frozenset(name for name in headers if name.lower() in secret)
        request = WireRequest(
            made.method, made.url, headers, made.body, made.timeout_seconds, made.max_response_bytes, hidden
        )
        read_back = prepared.document.http.read_back if prepared.document.http and row["kind"] == READ else None
        return request, Reading(
            exchange.outcomes,
            partial=prepared.document.partial if acting else None,
            proven=None if read_back is None else lambda answer: proven(read_back.proof, answer, arguments, around),
        )

    async def _mark(self, row: Row) -> bool:
        """Commit just before the socket that the request may have been sent from now on (contract: mark_before_send)."""
        return self.line is not None and bool(await self.line.ask(MARK, [row["attempt_id"], row["fence"]]))


def _exchange(document: OperationDocument, kind: str) -> Exchange:
    """Give the request that an attempt of this kind makes. Raises BadRequest when the contract describes none."""
    if kind == VERIFY and document.verify is not None:
        return document.verify.exchange
    found = None if document.http is None else _of_the_call(document.http, kind)
    if found is None:
        raise BadRequest("/http", (), "the contract describes no such call")
    return found


def _of_the_call(http: HttpCall, kind: str) -> Exchange | None:
    if kind in ACTS:
        return http.act
    look = {STATUS: http.status, READ: http.read_back}.get(kind)
    return look.exchange if look is not None else {CANCEL: http.cancel, CHECK: http.read}.get(kind)
