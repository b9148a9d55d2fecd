"""The fixed cast of every test, and the small company they work in.

ann approves for finance, amir approves too, sam approves for support, ben answers for the agent, dora audits, oscar operates; cara is a
stranger of another tenant. Everything is made by the product's own moves, and moved on by its own functions."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from uuid_utils.compat import uuid7

from approvals.deciding.voting import approve, deny
from approvals.models import Request
from approvals.publishing import publish
from console import database, env
from console.documents import Document, load
from console.documents.applying import REFUSED
from console.exact import Value, canonical
from console.identity import administration
from console.identity.members import member_actor
from console.identity.models import Agent, Member, Tenant, User
from console.ledger.actors import Actor, system
from runs import driving, intake
from runs.applying import apply
from runs.drafts import EffectDraft, RunDraft
from runs.models import Effect, Run
from runs.settling import SETTLE
from tests import databases

PASSWORD = "correct horse battery staple"
WORKER = "worker:test:1"
BANK = "http://127.0.0.1:8701"
CONTRACTS = ("bank.yaml", "lookup.yaml", "refund.yaml", "transfer.yaml", "run-types.yaml")
MORE = {
    "refund": {"order": "1042", "amount": "120.00", "currency": "EUR"},
    "lookup": {"order": "1042"},
    "transfer": {
        "from": "operating", "to": "Nordwind Papier", "iban": "DE89370400440532013000", "amount": "5400.00", "currency": "EUR",
        "invoice": "R-77",
    },
}  # fmt: skip
POLICY = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
description: What moves money is asked about.
operations: ["*"]
rules:
  - name: transfers
    when: {{path: operation, op: eq, value: transfer}}
    then: ask
    ask: {{groups: [finance], quorum: 1, decide_within_seconds: 14400, use_within_seconds: 3600}}
    reason: A transfer cannot be called back, so finance is always asked.
  - name: very-large
    when: {{path: arguments.amount, op: gt, value: 1000}}
    then: ask
    ask: {{groups: [finance], quorum: 2, decide_within_seconds: 3600, use_within_seconds: 3600}}
  - name: dollars
    when: {{path: arguments.currency, op: eq, value: USD}}
    then: ask
    ask: {{groups: [support], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 3600}}
  - name: no-hurry
    when: {{path: arguments.order, op: prefix, value: "9"}}
    then: ask
    ask: {{groups: [finance], quorum: 1, decide_within_seconds: 259200, use_within_seconds: 3600}}
  - name: large
    when: {{path: arguments.amount, op: gt, value: 50}}
    then: ask
    ask: {{groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: 3600}}
  - name: the-rest
    then: allow
otherwise: deny
"""


