"""An operation's contract as the engine reads it: its templates, conditions and schemas made ready once."""

from dataclasses import dataclass, field
from typing import Any

from console.exact import decode, digest
from console.exact.value import Object, Value
from runs.contracts.argument_schema import ArgumentRules, argument_rules
from runs.contracts.asking import Asking, asking
from runs.contracts.executors import Permit, PythonCall, permit, python_call
from runs.contracts.outcomes import MESSAGE, OutcomeTable, outcome_table
from runs.contracts.outcomes import ROOTS as ANSWER
from runs.contracts.partial import PartialRule, partial_rule
from runs.contracts.proof import Proof, proofs
from runs.contracts.rehearsal import Rehearsal, rehearsals
from runs.contracts.request import ROOTS, Exchange, exchange, secrets_in
from runs.contracts.retry import Retry, retry
from runs.contracts.stopping import EffectCancellation, effect_cancellation
from runs.contracts.templates import Template, template
from runs.contracts.undoing import Undoing, undoing

DAY = 86400
VERIFY_EVERY_SECONDS = 5
VERIFIED_WITHIN_SECONDS = 300


@dataclass(frozen=True, slots=True)
class KeyRule:
    """Where an effect key is unique, and how long it is kept after the effect ended."""

    scope: str = "run"
    retention_seconds: int = 30 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusQuery(Asking):
    """How to find out what became of a call by asking; spans in seconds."""

    exchange: Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack(Asking):
    """How to find out by reading what the call should have made, and what proves that it did; spans in seconds."""

    exchange: Exchange
    proof: tuple[Proof, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification(Asking):
    """How the world is read after an answer that says that it was done, until it shows it; spans in seconds."""

    exchange: Exchange


@dataclass(frozen=True, slots=True)
class CallbackRule:
    """How the other side tells by itself what became of a call: which secret signs, what names the effect, what it means."""

    secret: str
    effect_key: Template | None
    operation_id: Template | None
    objective_seconds: float
    outcomes: OutcomeTable


@dataclass(frozen=True, slots=True)
class TargetReader:
    """How the state of the target is read, where its version stands in the answer, and how old a reading may be."""

    exchange: Exchange
    version: Template
    max_age_seconds: int


@dataclass(frozen=True, slots=True)
class HttpCall:
    """The HTTP call of an operation, and the calls around it."""

    act: Exchange
    status: StatusQuery | None
    read: Exchange | None
    cancel: Exchange | None
    mark_before_send: bool
    read_back: ReadBack | None = None
    callback: CallbackRule | None = None
    reader: TargetReader | None = None

    def exchanges(self) -> list[Exchange]:
        """Give every request, the act first."""
        looks = [self.status.exchange if self.status else None, self.read_back.exchange if self.read_back else None]
        others = [*looks, self.read, self.cancel]
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
    may_be_superseded: bool = False
    second_person: bool = True
    reminders_seconds: tuple[int, ...] = ()
    escalate_after_seconds: int | None = None
    escalate_to: str = ""  # the group of escalation.to


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
    verify: Verification | None
    partial: PartialRule | None
    attempt_timeout_seconds: float
    retry: Retry
    deadline_seconds: int
    unknown: UnknownRule
    cancellation: EffectCancellation
    compensation: Undoing
    residue: tuple[str, ...]
    if_it_goes_wrong: str
    value: Object = field(repr=False)
    rehearsals: tuple[Rehearsal, ...] = field(repr=False, compare=False)

    @property
    def secrets(self) -> frozenset[str]:
        """The names of the secrets that its requests need."""
        others = frozenset(secrets_in(self.verify.exchange)) if self.verify else frozenset[str]()
        return (
            others
            | (self.http.secrets if self.http else frozenset())
            | (self.python.secrets if self.python else frozenset())
        )

    @property
    def reader(self) -> TargetReader | None:
        """How the target is read before it is approved and before it is acted on; None where nothing gives its version."""
        return self.http.reader if self.http else None

    @property
    def can_be_asked(self) -> bool:
        """Whether there is a status query."""
        return bool((self.http and self.http.status) or (self.python and self.python.status))

    @property
    def can_be_read_back(self) -> bool:
        """Whether there is something to read back, and a proof for it."""
        return bool(self.http and self.http.read_back)


def operation_document(document: Value) -> OperationDocument:
    """Read an operation's contract, valid and in normal form."""
    if not isinstance(document, dict):
        raise TypeError("a contract is a mapping")
    get: Any = document.get
    http = _http(get("http"), get("state_version"))
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
        verify=_verification(get("verify")),
        partial=partial_rule(get("partial")),
        attempt_timeout_seconds=float(acting.get("attempt_timeout_seconds", DAY)),
        retry=retry(get("retry")),
        deadline_seconds=int(get("deadline_seconds", DAY)),
        unknown=_unknown(document, has_status="status" in acting),
        cancellation=effect_cancellation(get("cancellation")),
        compensation=undoing(get("compensation"), consequential=document["consequential"]),
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


def _unknown(document: Object, *, has_status: bool) -> UnknownRule:
    """Read who owns an unknown outcome; what came after 0.1.0 may be absent, and then the default stands here."""
    second, escalate_to = document["consequential"], document.get("escalation", {}).get("to", "")
    section: Any = document.get("unknown")
    if section is None:
        resolve = "status" if has_status else "person"
        return UnknownRule(resolve=resolve, second_person=second, escalate_to=escalate_to)
    after: Any = section.get("escalate_after_seconds")
    return UnknownRule(
        owner=section["owner"],
        age_objective_seconds=int(section["age_objective_seconds"]),
        resolve=section["resolve"],
        resend_same_key=section["resend_same_key"],
        may_be_superseded=section.get("may_be_superseded", False),
        second_person=section.get("second_person", second),
        reminders_seconds=tuple(int(age) for age in section.get("reminders_seconds", ())),
        escalate_after_seconds=None if after is None else int(after),
        escalate_to=escalate_to,
    )


def _http(section: Object | None, state_version: Object | None) -> HttpCall | None:
    if section is None:
        return None
    read = exchange(section["read"]) if "read" in section else None
    return HttpCall(
        act=exchange(section),
        status=StatusQuery(exchange=exchange(section["status"]), **asking(section["status"]))
        if "status" in section
        else None,
        read=read,
        cancel=exchange(section["cancel"]) if "cancel" in section else None,
        mark_before_send=section["mark_before_send"],
        read_back=_read_back(section["read_back"]) if "read_back" in section else None,
        callback=_callback(section["callback"]) if "callback" in section else None,
        reader=_reader(section["read"], read, (state_version or {}).get("from")) if read else None,
    )


def _verification(section: Any) -> Verification | None:
    """Read how the effect is verified; how often and how long came after 0.1.0 and may be absent."""
    if not section:
        return None
    return Verification(
        exchange=exchange(section),
        absence_is_proof=False,
        every_seconds=float(section.get("every_seconds", VERIFY_EVERY_SECONDS)),
        objective_seconds=float(section.get("objective_seconds", VERIFIED_WITHIN_SECONDS)),
    )


def _reader(section: Object, read: Exchange, version: str | None) -> TargetReader | None:
    if not version:
        return None
    return TargetReader(read, template(version, ANSWER), int(section["max_age_seconds"]))


def _read_back(section: Object) -> ReadBack:
    return ReadBack(exchange=exchange(section), proof=proofs(section["proof"]), **asking(section))


def _callback(section: Object) -> CallbackRule:
    names = {
        name: template(section[name], MESSAGE) if name in section else None for name in ("effect_key", "operation_id")
    }
    table, seconds = outcome_table(section["outcomes"]), float(section["objective_seconds"])
    return CallbackRule(secret=section["secret"], objective_seconds=seconds, outcomes=table, **names)


def _if_it_goes_wrong(document: Object) -> str:
    """Say in one sentence what can be done afterwards."""
    compensation: Object = document.get("compensation", {})
    if document["irreversible"]:
        return compensation.get("why_none") or "It cannot be undone."
    if compensation.get("operation"):
        when = compensation.get("when")
        return f"It can be compensated by {compensation['operation']}" + (f": {when}" if when else ".")
    return compensation.get("why_none") or "Nobody has said what can be done about it afterwards."
