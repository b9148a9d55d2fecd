"""The fixed cast of every test, and the small company they work in.

ann approves for finance, amir approves too, ben answers for the agent, dora audits, oscar operates; cara is a stranger of another tenant.
Rows are made as intake makes them, and moved on by the database's own functions, so that chains and guards hold."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from uuid_utils.compat import uuid7

from approvals import ask as asking
from approvals.models import Coverage, Policy, Request
from approvals.policies import Ruling
from approvals.policy_document import Ask
from console import clock, database
from console.exact import Object, Value, canonical, digest
from console.identity import administration
from console.identity.members import member_actor
from console.identity.models import Agent, Member, Tenant, User
from console.ledger.actors import Actor, system
from runs import record
from runs.models import Dependency, Effect, OperationContract, Run, RunTypeContract
from runs.settling import SETTLE
from runs.states import AWAITING_APPROVAL, BLOCKED, READY, RUNNING

PASSWORD = "correct horse battery staple"
WORKER = "worker:test"
SUMMARIES = {
    "refund": "Refund {amount} {currency} on order {order}",
    "transfer": "Transfer {amount} {currency} to account {account}",
    "lookup": "Look up order {order}",
}
POLICY = {
    "apiVersion": "counterfoil/v1", "kind": "Policy", "name": "money", "version": 1, "description": "What moves money is asked about.",
    "operations": ["*"], "otherwise": "deny",
    "rules": [{
        "name": "large-amounts", "when": {"path": "arguments.amount", "op": "gt", "value": "50"}, "then": "ask", "reason": "",
        "ask": {"groups": ["finance"], "quorum": 1, "decide_within_seconds": 1800, "use_within_seconds": 3600},
    }, {"name": "the-rest", "then": "allow", "reason": ""}],
}  # fmt: skip


@dataclass
class Company:
    """A tenant with its people, its agent and its contracts."""

    tenant: Tenant
    members: dict[str, Member]
    agent: Agent
    policy: Policy
    run_type: RunTypeContract
    operations: dict[str, OperationContract] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Member:
        try:
            return self.__dict__["members"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def bot(self) -> Actor:
        """The agent as an actor."""
        return Actor("agent", self.agent.pk, self.agent.name, self.tenant.pk, "api")

    def actor(self, name: str) -> Actor:
        """A member as an actor of a page."""
        return member_actor(self.members[name], via="page")

    def run(self, goal: str = "Make order 1042 right", key: str | None = None) -> Run:
        """Accept a run."""
        with inside(self.tenant.pk):
            now = clock.now()
            made = Run(
                id=uuid7(), tenant_id=self.tenant.pk, agent=self.agent, key=key or f"run-{uuid7()}", intent_digest=digest({"goal": goal}),
                run_type=self.run_type, goal=goal, state=RUNNING, completes_itself=False, epoch=1, driver=self.agent,
                deadline_at=now + timedelta(hours=4), key_expires_at=now + timedelta(days=30), created_at=now, unresolved=[],
                closing_toward="", closing_reason="", ledger_seq=0, ledger_hash=b"",
            )  # fmt: skip
            made.save(force_insert=True)
            record.write([(made.pk, "run.accepted", {"key": made.key, "goal": goal})], self.bot, now)
            return made

    def propose(
        self, run: Run, operation: str = "refund", *, verdict: str = "ask", after: Sequence[Effect] = (), **asked: Any
    ) -> Effect:
        """Accept an effect into a run; one that is asked about comes with its request."""
        terms: dict[str, Any] = {
            "groups": ("finance",),
            "quorum": 1,
            "decide_within": 1800,
            "tier": "normal",
            "reason": "",
        }
        terms["irreversible"] = operation == "transfer"
        terms |= {name: asked.pop(name) for name in list(asked) if name in terms}
        money = {} if operation == "lookup" else {"amount": "120.00", "currency": "EUR"}
        arguments = {"order": "1042", **money, **asked}
        with inside(self.tenant.pk):
            now = clock.now()
            contract = self.operations[operation]
            number = Effect.objects.filter(run=run).count() + 1
            effect = Effect(
                id=uuid7(), tenant_id=self.tenant.pk, run=run, number=number, key=f"{operation}-{number}", key_scope="run",
                operation=contract, operation_name=operation, dependency_name="bank", summary=SUMMARIES[operation].format(**arguments),
                target=f"order:{arguments.get('order')}", arguments=canonical(arguments), reason=terms["reason"], required=True,
                consequential=True, irreversible=terms["irreversible"], after=[earlier.pk for earlier in after],
                intent_digest=digest(arguments),
                effect_digest=digest({"of": str(uuid7()), **arguments}), state=READY, verdict=verdict, policy=self.policy,
                rule="large-amounts" if verdict == "ask" else "the-rest", fence=0, attempts_count=0, outcome="", operation_reference="",
                state_reason="", deadline_at=now + timedelta(hours=1), key_expires_at=now + timedelta(days=30), created_at=now,
            )  # fmt: skip
            if after:
                effect.state = BLOCKED
            elif verdict == "ask":
                effect.state, effect.request = AWAITING_APPROVAL, self._ask(effect, terms, now)
            else:
                effect.next_attempt_at = now
            effect.save(force_insert=True)
            says: Object = {
                "effect": str(effect.pk),
                "number": number,
                "summary": effect.summary,
                "verdict": verdict,
                "to": effect.state,
            }
            record.write([(run.pk, "effect.proposed", says)], self.bot, now)
            return effect

    def _ask(self, effect: Effect, terms: dict[str, Any], now: datetime) -> Request:
        shown = {
            "contract": f"{effect.operation_name}, version 1", "run_type": "case", "description": "Pays money back.",
            "residue": ["The fee stays with the bank."],
            "if_it_goes_wrong": "A refund is undone by a new charge that the customer must agree to.",
        }  # fmt: skip
        ruling = Ruling(
            "ask",
            self.policy.pk,
            "large-amounts",
            "",
            Ask(tuple(terms["groups"]), terms["quorum"], terms["decide_within"], 3600),
        )
        question = asking.Question(
            subject=effect.pk, subject_digest=bytes(effect.effect_digest), operation=effect.operation_name, summary=effect.summary,
            target=effect.target, arguments=effect.arguments, shown=canonical(shown), reason=effect.reason, tier=terms["tier"],
            irreversible=effect.irreversible, agent_id=self.agent.pk, owner_id=self.members["ben"].pk, ruling=ruling,
        )  # fmt: skip
        return asking.ask(self.bot, self.tenant.pk, [question], now)[0]

    def stored(self, row: Any) -> Any:
        """Read a row anew."""
        with inside(self.tenant.pk):
            return type(row)._default_manager.get(pk=row.pk)


@contextmanager
def inside(tenant_id: UUID | None = None) -> Iterator[None]:
    """Be in a transaction of the worker role, which sees all tenants."""
    with database.crossing_tenants(), database.transaction(tenant_id):
        yield


def open_company(slug: str, people: dict[str, tuple[str, list[str], list[str]]], owner: str) -> Company:
    """Open a tenant with people (name: full name, roles, groups), an agent and contracts."""
    with database.crossing_tenants():
        tenant = administration.open_tenant(system("test"), slug, slug.capitalize())
        by = Actor("system", None, "test", tenant.pk, "test")
        members = {}
        for name, (full_name, roles, groups) in people.items():
            user = User.objects.create_user(f"{name}@{slug}.example", PASSWORD, name=full_name)
            members[name] = administration.add_member(by, user, roles, groups)
        agent = administration.add_agent(by, "refund-bot", members[owner])
    with inside(tenant.pk):
        now = clock.now()
        policy = Policy(
            tenant_id=tenant.pk, name="money", version=1, document=canonical(POLICY), digest=digest(POLICY), operations=["*"],
            published_at=now,
        )  # fmt: skip
        policy.save(force_insert=True)
        Coverage.objects.create(tenant_id=tenant.pk, operation="*", policy=policy)
        common = {"tenant_id": tenant.pk, "version": 1, "applied_at": now}
        Dependency.objects.create(**common, name="bank", document="{}", digest=digest({}), concurrency=64)
        run_type = RunTypeContract.objects.create(**common, name="case", document="{}", digest=digest({}))
        document = {"unknown": {"owner": "operators", "age_objective_seconds": 900, "resolve": "status"}}
        operations = {
            name: OperationContract.objects.create(
                **common, name=name, document=canonical(document), digest=digest(document), access="read" if name == "lookup" else "write",
                dependency_name="bank", executor="http",
            )
            for name in SUMMARIES
        }  # fmt: skip
    return Company(tenant, members, agent, policy, run_type, operations)


def follow() -> None:
    """Take the news of decided requests to their effects, as a shift does."""
    with inside():
        database.rows("select * from runs_follow(%s, 100)", [WORKER])


def claim(limit: int = 10) -> list[dict[str, Any]]:
    """Claim what is due, as a shift does."""
    with inside():
        return database.rows(
            "select * from runs_claim(%s, 30, %s::uuid[], '{}')", [WORKER, [uuid7() for _ in range(limit)]]
        )


def settle(
    claimed: list[dict[str, Any]],
    outcome: str = "succeeded",
    *,
    http: int | None = 201,
    result: Value = None,
    reason: str = "",
) -> None:
    """Write down the same answer for all that were claimed."""
    if not claimed:
        return
    states = {"unknown": "unknown", "accepted": "accepted", "overload": "ready"}
    n = len(claimed)
    evidence = canonical(
        {"request": {"method": "POST", "url": "http://bank/refunds"}, "response": {"status": http, "body": result}}
    )
    with inside():
        database.rows(
            SETTLE,
            [
                [row["attempt_id"] for row in claimed], [row["fence"] for row in claimed], [outcome] * n,
                [states.get(outcome, outcome)] * n, [3600.0] * n, [http] * n, [True] * n, [reason] * n,
                [None if result is None else canonical(result)] * n, [""] * n, [evidence] * n, WORKER,
            ],
        )  # fmt: skip


def work(outcome: str = "succeeded", **answer: Any) -> None:
    """Do one worker's step: hear the news, claim what is due, and settle it all alike."""
    follow()
    settle(claim(), outcome, **answer)


@pytest.fixture
def acme(db: None) -> Company:
    """The company most tests are about."""
    people: dict[str, tuple[str, list[str], list[str]]] = {
        "ann": ("Ann Okafor", ["approver"], ["finance"]), "amir": ("Amir Saleh", ["approver"], ["finance"]),
        "ben": ("Ben Osei", ["approver"], ["finance"]), "dora": ("Dora Lindqvist", ["admin"], []),
        "oscar": ("Oscar Wren", ["operator"], []),
    }  # fmt: skip
    return open_company("acme", people, owner="ben")


@pytest.fixture
def globex(db: None) -> Company:
    """Somebody else's company, where cara works."""
    people: dict[str, tuple[str, list[str], list[str]]] = {
        "cara": ("Cara Voss", ["approver", "operator", "admin"], ["finance"]), "ben": ("Bea Lorne", [], []),
    }  # fmt: skip
    return open_company("globex", people, owner="ben")


def signed_in(member: Member) -> Client:
    """Give a browser in which the member is signed in."""
    client = Client(enforce_csrf_checks=False)
    client.force_login(member.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client