@dataclass
class Company:
    """A tenant with its people, by name, and its agent."""

    tenant: Tenant
    members: dict[str, Member]
    agent: Agent

    def __getattr__(self, name: str) -> Member:
        try:
            return self.__dict__["members"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def bot(self) -> Actor:
        """The agent as an actor."""
        return Actor("agent", self.agent.pk, self.agent.name, self.tenant.pk, "api")

    @property
    def by(self) -> Actor:
        """Whoever administers, as an actor."""
        return Actor("system", None, "test", self.tenant.pk, "test")

    def actor(self, name: str) -> Actor:
        """A member as an actor of a page."""
        return member_actor(self.members[name], via="page")

    def run(
        self, goal: str = "Make order 1042 right", key: str = "", run_type: str = "customer-case", **draft: Any
    ) -> Run:
        """Accept a run."""
        made = intake.accept(self.bot, [RunDraft(key or f"run-{uuid7()}", run_type, goal, **draft)])[0]
        return self.read(Run, made.run_id)

    def propose(
        self,
        run: Run,
        operation: str = "refund",
        *,
        after: Sequence[Effect] = (),
        reason: str = "",
        key: str = "",
        supersedes: Effect | None = None,
        **arguments: str,
    ) -> Effect:
        """Accept an effect into a run; the policy asks people about refunds above 50, and about transfers."""
        draft = EffectDraft(
            key or f"{operation}-{uuid7()}", operation, {**MORE[operation], **arguments}, None, [str(effect.pk) for effect in after],
            reason, supersedes=supersedes.pk if supersedes else None,
        )  # fmt: skip
        return self.read(Effect, intake.propose(self.bot, run.pk, [draft], epoch=run.epoch)[0].effect_id)

    def approve(self, name: str, effect: Effect, reason: str = "") -> dict[str, Any]:
        """Have a member approve what an effect asks."""
        return approve(
            self.actor(name), _asked(effect), shown_digest=shown(effect), reason=reason, key=f"key-{uuid7()}"
        )

    def deny(self, name: str, effect: Effect, reason: str = "No.") -> dict[str, Any]:
        """Have a member deny what an effect asks."""
        return deny(self.actor(name), _asked(effect), shown_digest=shown(effect), reason=reason, key=f"key-{uuid7()}")

    def complete(self, run: Run, result: Value = None) -> dict[str, Any]:
        """Have the agent complete its run."""
        return driving.complete(
            self.bot, run.pk, epoch=run.epoch, result=result, accept_unresolved=[], key=f"key-{uuid7()}"
        )

    def request(self, effect: Effect) -> Request:
        """Read what an effect asks."""
        return self.read(Request, effect.request_id)

    def stored(self, row: Any) -> Any:
        """Read a row anew."""
        return self.read(type(row), row.pk)

    def read(self, model: Any, pk: Any) -> Any:
        """Read a row."""
        with inside(self.tenant.pk):
            return model._default_manager.get(pk=pk)

    def new_policy(self, version: int) -> None:
        """Publish the policy anew; it says the same, and asks everything again."""
        put_in_force(self.by, load(POLICY.format(version=version)))


def _asked(effect: Effect) -> UUID:
    assert effect.request_id is not None
    return effect.request_id


def shown(effect: Effect) -> str:
    """Give the digest that the card of this effect shows."""
    return bytes(effect.effect_digest).hex()


@contextmanager
def inside(tenant_id: UUID | None = None) -> Iterator[None]:
    """Be in a transaction of the worker role, which sees all tenants."""
    with database.crossing_tenants(), database.transaction(tenant_id):
        yield


def open_company(
    slug: str, people: dict[str, tuple[str, list[str], list[str]]], owner: str = "ben", bank: str = BANK
) -> Company:
    """Open a tenant with people (name: full name, roles, groups), an agent, and the example contracts."""
    with database.crossing_tenants():
        tenant = administration.open_tenant(system("test"), slug, slug.capitalize())
        by = Actor("system", None, "test", tenant.pk, "test")
        members = {}
        for name, (full_name, roles, groups) in people.items():
            user = User.objects.create(email=f"{name}@{slug}.example", name=full_name, password=hashed())
            members[name] = administration.add_member(by, user, roles, groups)
        agent = administration.add_agent(by, "refund-bot", members[owner])
        put_in_force(by, contracts(bank))
    return Company(tenant, members, agent)


def put_in_force(by: Actor, documents: list[Document]) -> None:
    """Apply contracts and publish policies; none may be refused."""
    with database.crossing_tenants():
        for document in documents:
            applied = publish(by, document) if document.kind == "Policy" else apply(by, document)
            assert applied.outcome != REFUSED, str(applied)


@cache
def contracts(bank: str = BANK) -> list[Document]:
    """Read the example contracts, with the policy of these tests and this bank."""
    files = [(env.BASE_DIR / "examples" / "contracts" / name).read_text(encoding="utf-8") for name in CONTRACTS]
    files = [
        re.sub(r"^breaker: .*\n", "", text, flags=re.MULTILINE) for text in files
    ]  # a test may have many calls fail
    read = [document for text in files for document in load(text.replace(BANK, bank)) if document.kind != "Policy"]
    return [*read, *load(POLICY.format(version=1))]


@cache
def hashed() -> str:
    """Hash everybody's password, once."""
    return make_password(PASSWORD)


def follow() -> None:
    """Take the news of decided requests to their effects, as a shift does."""
    with inside():
        database.rows("select * from runs_follow(%s, 100)", [WORKER])


def claim(limit: int = 10) -> list[dict[str, Any]]:
    """Claim what is due, as a shift does."""
    with inside():
        ids = [uuid7() for _ in range(limit)]
        return database.rows(
            "select * from runs_claim(%s, 30, %s::uuid[], '{}', array['act', 'resend', 'status', 'read'])",
            [WORKER, ids],
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
    state = {"overload": "ready"}.get(outcome, outcome)
    n = len(claimed)
    evidence = canonical(
        {"request": {"method": "POST", "url": "http://bank/refunds"}, "response": {"status": http, "body": result}}
    )
    text = None if result is None else canonical(result)
    with inside():
        database.rows(
            SETTLE,
            [
                [row["attempt_id"] for row in claimed], [row["fence"] for row in claimed], [outcome] * n, [state] * n, [3600.0] * n,
                [http] * n, [True] * n, [reason] * n, [text] * n, [""] * n, [evidence] * n, [""] * n, WORKER,
            ],
        )  # fmt: skip


def work(outcome: str = "succeeded", **answer: Any) -> None:
    """Do one worker's step: hear the news, claim what is due, and settle it all alike."""
    follow()
    settle(claim(), outcome, **answer)


@contextmanager
def later(**span: float) -> Iterator[None]:
    """Have the database's clock ahead by this much; nothing else tells the time."""
    seconds = timedelta(**span).total_seconds()
    with databases.as_superuser(databases.name()) as connection:
        set_clock(connection, f"clock_timestamp() + make_interval(secs => {seconds})")
        try:
            yield
        finally:
            set_clock(connection, "clock_timestamp()")


def set_clock(connection: Any, expression: str) -> None:
    """Replace `cf_now()`."""
    connection.execute(
        f"create or replace function cf_now() returns timestamptz language sql stable parallel safe as $$ select {expression} $$"
    )
    connection.commit()


@pytest.fixture
def acme(db: None) -> Company:
    """The company most tests are about."""
    return open_acme()


@pytest.fixture
def globex(db: None) -> Company:
    """Somebody else's company, where cara works."""
    people: dict[str, tuple[str, list[str], list[str]]] = {
        "cara": ("Cara Voss", ["approver", "operator", "admin"], ["finance", "support"]), "ben": ("Bea Lorne", ["approver"], ["finance"]),
        "gil": ("Gil Ames", ["approver"], ["finance"]),
    }  # fmt: skip
    return open_company("globex", people)


def open_acme(bank: str = BANK) -> Company:
    """Open it, with its account at this bank."""
    people: dict[str, tuple[str, list[str], list[str]]] = {
        "ann": ("Ann Okafor", ["approver"], ["finance"]), "amir": ("Amir Saleh", ["approver"], ["finance"]),
        "sam": ("Sam Tran", ["approver"], ["support"]), "ben": ("Ben Osei", ["approver"], ["finance"]),
        "dora": ("Dora Lindqvist", ["admin"], []), "oscar": ("Oscar Wren", ["operator"], []),
    }  # fmt: skip
    return open_company("acme", people, bank=bank)


def signed_in(member: Member, **client: Any) -> Client:
    """Give a browser in which the member is signed in."""
    browser = Client(**client)
    browser.force_login(member.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser
