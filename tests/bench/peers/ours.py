"""Counterfoil itself. The workers are `manage.py worker` under the worker's role; here is who prepares, submits, asks and approves.

The intent to call is committed before the call and the result after it, each as an entry of the run's chained record.
"""

import os
import sys
import time
from typing import Any
from uuid import UUID

import django

from tests.bench.program import obey

EFFECTS = 5
BATCH = 50
TENANT, AGENT = "bench", "bench-agent"
PEOPLE = {"omar": (["operator"], []), "ann": (["approver"], ["finance"])}
PASSWORD = "a-password-of-the-bench"  # of a database that lives for minutes
OPEN = "select count(*) from runs_run where tenant_id = %s and state = 'running'"


def prepare(contracts: str) -> None:
    """Make the tenant, its people and its agent, and put the contracts in force, in a database that is migrated."""
    from django.core.management import call_command

    from console.database import cross_tenants_in_this_process
    from console.identity import administration
    from console.identity.models import User
    from console.ledger.actors import Actor, system

    cross_tenants_in_this_process()
    tenant = administration.open_tenant(system("command"), TENANT, "Bench")
    by = Actor(kind="system", id=None, name="command", tenant_id=tenant.pk, via="command")
    members = {
        name: administration.add_member(
            by, User.objects.create_user(f"{name}@bench.example", PASSWORD, name=name), roles, groups
        )
        for name, (roles, groups) in PEOPLE.items()
    }
    administration.add_agent(by, AGENT, members["omar"])
    call_command("contracts", "apply", contracts, "--tenant", TENANT)


class Submitter:
    """An agent's side of the product, in a process of its own, through the doors that the API uses."""

    def __init__(self) -> None:
        import psycopg

        from console.database import crossing_tenants
        from console.identity.models import Agent, Member
        from console.ledger.actors import Actor

        with crossing_tenants():
            agent = Agent.objects.get(name=AGENT)
            ann = Member.objects.select_related("user").get(user__email="ann@bench.example")
        self.tenant = agent.tenant_id
        self.agent = Actor("agent", agent.pk, agent.name, agent.tenant_id, "api")
        self.ann = Actor(
            "member", ann.pk, ann.user.name, ann.tenant_id, "page", frozenset(ann.roles), frozenset(ann.groups)
        )
        self.line: psycopg.Connection[tuple[Any, ...]] = psycopg.connect(
            os.environ["DATABASE_WORKER_URL"], autocommit=True, prepare_threshold=0
        )

    def call_shifts(self, workers: int) -> dict[str, Any]:
        """Ask RQ for a shift for each worker; the doorbell alone asks for one."""
        from django_rq import get_queue

        from console.doorbell import SHIFT_JOB, SHIFTS

        for _ in range(workers):
            get_queue(SHIFTS).enqueue(SHIFT_JOB, job_timeout=3600, result_ttl=0, ttl=60, failure_ttl=3600)
        return {}

    def load(self, runs: int, name: str) -> dict[str, Any]:
        """Submit runs, 50 at a time, and see the last one ended."""
        began = time.monotonic()
        for first in range(0, runs, BATCH):
            self._submit(name, first, min(runs, first + BATCH))
        submitted = time.monotonic()
        while self._open():
            time.sleep(0.05)
        return {"seconds": time.monotonic() - began, "submitting_seconds": submitted - began}

    def flow(self, runs: int, name: str, at_once: int, step: int) -> dict[str, Any]:
        """Submit runs so that about so many are open at any time; give when each `step`-th of them was seen ended."""
        began = time.monotonic()
        submitted = ended = 0
        passed: dict[str, float] = {"0": 0.0}
        while ended < runs:
            if submitted < runs and submitted - ended <= at_once - BATCH:
                self._submit(name, submitted, submitted + BATCH)
                submitted += BATCH
            else:
                time.sleep(0.01)
            still = self._open()
            before, ended = ended, submitted - still
            for mark in range((before // step + 1) * step, ended + 1, step):
                passed[str(mark)] = time.monotonic() - began
        return {"seconds": time.monotonic() - began, "passed": passed}

    def _submit(self, name: str, first: int, end: int) -> None:
        from runs import intake
        from runs.drafts import EffectDraft, RunDraft

        drafts = []
        for number in range(first, end):
            effects = [
                EffectDraft(
                    key=f"effect-{step}",
                    operation="pay",
                    arguments={"order": f"{name}-{number}-{step}", "amount": "1"},
                    after=[f"effect-{step - 1}"] if step else [],
                )
                for step in range(EFFECTS)
            ]
            drafts.append(
                RunDraft(f"{name}-{number}", "errand", "Pay five times", completes_itself=True, effects=effects)
            )
        intake.accept(self.agent, drafts)

    def _open(self) -> int:
        (count,) = self.line.execute(OPEN, [self.tenant]).fetchone() or (0,)
        return int(count)

    def one(self, operation: str, name: str) -> dict[str, Any]:
        """Submit a run of one effect; give the effect, and its request if it asks."""
        from console.database import transaction
        from runs import intake
        from runs.drafts import EffectDraft, RunDraft
        from runs.models import Effect

        effect = EffectDraft(key="effect", operation=operation, arguments={"order": name, "amount": "1"})
        accepted = intake.accept(
            self.agent, [RunDraft(name, "errand", "Pay once", completes_itself=True, effects=[effect])]
        )
        with transaction(self.tenant):
            made = Effect.objects.get(pk=accepted[0].effect_ids[0])
        return {"effect": str(made.pk), "digest": made.effect_digest.hex(), "request": str(made.request_id)}

    def approve(self, request: str, digest: str) -> dict[str, Any]:
        """Approve in this process, as ann, at a moment that is told."""
        from approvals.deciding import voting

        began = time.monotonic_ns()
        voting.approve(self.ann, UUID(request), shown_digest=digest, reason="", key=f"approve {request}")
        return {"began": began}


def submit() -> None:
    """Do what the bench tells."""
    agent = Submitter()
    obey(
        {
            "call_shifts": agent.call_shifts,
            "load": agent.load,
            "flow": agent.flow,
            "one": agent.one,
            "approve": agent.approve,
        }
    )


if __name__ == "__main__":
    django.setup()
    if sys.argv[1] == "prepare":
        prepare(sys.argv[2])
    else:
        submit()
