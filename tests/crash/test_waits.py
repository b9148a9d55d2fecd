"""Everything can be restarted while runs wait on each kind of wait: each goes on by what it waited for, once (R-I1, TIM-01).

Five runs a kind here; `WAITING_RUNS=1000` in the environment makes it a thousand. With 100 (700 runs) it took 17 minutes on two cores that
much else was busy on, and each went on once; a thousand has not been run to its end."""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.crash.stack import Stack, stack
from tests.processes import until

EACH = int(os.environ.get("WAITING_RUNS", "5"))
pytestmark = [pytest.mark.crash, pytest.mark.timeout(600 + 5 * EACH)]  # they are begun, and then wait for their time
AHEAD = timedelta(seconds=60 + EACH)  # enough for all to begin to wait, also on a busy machine
PATIENCE = 240 + EACH
AT_ONCE = 4
KINDS = ("effects", "children", "signal", "dependency", "timer", "clock_time", "rate_window")
MET = "select stream, count(*) from ledger_entry where kind = 'wait.met' group by stream"
STATES = "select state, count(*) from runs_run where id = any(%s::uuid[]) group by state"


class Waiting:
    """Runs that wait, by kind, and what each waits for."""

    def __init__(self, here: Stack) -> None:
        self.here = here
        self.runs: dict[str, list[dict[str, Any]]] = {}
        self.subjects: dict[str, list[str]] = {}

    def begin_all(self) -> None:
        """Make all runs."""
        for kind in KINDS:
            with ThreadPoolExecutor(AT_ONCE) as several:
                self.runs[kind] = list(several.map(lambda number, kind=kind: self.begin(kind, number), range(EACH)))

    def begin(self, kind: str, number: int) -> dict[str, Any]:
        """Make a run."""
        body = {"run_type": "customer-case", "goal": f"Wait for {kind} {number}"}
        return self.here.post_surely("/api/v1/runs", body, f"{kind}-{number}")

    def wait(self, run: dict[str, Any], kind: str, condition: dict[str, Any]) -> None:
        """Have it wait."""
        body = {"kind": kind, "condition": condition, "name": "it"}
        token = {"Fencing-Token": str(run["epoch"])}
        became = self.here.post_surely(f"/api/v1/runs/{run['id']}/waits", body, f"wait-{run['key']}", **token)
        assert became["run_state"] == "waiting", became

    def for_times(self, at: datetime) -> None:
        """Have runs wait for an instant, for the clock of a zone that shows it, and for a rate window that begins anew then."""
        local = (at + timedelta(hours=5, minutes=30)).strftime("%Y-%m-%dT%H:%M:%S")
        conditions = {
            "timer": {"at": at.strftime("%Y-%m-%dT%H:%M:%SZ")},
            "clock_time": {"local": local, "zone": "Asia/Kolkata"},
            "rate_window": {"dependency": "bank", "resets_at": at.strftime("%Y-%m-%dT%H:%M:%SZ")},
        }
        for kind, condition in conditions.items():
            self._each(kind, lambda run, kind=kind, condition=condition: self.wait(run, kind, condition))

    def for_news(self) -> None:
        """Have runs wait for a signal each, and for the bank to answer again."""
        self._each("signal", lambda run: self.wait(run, "signal", {"name": "go", "correlation": run["key"]}))
        self._each("dependency", lambda run: self.wait(run, "dependency", {"name": "bank"}))

    def for_effects(self) -> None:
        """Have runs wait for an effect that a person is asked about."""

        def begun(run: dict[str, Any]) -> None:
            effect = self.here.post_surely(
                f"/api/v1/runs/{run['id']}/effects",
                {"operation": "refund", "arguments": {"order": run["key"], "amount": "250.00"}},
                f"effect-{run['key']}",
                **{"Fencing-Token": str(run["epoch"])},
            )
            self.subjects.setdefault("effects", []).append(effect["id"])
            self.wait(run, "effects", {"effects": [effect["id"]]})

        self._each("effects", begun)

    def for_children(self) -> None:
        """Have runs wait for a run of theirs."""

        def begun(run: dict[str, Any]) -> None:
            body = {"run_type": "customer-case", "goal": "Below", "parent": run["id"]}
            child = self.here.post_surely(
                "/api/v1/runs", body, f"child-{run['key']}", **{"Parent-Token": str(run["epoch"])}
            )
            self.subjects.setdefault("children", []).append(child["id"])
            self.wait(run, "children", {})

        self._each("children", begun)

    def end_subjects(self) -> None:
        """End what effects and children are waited for, send the signals, each twice, and have something asked of the bank."""

        def signalled(run: dict[str, Any]) -> None:
            body = {"name": "go", "correlation": run["key"], "body": {"by": "the planner"}}
            self.here.post_surely("/api/v1/signals", body, f"go-{run['key']}")

        for _ in range(2):
            self._each("signal", signalled)
        small = {"key": "small", "operation": "refund", "arguments": {"order": "B-1", "amount": "20.00"}}
        body = {"run_type": "customer-case", "goal": "Ask the bank", "effects": [small]}
        self.here.post_surely("/api/v1/runs", body, "ask-the-bank")
        for effect in self.subjects["effects"]:
            self._post(f"/api/v1/effects/{effect}/withdraw", {}, f"end-{effect}")
        for child in self.subjects["children"]:
            self._post(f"/api/v1/runs/{child}/complete", {}, f"end-{child}")

    def all_went_on(self) -> bool:
        """Tell whether every run goes on."""
        return self.here.rows(STATES, [self.ids]) == [("running", len(self.ids))]

    @property
    def ids(self) -> list[str]:
        """Give the ids of all runs that wait."""
        return [run["id"] for runs in self.runs.values() for run in runs]

    def _each(self, kind: str, begin: Any) -> None:
        with ThreadPoolExecutor(AT_ONCE) as several:
            list(several.map(begin, self.runs[kind]))

    def _post(self, path: str, body: Any, key: str) -> None:
        self.here.post_surely(path, body, key, **{"Fencing-Token": "1"})


def test_runs_that_wait_on_each_kind_go_on_once_each_after_everything_was_killed(tmp_path: Path) -> None:
    with stack(tmp_path) as here:
        here.start_bank("--no-idempotency")
        here.start_web()
        here.start_clock()
        here.start_worker()
        waiting = Waiting(here)
        waiting.begin_all()
        waiting.for_effects()
        waiting.for_children()
        waiting.for_news()
        waiting.for_times(datetime.now(UTC) + AHEAD)
        assert here.rows(STATES, [waiting.ids]) == [("waiting", 7 * EACH)]

        for name in ("web", "clock", "worker"):
            here.kill(name)
        here.flush_valkey()
        here.restart_postgres()
        assert here.rows(STATES, [waiting.ids]) == [("waiting", 7 * EACH)], "nothing ran meanwhile"
        here.start_web()
        waiting.end_subjects()
        here.kill("web")
        here.restart_postgres()
        here.start_web()
        here.start_clock()
        here.start_worker()

        assert until(waiting.all_went_on, PATIENCE), here.rows(STATES, [waiting.ids])
        met: Counter[str] = Counter(dict(here.rows(MET)))
        assert {met[f"run:{run}"] for run in waiting.ids} == {1}
        late = here.rows("select min(ended_at - due_at) from runs_wait where due_at is not null")[0][0]
        assert late >= timedelta(0), "none came before its time"
        here.check()
