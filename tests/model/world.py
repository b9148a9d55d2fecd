"""The shop, its bank, its clock and its workers, every one of which can be stopped between any two of its steps."""

import time
from collections.abc import Coroutine, Generator
from typing import Any

from console.database import rows
from runs.contracts.operation import OperationDocument, read_operation
from runs.http_work import MARK
from runs.settling import settle
from runs.states import ACTS
from runs.workshop import settlement
from tests.cast import inside, set_clock
from tests.cleaning import Cleaner
from tests.invariants import broken
from tests.model.bank import ModelBank
from tests.record import findings
from tests.shop import CONTRACTS, Shop, open_shop, operation
from tests.snapshots import Kept
from tests.superuser import hand
from tests.work import LEASE, Row, claim, end_leases, follow, sweep

# What happens to an operation of which nothing is heard: asked about only; where absence is proof; sent again under its key.
ASKED, CERTAIN, RESENT, WIRED, BLIND = "pay", "certain", "resent", "wire", "blind"
OPERATIONS = (ASKED, CERTAIN, RESENT, WIRED, BLIND)
UNKNOWN = (
    "unknown: {{owner: operators, age_objective_seconds: 600, resolve: {}, resend_same_key: {}, second_person: {}}}\n"
)
How = tuple[str, str]  # how the other side treats an act, and how a question
HONEST: How = ("done", "answered")
Step = Generator[str, How, None]
_kept: "Kept[Shop]" = Kept()


def contracts() -> str:
    """Write the contracts of the model: the shop's, and operations that are found out about in other ways."""
    certain = operation(CERTAIN).replace("absence_is_proof: false", "absence_is_proof: true") + UNKNOWN.format(
        "status", "false", "true"
    )
    resent = operation(RESENT) + UNKNOWN.format("status", "true", "false")
    blind = operation(BLIND)
    blind = "\n".join(line for line in blind.split("\n") if "value: 202}, outcome: accepted" not in line)
    start = blind.index("  status:\n    method")
    blind = blind[:start] + blind[blind.index("retry: ") :] + UNKNOWN.format("person", "false", "false")
    return "\n---\n".join([CONTRACTS, certain, resent, blind])


def opened(slug: str) -> Shop:
    """Open the model's shop, in which ann operates beside oscar."""
    shop = open_shop(slug, contracts())
    shop.change("ann", roles=["approver", "operator"])
    return shop


class World:
    """Everything that an example is about, begun anew."""

    def __init__(self, cleaner: Cleaner) -> None:
        cleaner.clean()
        self.shop = _kept.get(cleaner, "model", opened)
        self.sending: dict[str, str] = {}  # the effect that a worker is about to send, or may yet send
        self.bank = ModelBank(keeps_keys=frozenset({CERTAIN, RESENT}))
        self.late = 0.0
        self.began_at = hand().execute("select clock_timestamp()").fetchone()[0]  # type: ignore[index]
        self.leap(0)
        self.workers: dict[str, Step] = {}
        with inside():
            found = rows("select id, document from runs_operationcontract")
        self.documents: dict[Any, OperationDocument] = {row["id"]: read_operation(row["document"]) for row in found}

    def leap(self, seconds: float) -> None:
        """Let time pass. Between leaps it stands still, so that an order of steps means the same every time."""
        self.late += seconds
        set_clock(hand(), f"timestamptz '{self.began_at.isoformat()}' + interval '{self.late} seconds'")

    def close(self) -> None:
        """Put the clock back."""
        set_clock(hand(), "clock_timestamp()")

    # Workers

    def step(self, worker: str, how: How = HONEST) -> str:
        """Let a worker go on to its next step, in which the other side treats it like this; says where it is now, or "" at its end."""
        self.leap(0.01)
        begun = worker in self.workers
        if not begun:
            self.workers[worker] = self._working(worker)
        try:
            return self.workers[worker].send(how) if begun else next(self.workers[worker])
        except StopIteration:
            del self.workers[worker]
            self.sending.pop(worker, None)
            return ""

    def crash(self, worker: str, *, seen: bool) -> None:
        """Kill a worker where it stands; its parent sees it (and ends its leases), or the machine is gone."""
        if worker in self.workers:
            self.workers.pop(worker).close()
            self.sending.pop(worker, None)
        if seen:
            end_leases(worker)

    def _working(self, worker: str) -> Step:
        """One attempt, as a shift makes it: claimed (committed), marked, answered, written down; in between the world goes on."""
        follow()
        claimed = claim(1, worker=worker)
        if not claimed:
            return
        row, began = claimed[0], self.late
        document = self.documents[row["operation_id"]]
        if row["kind"] in ACTS:
            self.sending[worker] = str(row["effect_id"])
        how = yield "claimed"
        if row["kind"] in ACTS and document.http is not None and document.http.mark_before_send:
            if not _marked(row):
                return
            how = yield "marked"
        if document.name in self.bank.keeps_keys and self.late - began > LEASE:
            return  # a request that is not sent in its time is not sent: what absence proves rests on that
        answer = self._asked(row, document, how)
        self.sending.pop(worker, None)
        yield "answered"
        passed = time.monotonic() - (self.late - began)  # its own clock went on like the database's
        settled = settlement(row, document, answer, passed)
        _wait_for(settle(_Line(), [settled], worker))  # type: ignore[arg-type]

    def _asked(self, row: Row, document: OperationDocument, how: How) -> Any:
        effect, (act, look) = str(row["effect_id"]), how
        if row["kind"] in ACTS:
            promises = act == "taken on" and document.name == BLIND  # nobody could be asked what became of the promise
            late = (
                act == "swallowed" and document.name == CERTAIN
            )  # where absence is proof, nothing is done later than that
            return self.bank.act(effect, document.name, row["fence"], "lost on the way" if promises or late else act)
        stale = look == "stale" and document.name == CERTAIN  # nor is a replica asked that lags
        return self.bank.look(effect, "answered" if stale else look)

    # People

    def truth(self, effect: str) -> str:
        """Say what somebody finds out who asks the bank's own ledger: nothing, half, whole, or that it may yet come."""
        if done := self.bank.done(effect):
            return done
        coming = effect in self.bank.swallowed or effect in self.bank.promised or effect in self.sending.values()
        return "coming" if coming else "nothing"

    # What must hold

    def check(self) -> None:
        """Demand that the bank did nothing twice, and that it and the record say the same."""
        assert self.bank.twice() == []
        assert self.contradictions() == []

    def check_record(self) -> None:
        """Demand that the record is whole and breaks no sentence."""
        assert [*map(str, broken()), *map(str, findings())] == []

    def contradictions(self) -> list[str]:
        """Give the effects of which the record says something that the bank's ledger denies."""
        with inside():
            found = rows("select id, operation_name, state from runs_effect")
        said = []
        for row in found:
            done = self.bank.done(str(row["id"]))
            open_or = {"dispatched", "accepted", "unknown"}
            true = {"": row["state"] not in {"succeeded", "partial"}, "whole": row["state"] in {*open_or, "succeeded"}}
            if not true.get(done, row["state"] in {*open_or, "partial"}):
                said.append(
                    f"{row['operation_name']} {row['id']} is {row['state']}, and at the bank: {done or 'nothing'}"
                )
        return said

    def come_to_rest(self) -> None:
        """Let everybody be honest and time pass, until nothing is due any more."""
        for worker in list(self.workers):
            self.crash(worker, seen=False)
        self.bank.catch_up()
        for leap in (40, 400, 4000, 8000):
            self.leap(leap)
            sweep()
            for _ in range(60):
                if not self.step("at rest"):
                    break
                while self.step("at rest"):
                    pass
            sweep()

    def states(self) -> dict[str, int]:
        """Count the effects in each state."""
        with inside():
            return {row["state"]: row["n"] for row in rows("select state, count(*) as n from runs_effect group by 1")}


class _Line:
    """The product's line to the database, which here answers at once."""

    async def ask(self, sql: str, parameters: list[Any]) -> list[Row]:
        with inside():
            return rows(sql, parameters)


def _marked(row: Row) -> bool:
    with inside():
        return bool(rows(MARK, [row["attempt_id"], row["fence"]]))


def _wait_for(work: Coroutine[Any, Any, Any]) -> Any:
    """Run to its end what never waits."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits for something")
