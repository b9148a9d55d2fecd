"""A shop with real contracts: whatever happens to it goes through the product's own moves, so its record can be verified.

ann and amir approve for finance, ben answers for the agent and approves too, dora audits, oscar operates. The rival is somebody else's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any
from uuid import UUID

import pytest

from approvals.deciding import voting
from approvals.models import Request
from approvals.publishing import publish
from console import clock, database
from console.database import crossing_tenants
from console.documents import Document, load
from console.documents.applying import Applied
from console.exact import Value
from console.identity import administration
from console.identity.members import member_actor
from console.identity.models import Agent, Member, Tenant, User
from console.ledger.actors import Actor, system
from runs import driving, intake
from runs.applying import apply
from runs.drafts import EffectDraft, RunDraft
from runs.models import Attempt, Effect, Run
from tests.cast import inside
from tests.cleaning import Cleaner
from tests.record import BOOKS, findings
from tests.snapshots import Kept

PASSWORD = "correct horse battery staple"
PEOPLE = {
    "ann": ("Ann Okafor", ["approver"], ["finance"]), "amir": ("Amir Saleh", ["approver"], ["finance"]),
    "ben": ("Ben Osei", ["approver"], ["finance"]), "dora": ("Dora Lindqvist", ["admin"], []), "oscar": ("Oscar Wren", ["operator"], []),
}  # fmt: skip
DEPENDENCY = """
apiVersion: counterfoil/v1
kind: Dependency
name: {name}
version: {version}
base_url: "{url}"
concurrency: {concurrency}
timeout_seconds: 30
"""
OPERATION = """
apiVersion: counterfoil/v1
kind: Operation
name: {name}
version: {version}
summary: "{summary}"
description: Does as it says.
consequential: false
access: {access}
dependency: {dependency}
target: "{target}"
arguments:
  type: object
  required: [to, amount]
  properties:
    to: {{type: string, maxLength: 64}}
    amount: {{type: string, format: decimal, exclusiveMinimum: "0"}}
    currency: {{type: string, default: EUR, enum: [EUR, USD]}}
key: {{scope: {scope}, retention_seconds: 2592000, equivalence: "same operation, target and arguments"}}
http:
  method: {method}
  url: "{{dependency.base_url}}/{path}"
  headers: {headers}
  {body}
  mark_before_send: {marks}
  attempt_timeout_seconds: {timeout}
  outcomes:
    - {{when: {{any: [{{path: status, op: eq, value: 207}}, {{path: body.status, op: eq, value: partial}}]}}, outcome: partial}}
    - {{when: {{path: status, op: in, value: [200, 201]}}, outcome: succeeded, result: {{receipt: "{{body.id}}"}}}}
    - {{when: {{path: status, op: eq, value: 202}}, outcome: accepted, operation_id: "{{body.operation}}"}}
    - {{when: {{path: status, op: in, value: [400, 422]}}, outcome: rejected, reason: "{{body.reason}}"}}
    - {{when: {{path: status, op: in, value: [401, 403]}}, outcome: denied}}
    - {{when: {{path: status, op: in, value: [429, 503]}}, outcome: overload}}
  status:
    method: GET
    url: "{{dependency.base_url}}/effects/{{effect.key}}"
    headers: {headers}
    attempt_timeout_seconds: {timeout}
    every_seconds: 5
    objective_seconds: 300
    absence_is_proof: false
    outcomes:
      - {{when: {{path: status, op: eq, value: 200}}, outcome: succeeded, result: {{receipt: "{{body.id}}"}}}}
      - {{when: {{path: status, op: eq, value: 202}}, outcome: pending}}
      - {{when: {{path: status, op: eq, value: 404}}, outcome: absent}}
      - {{when: {{path: status, op: eq, value: 422}}, outcome: rejected, reason: "{{body.reason}}"}}
retry: {{retryable: [{retryable}], non_retryable: [rejected, denied], attempts: 3, total_seconds: 120,
  backoff: {{base_seconds: {backoff}, factor: 2, max_seconds: 30}}}}
deadline_seconds: 3600
"""
RUN_TYPE = """
apiVersion: counterfoil/v1
kind: RunType
name: {name}
version: 1
description: A few things to do.
consequential: false
operations: {operations}
complete_with_unresolved: {lenient}
deadline_seconds: 7200
"""
MONEY = """
apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
description: Who may pay how much.
operations: [pay, wire]
rules:
  - {{name: unlucky, when: {{path: arguments.amount, op: eq, value: "13"}}, then: deny, reason: Never thirteen.}}
  - name: large
    when: {{path: arguments.amount, op: gt, value: "{large}"}}
    then: ask
    ask: {{groups: [finance], quorum: 2, decide_within_seconds: 1800, use_within_seconds: 900}}
  - name: middling
    when: {{path: arguments.amount, op: gt, value: "{middling}"}}
    then: ask
    ask: {{groups: [finance], quorum: 1, decide_within_seconds: 1800, use_within_seconds: {use}}}
  - {{name: small, then: {small}}}
