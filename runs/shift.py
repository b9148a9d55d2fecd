"""A shift: claims due effects in small batches, works many at once, refills as they end, and goes home when idle or after about a minute.

One line claims and another settles, so that an answer never waits for a claim. Nothing here uses the ORM. A shift that is killed at any
instant loses nothing: its attempts' leases run out, and what was recorded says what became of them."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Protocol
from uuid import UUID

import psycopg
from uuid_utils.compat import uuid7

from console.crashpoint import crashpoint
from console.telemetry import context, traces
from console.telemetry.counting import count, observe
from runs import hearing, leases
from runs.leases import LeaseKeeper
from runs.lines import AWAY, Line, Row
from runs.settling import Settlement, settle
from runs.states import ACTS, ATTEMPT_KINDS
from runs.target_reading import MOST_READINGS, TAKE, TargetRead, keep
from runs.telling import Teller
from runs.unheard import Unheard

logger = logging.getLogger(__name__)
FOLLOW = """select (select count(*) from runs_follow(%s, 500)) as heard,
                   exists (select from approvals_request where read_due_at <= cf_now()) as to_read"""
CLAIM = "select * from runs_claim(%s, %s, %s::uuid[], %s::uuid[], %s)"


@dataclass(frozen=True, slots=True)
class Terms:
    """How a shift works. Spans in seconds."""

    dsn: str
    redis_url: str
    worker: str
    slots: int = 256
    batch: int = 64
    lease_seconds: float = 30.0
    renew_seconds: float | None = None  # how often a lease is renewed; three times in it, when nothing is said
    lasts_seconds: float = 60.0
    lasts_at_most_seconds: float = 900.0
    idle_seconds: float = 15.0
    drain_seconds: float = 10.0
    poll_seconds: float = 1.0


class Workshop(Protocol):
    """Where an attempt is carried out. `cannot` lists the operations that this worker has to leave to others."""

    cannot: list[UUID]

    async def prepare(self, line: Line, rows: list[Row]) -> None: ...

    async def perform(self, row: Row) -> Settlement | None: ...

    async def read_target(self, row: Row) -> TargetRead: ...


class Shift:
    """One shift from start to end; `drain` makes it claim nothing more."""

    def __init__(self, terms: Terms, workshop: Workshop) -> None:
        self.terms, self.workshop = terms, workshop
        self.wake = asyncio.Event()
        self.answered = asyncio.Event()
        self.drained = asyncio.Event()
        self.answers: list[Settlement] = []
        self.readings: list[TargetRead] = []
        self.calls: set[asyncio.Task[None]] = set()
        self.held: set[UUID] = set()  # attempts in hand: claimed, and not yet written down or given up
        self.changed: dict[UUID, tuple[UUID, UUID]] = {}  # run and effect of each attempt in hand
        self.compensating: set[UUID] = set()  # acts in hand that make good for something: tests may strike there
        self.unheard = Unheard(terms.worker, terms.lease_seconds)
        self.teller = Teller(terms.redis_url)
        self.closing = False
        self.handled = 0

    def drain(self) -> None:
        """Claim nothing more; what is in flight may end within `drain_seconds`, the rest is left to its leases."""
        self.drained.set()
        self.wake.set()

    async def run(self) -> int:
        """Work until home time; gives the number of attempts handled."""
        terms = self.terms
        keeper = LeaseKeeper(terms.dsn, terms.worker, terms.lease_seconds, lambda: list(self.held), terms.renew_seconds)
        keeper.start()
        ear = asyncio.create_task(hearing.hear(terms.redis_url, self.wake.set))
        mouth = asyncio.create_task(self.teller.run())
        try:
            async with AsyncExitStack() as stack:
                claiming = await stack.enter_async_context(Line(terms.dsn, f"{terms.worker} claims"))
                settling = await stack.enter_async_context(Line(terms.dsn, f"{terms.worker} settles"))
                settler = asyncio.create_task(self._settle(settling))
                await self._claim(claiming, keeper)
                ear.cancel()  # whoever rings from now on calls another shift
                await self._let_calls_end(keeper)
                self.closing = True
                self.answered.set()
                await settler
                await self.teller.end()
        finally:
            ear.cancel()
            mouth.cancel()
            keeper.stop()
        return self.handled

    async def _claim(self, line: Line, keeper: LeaseKeeper) -> None:
        terms = self.terms
        began = busy_at = time.monotonic()
        woken_by = "start"
        while not self.drained.is_set():
            keeper.beat()
            self.wake.clear()
            wanted = min(terms.slots - len(self.calls), terms.batch)
            asked_at = leases.now()
            claimed = await self._claim_batch(line, wanted) if wanted > 0 else []
            _count(claimed, woken_by)
            woken_by = "more"
            for row in claimed:
                self.changed[row["attempt_id"]] = (row["run_id"], row["effect_id"])
                if row["compensates"] and row["kind"] in ACTS:
                    self.compensating.add(row["attempt_id"])
                self._begin(row, partial(keeper.ends, row["attempt_id"], asked_at))
            now = time.monotonic()
            # What follows from an answer is there once that is written down: until then it is not idle.
            busy_at = now if claimed or self.calls or self.held else busy_at
            if self._is_over(now - began, now - busy_at):
                return
            if not claimed or len(claimed) < wanted:
                woken_by = "ring" if await _rung(self.wake, terms.poll_seconds) else "poll"

    def _is_over(self, lasted: float, idle: float) -> bool:
        """Go home when idle, or when the time is up and no slow call would keep this worker from the work that comes meanwhile."""
        terms = self.terms
        return idle >= terms.idle_seconds or lasted >= (
            terms.lasts_at_most_seconds if self.calls else terms.lasts_seconds
        )

    async def _claim_batch(self, line: Line, wanted: int) -> list[Row]:
        """Take the news from decided requests, then claim. A database that is away for a moment is asked again at the next look."""
        began, ids = time.time_ns(), list[UUID]()
        try:
            await self.unheard.give_back(line)
            await self.workshop.prepare(line, [])
            heard = await line.ask(FOLLOW, [self.terms.worker])
            if heard[0]["to_read"]:
                await self._begin_readings(line, wanted)
            ids = [uuid7() for _ in range(wanted)]
            claimed = await line.ask(
                CLAIM, [self.terms.worker, self.terms.lease_seconds, ids, self.workshop.cannot, list(ATTEMPT_KINDS)]
            )
        except AWAY as fault:
            logger.warning("nothing could be claimed: %s", type(fault).__name__)
            self.unheard.add(ids)  # the claim may have been committed all the same
            return []
        except psycopg.Error:
            logger.exception("nothing could be claimed")  # calls in flight must not suffer for it
            return []
        crashpoint("claim.after_commit", *[row["effect_id"] for row in claimed])
        if claimed and traces.on():
            with traces.span(
                "claim", traces.WORK, began=began, links=[row["traceparent"] for row in claimed], claimed=len(claimed)
            ):
                pass
        self.held.update(row["attempt_id"] for row in claimed)
        return await self._prepared(line, claimed)

    async def _prepared(self, line: Line, claimed: list[Row]) -> list[Row]:
        """Make ready what was claimed, trying again while the database is away; after a lease it is left to run out."""
        limit = time.monotonic() + self.terms.lease_seconds
        while claimed:
            try:
                await self.workshop.prepare(line, claimed)
                break
            except AWAY as fault:
                if time.monotonic() > limit:
                    logger.exception("%d attempts could not be made ready; their leases decide", len(claimed))
                    self.held.difference_update(row["attempt_id"] for row in claimed)
                    return []
                logger.warning("attempts wait for the database: %s", type(fault).__name__)
                await asyncio.sleep(0.25)
        return claimed

    async def _begin_readings(self, line: Line, wanted: int) -> None:
        """Read targets that are due to be read, beside what is claimed; one that is lost is due again when its time in hand is over."""
        most = min(wanted, MOST_READINGS)
        rows = await line.ask(TAKE, [most, self.terms.lease_seconds, self.workshop.cannot])
        await self.workshop.prepare(line, rows)
        for row in rows:
            task = asyncio.create_task(self._read(row))
            self.calls.add(task)
            task.add_done_callback(self.calls.discard)

    async def _read(self, row: Row) -> None:
        try:
            read = await self.workshop.read_target(row)
            self.readings.append(
                read
            )  # looked up only now: while this waited, the list may have been taken to be written down
        except Exception:
            logger.exception("the target of request %s could not be read; it is due again later", row["request_id"])
        self.answered.set()

    def _begin(self, row: Row, lease_ends: Callable[[], float]) -> None:
        task = asyncio.create_task(self._work(row, lease_ends))
        self.calls.add(task)
        task.add_done_callback(self.calls.discard)

    async def _work(self, row: Row, lease_ends: Callable[[], float]) -> None:
        answer = None
        leases.hold_until(lease_ends)
        try:
            with _told(row):
                crashpoint("intent.recorded")
                answer = await self.workshop.perform(row)
                traces.note(outcome=answer.outcome if answer else "left")
        except Exception:
            logger.exception("attempt %s broke in an unforeseen way; its lease decides", row["attempt_id"])
        self.handled += 1
        if answer is None:
            self.held.discard(row["attempt_id"])
            self.changed.pop(row["attempt_id"], None)
            self.compensating.discard(row["attempt_id"])
            return
        self.answers.append(answer)
        self.answered.set()

    async def _let_calls_end(self, keeper: LeaseKeeper) -> None:
        """Wait for what is in flight: as long as it takes, but no longer than `drain_seconds` once told to drain."""
        limit: float | None = None
        while self.calls:
            keeper.beat()
            if self.drained.is_set():
                limit = limit or time.monotonic() + self.terms.drain_seconds
            if limit is not None and time.monotonic() >= limit:
                logger.warning("%d calls outlast the drain and are left to their leases", len(self.calls))
                for call in self.calls:
                    call.cancel()
                return
            await asyncio.wait(self.calls, timeout=0.2)

    async def _settle(self, line: Line) -> None:
        """Write answers down as they come: all that ended while the last transaction ran go into the next."""
        while True:
            await self.answered.wait()
            self.answered.clear()
            answers, self.answers = self.answers, []
            readings, self.readings = self.readings, []
            if readings:
                await self._keep_readings(line, readings)
            if answers:
                await self._settle_surely(line, answers)
                self.held.difference_update(answer.attempt_id for answer in answers)
                self.compensating.difference_update(answer.attempt_id for answer in answers)
                self.wake.set()
                for answer in answers:
                    self.teller.tell(*self.changed.pop(answer.attempt_id, ()))
            # Only when a round found nothing is there nothing left: more may have come while it was written down.
            elif self.closing and not readings:
                return
            if self.closing:
                self.answered.set()

    async def _keep_readings(self, line: Line, readings: list[TargetRead]) -> None:
        """Write down what was read. What cannot be written down is read again when its time in hand is over."""
        try:
            crashpoint("target.before_commit")
            for kept in await keep(line, readings, self.terms.worker):
                self.teller.tell(kept["request_id"], kept["effect_id"])
        except psycopg.Error as fault:
            logger.warning("%d readings could not be written down: %s", len(readings), type(fault).__name__)
        self.wake.set()

    async def _settle_surely(self, line: Line, answers: list[Settlement]) -> None:
        """Write them down, again and again while the database is away; an answer whose lease has run out by then is kept as late."""
        limit = time.monotonic() + 2 * self.terms.lease_seconds
        about = [self.changed[answer.attempt_id][1] for answer in answers if answer.attempt_id in self.changed]
        acts = [answer.attempt_id for answer in answers if answer.attempt_id in self.compensating]
        compensating = [self.changed[attempt][1] for attempt in acts if attempt in self.changed]
        while True:
            try:
                crashpoint("result.before_commit", *about)
                if compensating:
                    crashpoint("compensate.result", *compensating)
                late = await settle(line, answers, self.terms.worker)
                crashpoint("result.after_commit", *about)
            except AWAY as fault:
                if time.monotonic() > limit:
                    logger.exception("%d answers could not be written down; their leases decide", len(answers))
                    return
                logger.warning("answers wait for the database: %s", type(fault).__name__)
                await asyncio.sleep(0.25)
            except psycopg.Error:
                if len(answers) == 1:
                    logger.exception(
                        "the answer to attempt %s cannot be recorded; its lease decides", answers[0].attempt_id
                    )
                    return
                for answer in answers:  # one that cannot be recorded must not take the others with it
                    await self._settle_surely(line, [answer])
                return
            else:
                _count_answers(answers, late)
                if late:
                    logger.warning("%d answers were late and are kept as evidence", len(late))
                return


@contextmanager
def _told(row: Row) -> Iterator[None]:
    """Tell lines and traces what the work is about; its span goes on from the request that proposed the effect."""
    ids = {"tenant": row["tenant_id"], "run": row["run_id"], "effect": row["effect_id"], "attempt": row["attempt_id"]}
    context.bind(**ids)  # until this attempt's task ends
    with traces.span(f"attempt {row['kind']}", traces.WORK, parent=row["traceparent"], number=row["number"], **ids):
        yield


def _count(claimed: list[Row], woken_by: str) -> None:
    count("claims", len(claimed), found_by=woken_by)
    for row in claimed:
        observe("due_to_claim_seconds", max((row["claimed_at"] - row["due_at"]).total_seconds(), 0.0))


def _count_answers(answers: list[Settlement], late: list[UUID]) -> None:
    for answer in answers:
        if answer.attempt_id not in late:
            count("settlements", outcome=answer.outcome)
    count("late_results", len(late))


async def _rung(bell: asyncio.Event, seconds: float) -> bool:
    """Wait for the bell, no longer than this; tells whether it rang."""
    try:
        await asyncio.wait_for(bell.wait(), seconds)
    except TimeoutError:
        return False
    return True
