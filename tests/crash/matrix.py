"""The matrix on real processes: many cases on one stack, each struck once at its own place, and looked at when all have come to rest."""

import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.crash.cases import (
    BANKS,
    POINTS,
    SCRIPTS,
    Case,
    Expected,
    expected,
    found_out,
    is_recorded,
    of_workers,
    passes,
)
from tests.crash.paying import contracts
from tests.crash.stack import Stack, stack

AT_THE_WEB = "wake.enqueue"
PATIENCE_SECONDS = 90  # without anything changing
MOST_ROUNDS = 4
LOOKS = 2  # that an unknown has to bear before it is believed that it stays one
SEEN = """
select e.id::text, e.state, count(t.id) filter (where t.kind = 'act'), count(t.id) filter (where t.kind = 'status' and t.state = 'ended'),
       count(t.id) filter (where t.kind = 'act' and t.state = 'lost')
from runs_effect e left join runs_attempt t on t.effect_id = e.id where e.id = any (%s::uuid[]) group by e.id
"""


@dataclass
class Seen:
    """What has come of a case, by our record, the bank's books and our API."""

    case: Case
    order: str
    effect: str
    state: str = ""
    acts: int = 0
    looks: int = 0
    lost: int = 0
    armed: bool = False  # the trap at its own place still waits for it
    calls: int = 0
    entries: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def died_with_another(self) -> bool:
        """Say whether it went down with a shift that was killed for another case, before it came to its own place: it is tried again."""
        return self.lost > 0 and (self.armed or self.case.point == AT_THE_WEB)

    @property
    def wanted(self) -> Expected:
        """Give what must have come of it."""
        if self.died_with_another:
            return Expected(found_out(self.case, self.entries), 1, min(self.calls, 1), min(self.entries, 1))
        return expected(self.case)

    @property
    def is_struck(self) -> bool:
        """Say whether somebody comes to its place and dies there: where the act never comes a look does, and where nobody looks none."""
        return self.case.point != AT_THE_WEB and (passes(self.case) or self.case.can_ask)

    def is_at_rest(self) -> bool:
        """Say whether what is expected has come, and stays where it is looked for in vain.

        Rows alone do not tell: a place after a commit is come to later than the commit is seen.
        """
        if self.died_with_another:
            return self.state in {"succeeded", "partial"} or not self.case.can_ask or self.looks >= LOOKS
        return (
            (self.state, self.acts) == (self.wanted.state, self.wanted.acts)
            and not (self.is_struck and self.armed)
            and (self.state != "unknown" or not self.case.can_ask or self.looks >= LOOKS)
        )

    def line(self) -> str:
        """Give it as a row of the table."""
        told = f"{self.case.name}  {self.state:9} acts {self.acts}, calls {self.calls}, entries {self.entries}, looks {self.looks}"
        with_another = ", died with another" if self.died_with_another else ""
        return f"{'ok  ' if not self.faults else 'FAIL'} {told}{with_another}" + "".join(
            f"\n       {fault}" for fault in self.faults
        )


@contextmanager
def ground(folder: Path) -> Iterator[Stack]:
    """Have a stack with both banks, the contracts and a clock; web and workers come with the cases."""
    with stack(folder, *(f"bank-{word}" for word in BANKS.values())) as here:
        here.apply(contracts())
        here.start_bank("--idempotency", name="bank-keeps")
        here.start_bank("--no-idempotency", name="bank-forgets")
        here.start_clock()
        yield here


def run(here: Stack, cases: Sequence[Case]) -> list[Seen]:
    """Carry all cases out, those with one worker before those with two; gives what was seen of each."""
    seen: list[Seen] = []
    for workers in (1, 2):
        some, again = of_workers(cases, workers), 0
        while some and again < MOST_ROUNDS:
            came = _with_workers(here, some, workers, again)
            seen += came
            some, again = [found.case for found in came if found.died_with_another], again + 1
    here.start_web()
    _look(here, seen)  # nothing that had come to rest may have moved since
    for found in seen:
        found.faults = list(_faults(here, found))
    return seen


def _with_workers(here: Stack, cases: Sequence[Case], workers: int, again: int) -> list[Seen]:
    orders = {case: f"{case.order}-{again}" for case in cases}
    for keeps, word in BANKS.items():
        rules = [
            {"match": {"field": {"order": order}}, "behave": [SCRIPTS[case.script]]}
            for case, order in orders.items()
            if case.keeps_keys == keeps
        ]
        here.tell_bank("/script", {"rules": rules, "add": True}, f"bank-{word}")
    seen = _accepted(here, orders)
    for found in seen:
        if found.case.point != AT_THE_WEB:
            _trap(here, found).touch()
    armed = {
        "CRASH_AT": ",".join(f"{point}:1:kill" for point in POINTS if point != AT_THE_WEB), "CRASH_LIST": str(_traps(here)),
        "SHIFT_SLOTS": "1", "SHIFT_BATCH": "1",
    }  # fmt: skip
    names = [f"worker-{workers}-{number}" for number in range(workers)]
    for name in names:
        here.start_worker(name, **armed)
    _wait(here, seen)
    here.end("web", *names)
    return seen