otherwise: deny
"""
REST = """
{apiVersion: counterfoil/v1, kind: Policy, name: rest, version: 1, description: The rest is allowed.,
 operations: ["*"], rules: [], otherwise: allow}
"""
_keys = count(1)
_kept: "Kept[Shop]" = Kept()


def dependency(name: str, *, version: int = 1, concurrency: int = 64, url: str = "http://127.0.0.1:9") -> str:
    """Write the contract of a dependency."""
    return DEPENDENCY.format(name=name, version=version, concurrency=concurrency, url=url)


def operation(name: str, **given: Any) -> str:
    """Write the contract of an operation that pays, unless it is told to be otherwise."""
    reads = given.get("access") == "read"
    terms = {
        "version": 1, "summary": f"{name.capitalize()} {{amount}} {{currency}} to {{to}}", "access": "write", "dependency": "bank",
        "target": "payee:{to}", "scope": "run", "marks": "false", "timeout": "5", "retryable": "overload, not_sent", "backoff": "0.5",
        "headers": '{Authorization: "Bearer {secret.bank-token}"}', "method": "GET" if reads else "POST",
        "path": "orders/{to}" if reads else "effects", "body": "" if reads else 'body: {to: "{to}", amount: "{amount}"}',
    }  # fmt: skip
    return OPERATION.format(name=name, **(terms | given))


def money(
    version: int = 1, *, large: str = "1000", middling: str = "100", small: str = "allow", use: str = "900"
) -> str:
    """Write a version of the policy that governs payments."""
    return MONEY.format(version=version, large=large, middling=middling, small=small, use=use)


def run_type(name: str, operations: str = '"*"', *, lenient: str = "false") -> str:
    """Write the contract of a type of run."""
    return RUN_TYPE.format(name=name, operations=operations, lenient=lenient)


CONTRACTS = "\n---\n".join(
    [
        dependency("bank"), dependency("mill", concurrency=2), operation("pay"), operation("look", access="read"),
        operation("announce", scope="tenant"), operation("wire", marks="true"), operation("grind", dependency="mill"),
        operation("seal", headers='{Authorization: "Bearer {secret.shop-token}"}'), run_type("errand"), run_type("lenient", lenient="true"),
        run_type("narrow", "[look]"), operation("hurry", timeout="1.5"), money(), REST,
    ]
)  # fmt: skip


def draft(key: str, amount: str = "10", operation: str = "pay", *, to: str = "bob", **more: Any) -> EffectDraft:
    """Draft an effect."""
    return EffectDraft(key=key, operation=operation, arguments={"to": to, "amount": amount}, **more)


@dataclass
class Shop:
    """A tenant with its people, its agent and its contracts."""

    tenant: Tenant
    members: dict[str, Member]
    agent: Agent
    opened_at: int = 0  # the length of its record then
    verified: bool = True

    @property
    def bot(self) -> Actor:
        """The agent as an actor."""
        return Actor("agent", self.agent.pk, self.agent.name, self.tenant.pk, "api")

    @property
    def office(self) -> Actor:
        """Whoever administers."""
        return Actor("system", None, "test", self.tenant.pk, "test")

    def was_administered(self) -> bool:
        """Tell whether anything was done to its people, its agent or its contracts since it was opened."""
        with inside():
            return Tenant.objects.get(pk=self.tenant.pk).ledger_seq != self.opened_at

    def actor(self, name: str, via: str = "page") -> Actor:
        """A member as an actor."""
        return member_actor(self.members[name], via)

    def proven(self, name: str, via: str = "page") -> Actor:
        """A member as an actor who has just proven who they are."""
        with inside():
            return replace(self.actor(name, via), stepped_up_at=clock.now())

    def apply(self, text: str) -> list[Applied]:
        """Put documents in force, as the command does."""
        with crossing_tenants():
            return [self._apply(document) for document in load(text)]

    def _apply(self, document: Document) -> Applied:
        return publish(self.office, document) if document.kind == "Policy" else apply(self.office, document)

    def accept(self, *effects: EffectDraft, key: str | None = None, run_type: str = "errand", **fields: Any) -> UUID:
        """Accept a run and give its id."""
        return intake.accept(self.bot, [self.draft(*effects, key=key, run_type=run_type, **fields)])[0].run_id

    def draft(self, *effects: EffectDraft, key: str | None = None, run_type: str = "errand", **fields: Any) -> RunDraft:
        """Draft a run."""
        fields = {"goal": "Pay bob", **fields}
        return RunDraft(key=key or f"run-{next(_keys)}", run_type=run_type, effects=effects, **fields)

    def propose(self, run: UUID, *effects: EffectDraft, epoch: int = 1) -> list[UUID]:
        """Propose effects into a run and give their ids."""
        return [made.effect_id for made in intake.propose(self.bot, run, effects, epoch=epoch)]

    def run(self, run: UUID) -> Run:
        """Read a run anew."""
        with inside():
            return Run.objects.get(pk=run)

    def effect(self, run: UUID, key: str) -> Effect:
        """Read an effect anew, by its key."""
        with inside():
            return Effect.objects.select_related("request", "policy").get(run_id=run, key=key)

    def request(self, run: UUID, key: str) -> Request:
        """Read the request that the effect stands on."""
        found = self.effect(run, key).request
        assert found is not None
        return found

    def attempts(self, run: UUID, key: str) -> list[Attempt]:
        """Read an effect's attempts, in order."""
        with inside():
            return list(Attempt.objects.filter(effect__run_id=run, effect__key=key).order_by("number"))

    def state(self, run: UUID) -> str:
        """Give the state of a run."""
        return self.run(run).state

    def states(self, run: UUID) -> dict[str, str]:
        """Give the state of each effect of a run, by key."""
        with inside():
            return dict(Effect.objects.filter(run_id=run).order_by("number").values_list("key", "state"))

    def approve(
        self, request: Request, by: str = "ann", reason: str = "Fine.", key: str | None = None
    ) -> dict[str, Any]:
        """Approve what is shown."""
        return self._decide(voting.approve, request, by, reason, key)

    def deny(
        self, request: Request, by: str = "ann", reason: str = "Not this.", key: str | None = None
    ) -> dict[str, Any]:
        """Deny what is shown."""
        return self._decide(voting.deny, request, by, reason, key)

    def _decide(self, verdict: Any, request: Request, by: str, reason: str, key: str | None) -> dict[str, Any]:
        shown = request.subject_digest.hex()
        return verdict(self.actor(by), request.pk, shown_digest=shown, reason=reason, key=key or f"key-{next(_keys)}")

    def complete(
        self, run: UUID, result: Value = None, *, accepting: Sequence[UUID] = (), epoch: int = 1
    ) -> dict[str, Any]:
        """Complete a run as its driver."""
        return driving.complete(
            self.bot, run, epoch=epoch, result=result, accept_unresolved=list(accepting), key=f"key-{next(_keys)}"
        )

    def fail(self, run: UUID, reason: str = "It makes no sense any more.", *, epoch: int = 1) -> dict[str, Any]:
        """Give a run up as its driver."""
        return driving.fail(self.bot, run, epoch=epoch, reason=reason, key=f"key-{next(_keys)}")

    def withdraw(self, run: UUID, key: str, reason: str = "", *, epoch: int = 1) -> dict[str, Any]:
        """Withdraw an effect as the run's driver."""
        effect = self.effect(run, key)
        return driving.withdraw(self.bot, effect.pk, epoch=epoch, reason=reason, key=f"key-{next(_keys)}")

    def change(self, name: str, **changes: Any) -> None:
        """Change what a member may do."""
        member = self.members[name]
        terms: dict[str, Any] = {"roles": member.roles, "groups": member.groups, "active": member.active, **changes}
        with crossing_tenants():
            self.members[name] = administration.change_member(self.office, member.pk, **terms)


