"""Taking a signal in, by each of its three ways: it is on record, once, before anything follows from it."""

import hashlib
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.crashpoint import crashpoint
from console.database import transaction
from console.exact import canonical
from console.http.refusals import InvalidContent, NotFound
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from console.telemetry.counting import count
from runs.callbacks import naming as secrets_of
from runs.callbacks.receiving import NotSigned, Received, UnreadableMessage, addressed
from runs.callbacks.signing import Message, signature
from runs.contracts.signalling import KEEP_SECONDS, SignalRule
from runs.models import Run, Signal
from runs.signals import matching, naming, settling
from runs.signals.drafts import SignalDraft
from runs.signals.matching import Subject
from runs.states import SIGNAL_RECORDED

LARGEST_BODY: Final = 65_536
LONGEST_NAME: Final = 63
LONGEST_CORRELATION: Final = 255


class SignalTooLarge(InvalidContent):
    """The body of a signal has at most 65,536 bytes."""

    code = "signal_too_large"


class NoCorrelation(InvalidContent):
    """The message does not hold what the contract names as its correlation, or it is empty or longer than 255 characters."""

    code = "no_correlation"


def send(by: Actor, draft: SignalDraft, *, key: str) -> tuple[Signal, bool]:
    """Record an agent's signal and settle it; gives it as it is then, and whether it is new. Raises SignalTooLarge."""
    return _sent(by, draft, key, None)


def send_to(by: Actor, run_id: UUID, draft: SignalDraft, *, key: str) -> tuple[Signal, bool]:
    """Record an agent's signal to a run, which is about the run's id, and settle it. Raises NotFound, SignalTooLarge."""
    return _sent(by, draft, key, run_id)


def _sent(by: Actor, draft: SignalDraft, key: str, run_id: UUID | None) -> tuple[Signal, bool]:
    receipt = _record(by, draft, key, run_id)
    signal_id, is_new = UUID(receipt["signal"]), "replayed" not in receipt
    if is_new:
        return _settled_anew(by, signal_id, Subject(by.tenant, draft.name, draft.correlation)), is_new
    return _settled(by, signal_id), is_new


@move("record signal")
def _record(by: Actor, draft: SignalDraft, key: str, run_id: UUID | None) -> dict[str, Any]:
    if run_id is not None and not Run.objects.filter(pk=run_id, tenant_id=by.tenant).exists():
        raise NotFound
    return once(by, key, "signal", {**draft.intent()}, lambda: _made(by, draft, key), about=run_id)


def _made(by: Actor, draft: SignalDraft, key: str) -> dict[str, Any]:
    text = canonical(draft.body)
    if len(text.encode()) > LARGEST_BODY:
        raise SignalTooLarge(path="/body")
    seconds = KEEP_SECONDS if draft.keep_seconds is None else draft.keep_seconds
    subject = Subject(by.tenant, draft.name, draft.correlation)
    matching.lock([subject])
    made = _written(subject, by.kind, str(by), key, text, seconds)
    return {"signal": str(made.pk), "at": instant(made.received_at)}


def receive(slug: str, run_type: str, name: str, message: Message | None) -> Received:
    """Record a signed message as a signal and settle it. Raises NotSigned, UnreadableMessage, NoCorrelation.

    Whether the tenant, the run type, the name or the signature is wrong cannot be told from the refusal."""
    tenant_id, message = addressed(slug, [run_type, name], message)
    by = Actor("system", None, "signal", tenant_id, "signal")
    taken = _heard(by, run_type, name, message)
    _settled(by, taken.id)
    return taken


@move("record signal")
def _heard(by: Actor, run_type: str, name: str, message: Message) -> Received:
    """Write a message down, if it is signed and was not there already."""
    rule = _signed(by.tenant, run_type, name, message, clock.now())
    try:
        text = canonical(naming.body_of(message))
    except UnicodeDecodeError:
        raise UnreadableMessage from None
    if b"\x00" in message.body or "\\u0000" in text:
        raise UnreadableMessage
    correlation = naming.correlation_of(rule, message)
    if not correlation or len(correlation) > LONGEST_CORRELATION:
        raise NoCorrelation
    sender = f"webhook:{run_type}"
    known = Signal.objects.filter(tenant_id=by.tenant, sender=sender, name=name, message_id=message.id)
    subject = Subject(by.tenant, name, correlation)
    matching.lock([subject])
    before = known.values_list("pk", flat=True).first()
    if before is not None:
        count("signals", state="again")
        return Received(before, again=True)
    made = _written(subject, "webhook", sender, message.id, text, rule.keep_seconds)
    kept = known.values_list("pk", flat=True).get()
    return Received(kept, again=kept != made.pk)


def _written(subject: Subject, source: str, sender: str, message_id: str, text: str, keep_seconds: int) -> Signal:
    """Write a signal down, under its subject's lock: whoever settles others waits for it, so that they go by their times."""
    now = clock.now()
    made = Signal(
        id=uuid7(), tenant_id=subject.tenant_id, name=subject.name, correlation=subject.correlation, source=source, sender=sender,
        message_id=message_id, body=text, body_digest=hashlib.sha256(text.encode()).digest(), received_at=now, state=SIGNAL_RECORDED,
        expires_at=now + timedelta(seconds=keep_seconds),
    )  # fmt: skip
    Signal.objects.bulk_create([made], ignore_conflicts=True)
    count("signals", state=SIGNAL_RECORDED)
    return made


def _settled(by: Actor, signal_id: UUID) -> Signal:
    """Settle a signal that is on record, unless that was done before; gives it as it is then."""
    signal = _read(by, signal_id)
    return _settled_anew(by, signal_id, matching.subject_of(signal)) if signal.state == SIGNAL_RECORDED else signal


def _settled_anew(by: Actor, signal_id: UUID, subject: Subject) -> Signal:
    """Settle a signal that was only recorded; gives it as it is then."""
    crashpoint("signal.recorded_before_apply")
    settling.settle(by, subject)
    return _read(by, signal_id)


def _read(by: Actor, signal_id: UUID) -> Signal:
    with transaction(by.tenant_id):
        return Signal.objects.select_related("run", "wait").get(pk=signal_id, tenant_id=by.tenant)


def _signed(tenant_id: UUID, run_type: str, name: str, message: Message, now: datetime) -> SignalRule:
    """Give the latest rule whose secret signed the message. Raises NotSigned."""
    found = naming.rules(tenant_id, run_type, name)
    for rule in found:
        if message.is_signed_by(secrets_of.secrets(rule.secret)) and message.is_fresh(now):
            return rule
    if not found:
        signature("nobody's", message.id, message.stamp, message.body)
    raise NotSigned
