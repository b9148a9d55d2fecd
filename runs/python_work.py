"""The workshop for registered functions: found by name, called once, and what they said made into an answer (R-C2).

Where it broke decides what is known, as for a call (R-B2): before the function was called nothing was done; after that, whatever it did not
say in the words of runs.functions leaves a write unknown and a read merely transient."""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from console.crashpoint import crashpoint
from console.exact import canonical, decode
from runs.contracts.executors import ALWAYS, PythonCall, bounded
from runs.contracts.operation import read_operation
from runs.effect_keys import effect_key
from runs.evidence import blotted
from runs.failures import DEADLINE_PASSED
from runs.functions import Call, Done, Registered, Said, registered
from runs.leases import LeaseOver, demand_lease
from runs.lines import Line, Row
from runs.prepared import LeftToOthers, Prepared, prepared, time_for, unmade
from runs.retry_after import LONGEST_SECONDS
from runs.states import ACTS
from runs.threads import NotStarted, Threads
from runs.wire import SHORTEST_SECRET, Answer

logger = logging.getLogger(__name__)
IN_FORCE = "select id, document from runs_operationcontract where executor = 'python' and retired_at is null"
GRACE_SECONDS: Final = 1.0  # for a coroutine that was cancelled to come to its end
KEPT_CHARACTERS: Final = 2048
LONGEST_REASON: Final = 1000
LONGEST_REFERENCE: Final = 4000  # as in a report (runs/performing.py)
LONGEST_FAULT: Final = 300
NOT_DONE: Final = frozenset({"transient", "overload"})  # what a function can always say: nothing was done
LOOKS: Final = frozenset(
    {"succeeded", "partial", "rejected", "pending", "absent", "conflict"}
)  # what a status function can find out


class PythonWork:
    """Carries out attempts of operations with executor `python`. Used inside the shift's loop."""

    def __init__(self, threads: int) -> None:
        self.threads = Threads(threads)

    async def cannot(self, line: Line) -> list[UUID]:
        """Give the operations in force whose functions are not registered here, or that this worker has no secret for."""
        return [found["id"] for found in await line.ask(IN_FORCE, []) if not _can(found["document"])]

    async def answer(self, row: Row, known: Prepared, began: float) -> Answer:
        """Call the function and give what it said. Raises LeftToOthers."""
        python = known.document.python
        if python is None:
            return unmade("invalid", "The contract names no function.")
        looking = row["kind"] not in ACTS
        if looking and python.status is None:
            return unmade("invalid", "The contract names no function that finds out.")
        name = python.status.function if looking and python.status else python.function
        function = registered(name)
        if function is None:
            raise LeftToOthers(f"The function {name} is not registered in this worker.")
        if python.secrets - known.secrets.keys():
            raise LeftToOthers("This worker lacks a secret that the function is given.")
        allowed = (
            python.status.attempt_timeout_seconds
            if looking and python.status
            else known.document.attempt_timeout_seconds
        )
        seconds = time_for(row, allowed, began)
        if seconds <= 0:
            return unmade("not_sent", f"The function was not called: {DEADLINE_PASSED}")
        exchange = _Exchange(function, python, known, looking)
        crashpoint(f"{exchange.kind}.before_start")
        try:
            demand_lease()
            value = await self._called(function, _call(row, known), seconds)
        except (NotStarted, LeaseOver) as why:
            return unmade("not_sent", f"The function was not called: {why}")
        except Said as answer:
            value = answer
        except BaseException as fault:
            if isinstance(fault, asyncio.CancelledError):
                raise
            crashpoint(f"{exchange.kind}.ended")
            return exchange.broken(fault, time.monotonic() - began)
        crashpoint(f"{exchange.kind}.ended")
        return exchange.heard(value, time.monotonic() - began)

    async def _called(self, function: Registered, call: Call, seconds: float) -> Any:
        if not function.is_async:
            return await self.threads.run(lambda: function.call(call), seconds)
        task = asyncio.create_task(_guarded(function, call))
        try:
            await asyncio.wait({task}, timeout=seconds)
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=GRACE_SECONDS)
        finally:
            task.cancel()
        if not task.done() or task.cancelled():
            raise TimeoutError("The function was not done in its time.")
        value, fault = task.result()
        if fault is not None:
            raise fault
        return value


