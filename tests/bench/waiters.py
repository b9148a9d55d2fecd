"""An agent whose runs wait, in a process of its own: it opens waits, sends signals, and tells what the record says of when they ended."""

import time
from typing import Any
from uuid import UUID, uuid4

import django

from tests.bench.program import obey

# Copies of one run that waits for a time, each with its wait; they have the record of their pattern, so they are not to be verified.
RUNS = """
insert into runs_run select copied.* from runs_run r, generate_series(%(from)s::int, %(to)s) as i
cross join lateral jsonb_populate_record(r, jsonb_build_object('id', md5('waiter' || i), 'key', 'waiter-' || i)) as copied
where r.id = %(run)s
"""
WAITS = """
insert into runs_wait select copied.* from runs_wait w, generate_series(%(from)s::int, %(to)s) as i
cross join lateral jsonb_populate_record(w, jsonb_build_object(
    'id', md5('wait' || i), 'run_id', md5('waiter' || i), 'due_at', %(due)s::timestamptz + make_interval(secs => i * %(apart)s))) as copied
where w.run_id = %(run)s
"""
LATE = """
select extract(epoch from ended_at - due_at) as late from runs_wait where state = 'met' and name = 'soon' order by 1
"""
TOLD = """
select count(*) as entries, count(distinct e.stream) as runs from ledger_entry e
where e.kind = 'wait.met' and e.stream in (select 'run:' || md5('waiter' || i)::uuid from generate_series(%s::int, %s) as i)
"""
STILL = """
select count(*) as n from runs_run where state = 'waiting'
    and id in (select md5('waiter' || i)::uuid from generate_series(%s::int, %s) as i)
"""
LAST = "select max(ended_at) as last from runs_wait where id in (select md5('wait' || i)::uuid from generate_series(%s::int, %s) as i)"
NOW = "select cf_now() as now"


class Waiters:
    """What the bench tells an agent to do."""

    def __init__(self) -> None:
        from console.database import crossing_tenants
        from console.identity.models import Agent
        from console.ledger.actors import Actor
        from tests.bench.peers.ours import AGENT

        with crossing_tenants():
            agent = Agent.objects.get(name=AGENT)
        self.tenant = agent.tenant_id
        self.agent = Actor("agent", agent.pk, agent.name, agent.tenant_id, "api")

    def pattern(self) -> dict[str, Any]:
        """Have one run that waits for a time far ahead, to be copied."""
        return {"run": str(self._waiting("pattern", "far", 300 * 86400))}

    def soon(self, runs: int, within: float) -> dict[str, Any]:
        """Open so many timers that come one after the other within so many seconds from now on, and wait for the last."""
        began = time.monotonic()
        for number in range(runs):
            self._waiting(f"soon-{uuid4()}", "soon", 5 + int(number * within / runs))
        until = began + 5 + within + 60
        while time.monotonic() < until:
            late = [float(row["late"]) for row in self._rows(LATE)]
            if len(late) >= runs:
                break
            time.sleep(0.2)
        return {"late": late, "opened": runs}

    def woken(self, first: int, last: int, due: str, within: float) -> dict[str, Any]:
        """Wait until the copies have woken; gives how long after their time the last did, and how often each was told."""
        until = time.monotonic() + within
        while time.monotonic() < until and self._rows(STILL, [first, last])[0]["n"]:
            time.sleep(0.1)
        ended = self._rows(LAST, [first, last])[0]["last"]
        told = self._rows(TOLD, [first, last])[0]
        return {
            "still": self._rows(STILL, [first, last])[0]["n"],
            "last": ended and ended.isoformat(),
            "due": due,
            **told,
        }

    def now(self) -> dict[str, Any]:
        """Tell the database's time."""
        return {"now": self._rows(NOW)[0]["now"].isoformat()}

    def signal(self, name: str) -> dict[str, Any]:
        """Have an effect stand back for a signal, send it, and tell the moment before (time.monotonic_ns())."""
        from runs import intake
        from runs.drafts import EffectDraft
        from runs.signals import receiving
        from runs.signals.drafts import SignalDraft

        run = self._run(name)
        self._open(run, name, "signal", {"name": "go", "correlation": name}, parks=False)
        effect = EffectDraft(key="pay", operation="tell", arguments={"order": name, "amount": "1"}, after_waits=[name])
        intake.propose(self.agent, run, [effect], epoch=1)
        time.sleep(0.1)
        sent = time.monotonic_ns()
        receiving.send(self.agent, SignalDraft("go", name, {"ok": True}), key=f"signal-{name}")
        return {"sent": sent, "sending_ms": round((time.monotonic_ns() - sent) / 1e6, 1)}

    def _waiting(self, key: str, name: str, seconds: int) -> UUID:
        run = self._run(key)
        self._open(run, name, "timer", {"after_seconds": seconds})
        return run

    def _run(self, key: str) -> UUID:
        from runs import intake
        from runs.drafts import RunDraft

        return intake.accept(self.agent, [RunDraft(key, "errand", "Wait")])[0].run_id

    def _open(self, run: UUID, name: str, kind: str, condition: dict[str, Any], *, parks: bool = True) -> None:
        from runs.waits import opening
        from runs.waits.drafts import WaitDraft

        opening.open(
            self.agent, run, epoch=1, draft=WaitDraft(kind, condition, name=name, parks=parks), key=f"{kind}-{uuid4()}"
        )

    def _rows(self, sql: str, parameters: list[Any] | None = None) -> list[dict[str, Any]]:
        from console.database import rows, transaction

        with transaction(self.tenant):
            return rows(sql, parameters)


def main() -> None:
    """Do what the bench tells."""
    waiters = Waiters()
    obey(
        {
            "pattern": waiters.pattern,
            "soon": waiters.soon,
            "woken": waiters.woken,
            "now": waiters.now,
            "signal": waiters.signal,
        }
    )


if __name__ == "__main__":
    django.setup()
    main()
