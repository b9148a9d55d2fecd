"""What the tests of the caller share: a contract's outcome table, a refund to send, and the call itself."""

from typing import Any

import aiohttp

from runs.call import Reading, call
from runs.contracts.outcomes import outcome_table
from runs.wire import Answer, WireRequest, stamped

RULES: list[Any] = [
    {
        "when": {"path": "status", "op": "in", "value": [200, 201]},
        "outcome": "succeeded",
        "result": {"refund": "{body.id}"},
    },
    {"when": {"path": "status", "op": "eq", "value": 202}, "outcome": "accepted", "operation_id": "{body.operation}"},
    {"when": {"path": "status", "op": "in", "value": [400, 422]}, "outcome": "rejected", "reason": "{body.reason}"},
    {"when": {"path": "status", "op": "in", "value": [401, 403]}, "outcome": "denied"},
    {"when": {"path": "status", "op": "in", "value": [429, 503]}, "outcome": "overload"},
    {"when": {"path": "status", "op": "eq", "value": 404}, "outcome": "absent"},
]
TABLE = outcome_table(RULES)
OK = b'{"id":"re_1"}'


def refund(url: str, *, method: str = "POST", timeout_seconds: float = 30, **headers: str) -> WireRequest:
    """A refund ready to send."""
    body = b'{"amount":"12.50"}' if method in {"POST", "PUT", "PATCH"} else None
    return WireRequest(method, url, stamped(headers, key="effect-1", fence=3), body, timeout_seconds)


async def told(session: aiohttp.ClientSession, request: WireRequest, access: str = "write") -> Answer:
    """Call, by the table above."""
    return await call(session, request, reading=Reading(TABLE), access=access)