class _Exchange:
    """One call of one function, on its way to an answer."""

    def __init__(self, function: Registered, python: PythonCall, known: Prepared, looking: bool) -> None:
        self.function, self.python, self.looking = function, python, looking
        self.kind = "status_function" if looking else "function"
        self.unclear = "transient" if looking or known.document.access == "read" else "unknown"
        self.secrets = [secret for secret in known.secrets.values() if len(secret) >= SHORTEST_SECRET]

    def heard(self, value: Any, seconds: float) -> Answer:
        """Make an answer of what the function returned, or raised in our words; what breaks while it is read says nothing."""
        try:
            return self._answered(value, seconds)
        except Exception as fault:
            logger.warning("what function %s gave cannot be read", self.function.name, exc_info=fault)
            why = f"The function gave {type(value).__name__}, which cannot be read ({type(fault).__name__})."
            return self._unclear(why, value, seconds)

    def _answered(self, value: Any, seconds: float) -> Answer:
        if not isinstance(value, Done | Said):
            return self._unclear(f"The function returned {type(value).__name__}, which says nothing.", value, seconds)
        outcome = "succeeded" if isinstance(value, Done) else value.outcome
        if outcome not in NOT_DONE | (LOOKS if self.looking else self.python.reports.outcomes | ALWAYS):
            return self._unclear(f"The contract does not know the outcome {outcome}.", value, seconds)
        try:
            result = self._result(outcome, value.result)
        except ValueError as why:
            return self._unclear(f"The result is not taken: {why}", value, seconds)
        reference = "" if value.reference is None else self._plain(value.reference)
        if len(reference) > LONGEST_REFERENCE:
            long = f"it has more than {LONGEST_REFERENCE:,} characters"
            return self._unclear(f"The reference is not taken: {long}.", value, seconds)
        reason = "" if isinstance(value, Done) else value.reason
        retry_after = None if isinstance(value, Done) else _wait(value.retry_after)
        return Answer(
            outcome, None, True, result, self._plain(reason)[:LONGEST_REASON], reference, retry_after,
            self._evidence(value, result, reference), seconds,
        )  # fmt: skip

    def broken(self, fault: BaseException, seconds: float) -> Answer:
        """Make an answer of a function that broke, or that was not done in its time."""
        late = isinstance(fault, TimeoutError)
        if not late:
            logger.warning("function %s broke", self.function.name, exc_info=fault)
        name = type(fault).__name__
        words = _read(lambda: f"{name}: {fault}", f"{name}, whose words cannot be read")
        reason = self._plain(words if isinstance(fault, Exception) else name)[:LONGEST_FAULT]
        evidence = canonical({"function": self.function.name, "sent": True, "raised": reason})
        return Answer(self.unclear, None, True, None, reason, None, None, evidence, seconds)

    def _result(self, outcome: str, result: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """Give the result as it is kept. Raises ValueError (BadResult and BadJSON are such)."""
        if not isinstance(result, Mapping | None):
            raise ValueError(f"it is of type {type(result).__name__}, and no object")
        given = None if result is None else dict(result)
        if given is not None:
            canonical(given)  # what has no exact form goes no further
        held = not self.looking or outcome in {"succeeded", "partial"}
        taken: Any = self.python.reports.take(outcome, given) if held else bounded(given)
        return taken

    def _unclear(self, why: str, value: Any, seconds: float) -> Answer:
        why = self._plain(why)[:LONGEST_REASON]
        shown = _read(lambda: self._plain(repr(value)), self._plain(f"{type(value).__name__}, which cannot be shown"))
        evidence = canonical(
            {"function": self.function.name, "sent": True, "returned": shown[:KEPT_CHARACTERS], "error": why}
        )
        return Answer(self.unclear, None, True, None, why, None, None, evidence, seconds)

    def _evidence(self, value: Done | Said, result: dict[str, Any] | None, reference: str) -> str:
        kept: dict[str, Any] = {"function": self.function.name, "sent": True}
        if isinstance(value, Done):
            kept["returned"] = "Done"
        else:
            kept |= {"said": type(value).__name__, "reason": self._plain(value.reason)[:LONGEST_REASON]}
        if result is not None:
            kept["result"] = self._plain(canonical(result))[:KEPT_CHARACTERS]
        if reference:
            kept["reference"] = reference
        return canonical(kept)

    def _plain(self, text: object) -> str:
        """Give a text that can be stored, without our secrets."""
        found = str(text).replace("\0", "\ufffd").encode("utf-8", "replace").decode()
        return blotted(found, self.secrets)


def _wait(wished: object) -> float | None:
    """Give the seconds to wait, from 0 to a year; what is no such number is no wish at all."""
    if isinstance(wished, bool) or not isinstance(wished, int | float | Decimal):
        return None
    try:
        seconds = float(wished)
    except (ValueError, OverflowError):
        return None
    return min(seconds, LONGEST_SECONDS) if math.isfinite(seconds) and seconds >= 0 else None


def _read(show: Callable[[], str], instead: str) -> str:
    """Give the text that code of others makes, or the one instead if it breaks."""
    try:
        return show()
    except Exception:  # noqa: BLE001 - whatever breaks there, there is no text
        return instead


async def _guarded(function: Registered, call: Call) -> tuple[Any, BaseException | None]:
    """Await a function; what it raises is handed on as a value, so that nothing of it ends the loop."""
    try:
        awaited: Any = function.call(call)
        return await awaited, None
    except asyncio.CancelledError:
        raise
    except BaseException as fault:  # noqa: BLE001 - a SystemExit in a task would end the whole shift
        return None, fault


def _call(row: Row, known: Prepared) -> Call:
    arguments: Any = decode(row["arguments"].encode())
    return Call(
        operation=known.document.name, arguments=arguments, target=row["target"], effect_key=effect_key(row["effect_id"]),
        effect_id=str(row["effect_id"]), fence=row["fence"], attempt=row["number"], deadline_at=row["deadline_at"],
        reference=row["operation_reference"], secrets=dict(known.secrets),
    )  # fmt: skip


def _can(text: str) -> bool:
    try:
        known = prepared(read_operation(text))
    except Exception:
        logger.exception("a contract cannot be read here; it is left to others")
        return False
    python = known.document.python
    if python is None:
        return False
    missing = sorted(name for name in python.functions() if registered(name) is None)
    lacking = sorted(python.secrets - known.secrets.keys())
    if missing or lacking:
        logger.info(
            "operation %s is left to other workers: functions %s are not registered here, secrets %s are not set",
            known.document.name, missing, lacking,
        )  # fmt: skip
    return not missing and not lacking
