"""The matrix on real processes: many cases on one stack, each struck once at its own place, and looked at when all have come to rest."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.crash.cases import BANKS, POINTS, SCRIPTS, Case, Expected, expected, is_recorded, of_workers, passes
from tests.crash.paying import contracts
from tests.crash.stack import Stack, stack

AT_THE_WEB = "wake.enqueue"
PATIENCE_SECONDS = 60  # without anything changing
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
    effect: str
    state: str = ""
    acts: int = 0
    looks: int = 0
    lost: int = 0
    calls: int = 0
    entries: int = 0
    faults: list[str] = field(default_factory=list)

    def is_at_rest(self) -> bool:
        """Say whether what is expected has come, and stays where it is looked for in vain."""
        wanted = expected(self.case)
        return (self.state, self.acts) == (wanted.state, wanted.acts) and (
            wanted.state != "unknown" or not self.case.can_ask or self.looks >= LOOKS
        )

    def line(self) -> str:
        """Give it as a row of the table."""
        told = f"{self.case.name}  {self.state:9} acts {self.acts}, calls {self.calls}, entries {self.entries}, looks {self.looks}"
        return f"{'ok  ' if not self.faults else 'FAIL'} {told}" + "".join(f"\n       {fault}" for fault in self.faults)


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
    seen = [found for workers in (1, 2) for found in _with_workers(here, of_workers(cases, workers), workers)]
    here.start_web()
    _look(here, seen)  # nothing that had come to rest may have moved since
    for found in seen:
        found.faults = list(_faults(here, found))
    return seen


def _with_workers(here: Stack, cases: Sequence[Case], workers: int) -> list[Seen]:
    if not cases:
        return []
    for keeps, word in BANKS.items():
        rules = [
            {"match": {"field": {"order": case.order}}, "behave": [SCRIPTS[case.script]]}
            for case in cases
            if case.keeps_keys == keeps
        ]
        here.tell_bank("/script", {"rules": rules, "add": True}, f"bank-{word}")
    seen = _accepted(here, cases)
    targets = _targets(here)
    for found in seen:
        if found.case.point != AT_THE_WEB:
            (targets / f"{found.case.point}@{found.effect}").touch()
    armed = {
        "CRASH_AT": ",".join(f"{point}:1:kill" for point in POINTS if point != AT_THE_WEB), "CRASH_LIST": str(targets),
        "SHIFT_SLOTS": "1", "SHIFT_BATCH": "1",
    }  # fmt: skip
    names = [f"worker-{workers}-{number}" for number in range(workers)]
    for name in names:
        here.start_worker(name, **armed)
    _wait(here, seen)
    here.end(*names)
    here.end("web")
    return seen


def _accepted(here: Stack, cases: Sequence[Case]) -> list[Seen]:
    """Have all cases accepted while no worker lives; a web server dies at the bell of some, which are then sent again to the next."""
    at_the_bell = [case for case in cases if case.point == AT_THE_WEB]
    if at_the_bell:
        mark = here.place.data / f"bell-{cases[0].workers}"
        here.start_web(CRASH_AT=f"{AT_THE_WEB}:1:kill", CRASH_ONCE=str(mark))
        assert here.ask("POST", "/api/v1/runs/bulk", {"items": [_run(case) for case in at_the_bell]})[0] == 0, (
            "it answered all the same"
        )
        assert here.processes["web"].wait(10) == -9
        assert mark.exists()
    here.start_web()
    seen: list[Seen] = []
    for first in range(0, len(cases), 100):
        some = cases[first : first + 100]
        status, told = here.ask("POST", "/api/v1/runs/bulk", {"items": [_run(case) for case in some]})
        assert status == 200, told
        seen += [
            Seen(case, str(item["run"]["effects"][0]["id"])) for case, item in zip(some, told["items"], strict=True)
        ]
    return seen


def _targets(here: Stack) -> Path:
    folder = here.place.data / "struck"
    folder.mkdir(exist_ok=True)
    return folder


def _run(case: Case) -> dict[str, Any]:
    effect = {"key": "pay", "operation": case.operation, "arguments": {"order": case.order, "amount": "1.00"}}
    return {
        "key": case.order,
        "run_type": "payments",
        "goal": f"Pay {case.order}",
        "completes_itself": True,
        "effects": [effect],
    }


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


def _faults(here: Stack, found: Seen) -> Iterator[str]:
    """Hold what was seen against what must be so."""
    case, wanted, key = found.case, expected(found.case), f"cf-{found.effect}"
    bank = f"bank-{BANKS[case.keeps_keys]}"
    entries = here.bank(f"/ledger?key={key}", bank)["entries"]
    found.calls = here.bank(f"/calls?key={key}", bank)["keys"].get(key, {"count": 0})["count"]
    found.entries = len(entries)
    came = Expected(found.state, found.acts, found.calls, found.entries)
    if came != wanted:
        yield f"expected {wanted}"
    if found.lost != int(not is_recorded(case)):
        yield f"{found.lost} of its attempts were lost with their worker"
    if case.point != AT_THE_WEB and (_targets(here) / f"{case.point}@{found.effect}").exists() is passes(case):
        yield "it was struck where it never comes" if not passes(case) else "it was never struck"
    if any(entry["body"] != {"order": case.order, "amount": "1"} for entry in entries):
        yield f"the bank did something else than was recorded: {entries}"
    status, told = here.ask("GET", f"/api/v1/effects/{found.effect}")
    if (status, told["state"]) != (200, found.state):
        yield f"the API says {status} {told.get('state')}"
    if [attempt["kind"] for attempt in told["attempts"]].count("act") != found.acts:
        yield "the API does not show every act"
    run = here.ask("GET", f"/api/v1/runs/{told['run']}")[1]
    if (run["state"] != "running") != wanted.run_ends:
        yield f"the run is {run['state']} although its effect is {found.state}"