def open_shop(slug: str, contracts: str = CONTRACTS) -> Shop:
    """Open a shop: its people, its agent, its contracts."""
    with crossing_tenants():
        tenant = administration.open_tenant(system("test"), slug, slug.capitalize())
        by = Actor("system", None, "test", tenant.pk, "test")
        members = {}
        for name, (full_name, roles, groups) in PEOPLE.items():
            user = User.objects.create_user(f"{name}@{slug}.example", PASSWORD, name=full_name)
            members[name] = administration.add_member(by, user, roles, groups)
        agent = administration.add_agent(by, "errand-bot", members["ben"])
    opened = Shop(tenant, members, agent)
    refused = [applied for applied in opened.apply(contracts) if applied.faults]
    assert not refused, "\n".join(map(str, refused))
    with inside():
        opened.opened_at = Tenant.objects.get(pk=tenant.pk).ledger_seq
    return opened


@pytest.fixture
def shop(db: None, django_db_setup: Cleaner, one_role: None) -> Iterator[Shop]:
    """The shop that a test is about; whatever was done to it, its record holds afterwards (R-A2)."""
    opened = kept(django_db_setup, "shop")
    yield opened
    if opened.verified:
        assert findings(BOOKS if opened.was_administered() else BOOKS[1:]) == []


@pytest.fixture
def one_role(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process be a web server's again, whatever command ran in it, and after this test too."""
    monkeypatch.setattr(database, "_process_alias", "default")


@pytest.fixture
def rival(db: None, django_db_setup: Cleaner) -> Shop:
    """Somebody else's shop, with the same people's names."""
    return kept(django_db_setup, "rival")


def kept(cleaner: Cleaner, slug: str) -> Shop:
    """Open a shop, or put it back as it was when it was opened."""
    found = _kept.get(cleaner, slug, open_shop)
    return replace(found, members=dict(found.members))