def _accepted(here: Stack, orders: Mapping[Case, str]) -> list[Seen]:
    """Have all cases accepted while no worker lives; a web server dies at the bell of some, which are then sent again to the next."""
    at_the_bell = [_run(case, order) for case, order in orders.items() if case.point == AT_THE_WEB]
    if at_the_bell:
        mark = here.place.data / f"bell-{at_the_bell[0]['key']}"
        here.start_web(CRASH_AT=f"{AT_THE_WEB}:1:kill", CRASH_ONCE=str(mark))
        assert here.ask("POST", "/api/v1/runs/bulk", {"items": at_the_bell})[0] == 0, "it answered all the same"
        assert here.processes["web"].wait(60) == -signal.SIGKILL
        assert mark.exists()
    here.start_web()
    seen, whole = list[Seen](), list(orders.items())
    for first in range(0, len(whole), 100):
        some = whole[first : first + 100]
        status, told = here.ask("POST", "/api/v1/runs/bulk", {"items": [_run(case, order) for case, order in some]})
        assert status == 200, told
        effects = [str(item["run"]["effects"][0]["id"]) for item in told["items"]]
        seen += [Seen(case, order, effect) for (case, order), effect in zip(some, effects, strict=True)]
    return seen


def _traps(here: Stack) -> Path:
    folder = here.place.data / "struck"
    folder.mkdir(exist_ok=True)
    return folder


def _trap(here: Stack, found: Seen) -> Path:
    return _traps(here) / f"{found.case.point}@{found.effect}"


def _run(case: Case, order: str) -> dict[str, Any]:
    effect = {"key": "pay", "operation": case.operation, "arguments": {"order": order, "amount": "1.00"}}
    return {"key": order, "run_type": "payments", "goal": f"Pay {order}", "completes_itself": True, "effects": [effect]}


def _wait(here: Stack, seen: Sequence[Seen]) -> None:
    """Wait until all are at rest, or nothing has changed for a good while."""
    before, since = "", time.monotonic()
    while time.monotonic() - since < PATIENCE_SECONDS:
        _look(here, seen)
        if all(found.is_at_rest() for found in seen):
            return
        now = repr([(found.state, found.acts, found.lost) for found in seen])
        if now != before:
            before, since = now, time.monotonic()
        time.sleep(0.25)


def _look(here: Stack, seen: Sequence[Seen]) -> None:
    rows = {row[0]: row[1:] for row in here.rows(SEEN, [[found.effect for found in seen]])}
    for found in seen:
        found.state, found.acts, found.looks, found.lost = rows[found.effect]
        found.armed = _trap(here, found).exists()


def _faults(here: Stack, found: Seen) -> Iterator[str]:
    """Hold what was seen against what must be so."""
    case, key, bank = found.case, f"cf-{found.effect}", f"bank-{BANKS[found.case.keeps_keys]}"
    entries = here.bank(f"/ledger?key={key}", bank)["entries"]
    found.calls = here.bank(f"/calls?key={key}", bank)["keys"].get(key, {"count": 0})["count"]
    found.entries = len(entries)
    came = Expected(found.state, found.acts, found.calls, found.entries)
    if came != found.wanted:
        yield f"expected {found.wanted}"
    if any(entry["body"] != {"order": found.order, "amount": "1"} for entry in entries):
        yield f"the bank did something else than was recorded: {entries}"
    if not found.died_with_another:
        if found.lost != int(not is_recorded(case)):
            yield f"{found.lost} of its acts were lost with their worker"
        if case.point != AT_THE_WEB and found.armed is found.is_struck:
            yield "the trap at its place still waits" if found.armed else "it was struck where nothing comes"
    status, told = here.ask("GET", f"/api/v1/effects/{found.effect}")
    if (status, told["state"]) != (200, found.state):
        yield f"the API says {status} {told.get('state')}"
    if [attempt["kind"] for attempt in told["attempts"]].count("act") != found.acts:
        yield "the API does not show every act"
    run = here.ask("GET", f"/api/v1/runs/{told['run']}")[1]
    if (run["state"] != "running") != found.wanted.run_ends:
        yield f"the run is {run['state']} although its effect is {found.state}"
