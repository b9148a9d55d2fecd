"""An operation's contract as the engine reads it: its templates, conditions and schemas made ready once."""

from dataclasses import dataclass, field
from typing import Any

from console.exact import decode, digest
from console.exact.value import Object, Value
from runs.contracts.argument_schema import ArgumentRules, argument_rules
from runs.contracts.executors import Permit, PythonCall, permit, python_call
from runs.contracts.rehearsal import Rehearsal, rehearsals
from runs.contracts.request import ROOTS, Exchange, exchange, secrets_in
from runs.contracts.retry import Retry, retry
from runs.contracts.templates import Template, template

DAY = 86400


@dataclass(frozen=True, slots=True)
class KeyRule:
    """Where an effect key is unique, and how long it is kept after the effect ended."""

    scope: str = "run"
    retention_seconds: int = 30 * DAY


@dataclass(frozen=True, slots=True)
class StatusQuery:
    """How to find out what became of a call; spans in seconds."""

    exchange: Exchange
    absence_is_proof: bool
    every_seconds: float
    objective_seconds: float


@dataclass(frozen=True, slots=True)
class HttpCall:
    """The HTTP call of an operation, and the calls around it."""

    act: Exchange
    status: StatusQuery | None
    read: Exchange | None
    cancel: Exchange | None
    mark_before_send: bool

    def exchanges(self) -> list[Exchange]:
        """Give every request, the act first."""
        others = [self.status.exchange if self.status else None, self.read, self.cancel]
        return [self.act, *(each for each in others if each is not None)]

    @property
    def secrets(self) -> frozenset[str]:
        """The names of the secrets that its calls need."""
        return frozenset[str]().union(*map(secrets_in, self.exchanges()))


@dataclass(frozen=True, slots=True)
class UnknownRule:
    """Who owns an unknown outcome, and how it is found out."""

    owner: str = "operators"
    age_objective_seconds: int = 900
    resolve: str = "person"
    resend_same_key: bool = False


@dataclass(frozen=True, slots=True)
class OperationDocument:
    """A contract in normal form, read. What it leaves open has the careful default that stands here."""

    name: str
    version: int
    digest: bytes
    summary: Template
    description: str
    tier: str
    consequential: bool
    irreversible: bool
    required: bool
    access: str
    dependency: str | None
    executor: str
    target: Template | None
    arguments: ArgumentRules
    preconditions: list[Any]
    key: KeyRule
    http: HttpCall | None
    python: PythonCall | None
    permit: Permit | None
    verify: Exchange | None
    attempt_timeout_seconds: float
    retry: Retry
    deadline_seconds: int
    unknown: UnknownRule
    cancel_by: frozenset[str]
    residue: tuple[str, ...]
    if_it_goes_wrong: str
    value: Object = field(repr=False)
    rehearsals: tuple[Rehearsal, ...] = field(repr=False, compare=False)

    @property
    def secrets(self) -> frozenset[str]:
        """The names of the secrets that its requests need."""
        others = frozenset(secrets_in(self.verify)) if self.verify else frozenset[str]()
        return (
            others
            | (self.http.secrets if self.http else frozenset())
            | (self.python.secrets if self.python else frozenset())
        )

    @property
    def can_be_asked(self) -> bool:
        """Whether there is a status query."""
        return bool((self.http and self.http.status) or (self.python and self.python.status))


def operation_document(document: Value) -> OperationDocument:
    """Read an operation's contract, valid and in normal form."""
    if not isinstance(document, dict):
        raise TypeError("a contract is a mapping")
    get: Any = document.get
    http = _http(get("http"))
    acting: Object = get(document["executor"]) or {}
    return OperationDocument(
        name=document["name"],
        version=int(document["version"]),
        digest=digest(document),
        summary=template(document["summary"], ROOTS),
        description=document["description"],
        tier=document["tier"],
        consequential=document["consequential"],
        irreversible=document["irreversible"],
        required=document["required"],
        access=document["access"],
        dependency=document["dependency"],
        executor=document["executor"],
        target=None if document["target"] is None else template(document["target"], ROOTS),
        arguments=argument_rules(document["arguments"]),
        preconditions=get("preconditions", []),
        key=_key(get("key")),
        http=http,
        python=python_call(get("python")),
        permit=permit(get("agent") or get("human")),
        verify=exchange(document["verify"]) if document.get("verify") else None,
        attempt_timeout_seconds=float(acting.get("attempt_timeout_seconds", DAY)),
        retry=retry(get("retry")),
        deadline_seconds=int(get("deadline_seconds", DAY)),
        unknown=_unknown(get("unknown"), has_status="status" in acting),
        cancel_by=frozenset(get("cancellation", {}).get("who", ["driver", "operator", "admin"])),
        residue=tuple(get("compensation", {}).get("residue", ())),
        if_it_goes_wrong=_if_it_goes_wrong(document),
        value=document,
        rehearsals=rehearsals(http.exchanges() if http else []),
    )


def read_operation(text: str) -> OperationDocument:
    """Read an operation's contract from the canonical text that was stored."""
    return operation_document(decode(text, levels=128))


def _key(section: Object | None) -> KeyRule:
    return KeyRule() if section is None else KeyRule(section["scope"], int(section["retention_seconds"]))


def _unknown(section: Object | None, *, has_status: bool) -> UnknownRule:
    if section is None:
        return UnknownRule(resolve="status" if has_status else "person")
    return UnknownRule(
        owner=section["owner"],
        age_objective_seconds=int(section["age_objective_seconds"]),
        resolve=section["resolve"],
        resend_same_key=section["resend_same_key"],
    )


def _http(section: Object | None) -> HttpCall | None:
    if section is None:
        return None
    return HttpCall(
        act=exchange(section),
        status=_status(section["status"]) if "status" in section else None,
        read=exchange(section["read"]) if "read" in section else None,
        cancel=exchange(section["cancel"]) if "cancel" in section else None,
        mark_before_send=section["mark_before_send"],
    )


def _status(section: Object) -> StatusQuery:
    return StatusQuery(
        exchange=exchange(section),
        absence_is_proof=section["absence_is_proof"],
        every_seconds=float(section["every_seconds"]),
        objective_seconds=float(section["objective_seconds"]),
    )


def _if_it_goes_wrong(document: Object) -> str:
    """Say in one sentence what can be done afterwards."""
    compensation: Object = document.get("compensation", {})
    if document["irreversible"]:
        return compensation.get("why_none") or "It cannot be undone."
    if compensation.get("operation"):
        when = compensation.get("when")
        return f"It can be compensated by {compensation['operation']}" + (f": {when}" if when else ".")
    return compensation.get("why_none") or "Nobody has said what can be done about it afterwards."
