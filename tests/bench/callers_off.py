"""Calling runs off in a process of its own: what they took is given back, and how long that takes; and how long it takes to plan it."""

import time
from typing import Any
from uuid import UUID, uuid4

import django

from tests.bench.program import obey

AT_ONCE = 100
OPEN = "select count(*)::int as n from runs_run where tenant_id = %s and state <> 'cancelled'"
UNDONE = "select count(*)::int as n from runs_effect where tenant_id = %s and compensates_id is null and state <> 'succeeded'"
TOLD = """
select count(*)::int as effects, count(distinct compensates_id)::int as of_them, count(*) filter (where state = 'succeeded')::int as done
from runs_effect where tenant_id = %s and compensates_id is not null
"""


class CallersOff:
    """An agent with very many runs, and the operator who calls them off."""

    def __init__(self) -> None:
        from console.database import crossing_tenants
        from console.identity.members import member_actor
        from console.identity.models import Agent, Member
        from console.ledger.actors import Actor
        from tests.bench.peers.ours import AGENT

        with crossing_tenants():
            agent = Agent.objects.get(name=AGENT)
            omar = Member.objects.select_related("user").get(user__email="omar@bench.example")
        self.tenant = agent.tenant_id
        self.agent = Actor("agent", agent.pk, agent.name, agent.tenant_id, "api")
        self.omar = member_actor(omar, "page")
        self.runs: list[UUID] = []

    def taken(self, runs: int, effects: int, within: float) -> dict[str, Any]:
        """Have so many runs, in each of which so much was taken, and wait until all of it was."""
        from runs import intake
        from runs.drafts import EffectDraft, RunDraft

        for first in range(0, runs, AT_ONCE):
            drafts = [
                RunDraft(f"off-{uuid4()}", "errand", "Take and give back", effects=[
                    EffectDraft(f"take-{n}", "take", {"order": f"{number}-{n}", "amount": "1"}) for n in range(effects)
                ])
                for number in range(first, min(first + AT_ONCE, runs))
            ]  # fmt: skip
            self.runs += [each.run_id for each in intake.accept(self.agent, drafts)]
        return {"left": self._wait_for(UNDONE, within)}

    def called_off(self, within: float) -> dict[str, Any]:
        """Cancel all of them, and wait until the last has given everything back and ended."""
        from runs.cancelling import cancel

        began = time.monotonic()
        for run in self.runs:
            cancel.cancel_run(self.omar, run, reason="It is off.", key=f"off-{run}")
        asked = time.monotonic()
        left = self._wait_for(OPEN, within)
        told = self._rows(TOLD, [self.tenant])[0]
        return {
            "left": left, "asking_seconds": round(asked - began, 2), "seconds": round(time.monotonic() - began, 2), **told,
        }  # fmt: skip

    def _wait_for(self, sql: str, within: float) -> int:
        until = time.monotonic() + within
        while left := int(self._rows(sql, [self.tenant])[0]["n"]):
            if time.monotonic() > until:
                break
            time.sleep(0.1)
        return left

    def _rows(self, sql: str, parameters: list[Any]) -> list[dict[str, Any]]:
        from console.database import rows, transaction

        with transaction(self.tenant):
            return rows(sql, parameters)


def main() -> None:
    """Do what the bench tells."""
    callers = CallersOff()
    obey({"taken": callers.taken, "called_off": callers.called_off})


if __name__ == "__main__":
    django.setup()
    main()
