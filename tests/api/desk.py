"""The agents' side of the desk: callers with keys, and the contracts that their runs use. Every answer is held against openapi.json."""

import json
import re
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import uuid4

from django.test import Client
from jsonschema import Draft202012Validator

from console import clock
from console.exact import canonical, decode, digest
from console.identity import administration
from console.identity.models import Agent
from console.identity.scopes import MEMBERS
from console.ledger.actors import Actor
from console.openapi import document
from runs.models import OperationContract, RunTypeContract
from tests.cast import Company, inside

BOTH = ["runs:read", "runs:write"]
OPERATIONS: dict[str, dict[str, Any]] = {
    "pay": {
        "summary": "Pay {amount} {currency} for order {order}",
        "target": "order:{order}",
        "arguments": {
            "type": "object",
            "required": ["order", "amount"],
            "additionalProperties": False,
            "properties": {
                "order": {"type": "string", "maxLength": 64},
                "amount": {"type": "string", "format": "decimal", "exclusiveMinimum": "0"},
                "currency": {"type": "string", "default": "EUR", "enum": ["EUR", "USD", "GBP"]},
            },
        },
    },
    "note": {
        "summary": "Write a note",
        "target": None,
        "arguments": {"type": "object", "additionalProperties": True, "properties": {}},
    },
    "announce": {
        "summary": "Announce it, once in the whole company",
        "target": "news:front",
        "key": {"scope": "tenant", "retention_seconds": 3600, "equivalence": "same operation, target and arguments"},
        "arguments": {"type": "object", "additionalProperties": True, "properties": {}},
    },
}


def contracts(company: Company) -> None:
    """Put the operations and a run type that may use them in force."""
    with inside(company.tenant.pk):
        common = {"tenant_id": company.tenant.pk, "version": 1, "applied_at": clock.now()}
        for name, given in OPERATIONS.items():
            contract = {
                "name": name, "version": 1, "description": "As it says.", "tier": "normal", "consequential": True, "irreversible": False,
                "required": True, "access": "write", "dependency": "bank", "executor": "http", **given,
            }  # fmt: skip
            OperationContract.objects.create(
                **common, name=name, document=canonical(contract), digest=digest(contract), access="write", dependency_name="bank",
                executor="http",
            )  # fmt: skip
        for name, lenient in (("errand", False), ("lenient-errand", True)):
            run_type = {
                "name": name, "version": 1, "description": "Something to do.", "consequential": True, "operations": "*",
                "complete_with_unresolved": lenient, "deadline_seconds": 3600,
            }  # fmt: skip
            RunTypeContract.objects.create(**common, name=name, document=canonical(run_type), digest=digest(run_type))


def key_for(
    company: Company,
    agent: Agent | None = None,
    *,
    scopes: list[str] | None = None,
    lasts: timedelta = timedelta(days=400),
) -> str:
    """Issue a key for the company's agent, or another, and give its text."""
    by = Actor("system", None, "test", company.tenant.pk, "test")
    _, text = administration.issue_key(
        by, agent or company.agent, lasts=lasts, scopes=BOTH if scopes is None else scopes
    )
    return text


def members_key(company: Company, name: str, *, scopes: list[str] | None = None) -> str:
    """Issue a key for a member, and give its text."""
    _, text = administration.issue_members_key(
        company.by, company.members[name], "a tool", lasts=timedelta(days=30), scopes=list(MEMBERS) if scopes is None else scopes
    )  # fmt: skip
    return text


@dataclass
class Answer:
    """What came back: the document is read exactly."""

    status: int
    headers: dict[str, str]
    raw: bytes
    document: Any = field(init=False)

    def __post_init__(self) -> None:
        self.document = decode(self.raw, 128) if self.raw else None

    def __getitem__(self, name: str) -> Any:
        return self.document[name]

    @property
    def code(self) -> str | None:
        """The code of a problem."""
        return None if self.status < 400 else self.document["code"]


@dataclass
class Caller:
    """Somebody who calls the API with a key, or without one."""

    bearer: str | None
    client: Client = field(default_factory=Client)

    def get(self, path: str, **headers: str) -> Answer:
        """GET an address below /api/v1/."""
        return self.call("GET", path, None, headers)

    def post(
        self, path: str, body: Any = None, *, key: str | None = "", token: int | str | None = None, **headers: str
    ) -> Answer:
        """POST a body (bytes go out as they are) with a fresh key, the given one, or None for none."""
        if key is not None:
            headers["Idempotency-Key"] = key or f"key-{uuid4()}"
        if token is not None:
            headers["Fencing-Token"] = str(token)
        return self.call("POST", path, body, headers)

    def call(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        """Call, and hold the answer against the description of the API."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.bearer is not None:
            given.setdefault("Authorization", f"Bearer {self.bearer}")
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        kind = given.pop("Content-Type", "application/json")
        response = self.client.generic(method, f"/api/v1/{path}", raw, kind, headers=given)
        answer = Answer(response.status_code, dict(response.headers), response.content)
        if method != "HEAD":
            conforms(method, path, answer)
        return answer

    def run(self, *effects: dict[str, Any], key: str = "", **fields: Any) -> Answer:
        """Make a run."""
        made = self.post(
            "runs", {"run_type": "errand", "goal": "Make it right", "effects": list(effects), **fields}, key=key
        )
        assert made.status in {200, 201}, made.document
        return made

    def propose(self, run: Answer, *, key: str = "", operation: str = "pay", **arguments: Any) -> Answer:
        """Propose an effect into a run."""
        if operation == "pay":
            arguments = {"order": "1042", "amount": "120.00", **arguments}
        body = {"operation": operation, "arguments": arguments, **({"target": "note:1"} if operation == "note" else {})}
        return self.post(f"runs/{run['id']}/effects", body, key=key, token=run["epoch"])


def pay(key: str, amount: str = "120.00", **more: Any) -> dict[str, Any]:
    """Give an effect that comes with its run."""
    return {"key": key, "operation": "pay", "arguments": {"order": "1042", "amount": amount}, **more}


def conforms(method: str, path: str, answer: Answer) -> None:
    """Hold an answer against what openapi.json says of it."""
    address = "/api/v1/" + path.partition("?")[0]
    found = next((item for pattern, item in addresses() if pattern.fullmatch(address)), None)
    operation = (found or {}).get(method.lower())
    media = answer.headers.get("Content-Type", "")
    if answer.status >= 400:
        assert media == "application/problem+json", (media, answer.raw[:200])
        schema: Any = {"$ref": "#/components/schemas/Problem"}
        if operation is not None and answer.status != 405:
            assert answer.document["code"] in operation["x-problems"], (method, address, answer.document["code"])
            assert str(answer.status) in operation["responses"], (method, address, answer.status)
    elif operation is None:
        return
    else:
        assert media == "application/json"
        schema = operation["responses"][str(answer.status)]["content"]["application/json"]["schema"]
    faults = list(
        Draft202012Validator({**schema, "components": described()["components"]}).iter_errors(json.loads(answer.raw))
    )
    assert not faults, (method, address, [fault.message for fault in faults[:3]])


@cache
def described() -> Any:
    """Give openapi.json."""
    return json.loads(document())


@cache
def addresses() -> list[tuple[re.Pattern[str], Any]]:
    """Give each address as a pattern with what is said of it."""
    return [
        (re.compile(re.sub(r"\{\w+\}", "[0-9a-f-]{36}", path)), item) for path, item in described()["paths"].items()
    ]
