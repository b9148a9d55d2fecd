"""Taking a message in: whoever signs it is heard, once for each id, and it is on record before anything follows from it."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.crashpoint import crashpoint
from console.http.refusals import BadRequest, Refusal
from console.identity.models import Tenant
from console.ledger.actors import Actor
from console.ledger.moves import move
from console.telemetry.counting import count
from runs.callbacks import naming
from runs.callbacks.applying import apply
from runs.callbacks.signing import Message, signature
from runs.models import Callback
from runs.states import CALLBACK_RECORDED

LONGEST_BODY = 65_536
ADDRESS = re.compile(r"[A-Za-z0-9_-]{1,63}")  # what a tenant's slug or an operation's name can look like
LEFT_TO_THE_CLOCK = timedelta(seconds=2)  # by then whoever recorded it has applied it, or is gone


class NotSigned(Refusal):
    """No such message is taken, or its signature is missing, wrong, or older than five minutes."""

    code = "not_signed"
    status = 401
    recorded = False


class MessageTooLarge(Refusal):
    """A signed message may have at most 65,536 bytes."""

    code = "message_too_large"
    status = 413
    recorded = False


class UnreadableMessage(BadRequest):
    """A signed message is text in UTF-8, without the NUL character."""

    code = "unreadable_message"


@dataclass(frozen=True, slots=True)
class Received:
    """A message that is on record; `again` when it was there already."""

    id: UUID
    again: bool


def receive(slug: str, operation_name: str, message: Message | None) -> Received:
    """Record a message and then apply it; what a crash leaves between the two is applied by the clock. Raises NotSigned, UnreadableMessage.

    Whether the tenant, the operation or the signature is wrong cannot be told from the refusal."""
    tenant_id, message = addressed(slug, [operation_name], message)
    by = Actor("system", None, "callback", tenant_id, "callback")
    taken = _record(by, operation_name, message)
    count("callbacks", state="again" if taken.again else CALLBACK_RECORDED)
    if not taken.again:
        crashpoint("callback.recorded_before_apply")
        apply(by, [taken.id])
    return taken


def addressed(slug: str, names: Sequence[str], message: Message | None) -> tuple[UUID, Message]:
    """Give the tenant that a message is for, and the message. Raises NotSigned, after as much work whatever is wrong."""
    well_formed = all(ADDRESS.fullmatch(part) for part in (slug, *names))
    tenant = Tenant.objects.filter(slug=slug).first() if well_formed and message is not None else None
    if tenant is None or message is None:
        if message is not None:
            signature("nobody's", message.id, message.stamp, message.body)
        raise NotSigned
    return tenant.pk, message


@move("record callback")
def _record(by: Actor, operation_name: str, message: Message) -> Received:
    """Write a message down, if it is signed and was not there already."""
    now = clock.now()
    names = _signers(by.tenant, operation_name, message, now)
    try:
        text = message.body.decode()
    except UnicodeDecodeError:
        raise UnreadableMessage from None
    if "\x00" in text:
        raise UnreadableMessage
    new = Callback(
        id=uuid7(), tenant_id=by.tenant, operation_name=operation_name, message_id=message.id, signed_at=message.signed_at,
        received_at=now, body=text, body_digest=hashlib.sha256(message.body).digest(), secrets=names, state=CALLBACK_RECORDED,
        next_try_at=now + LEFT_TO_THE_CLOCK,
    )  # fmt: skip
    Callback.objects.bulk_create([new], ignore_conflicts=True)
    kept = Callback.objects.get(tenant_id=by.tenant, operation_name=operation_name, message_id=message.id)
    return Received(kept.pk, again=kept.pk != new.pk)


def _signers(tenant_id: UUID, operation_name: str, message: Message, now: datetime) -> list[str]:
    """Give the names of the contracts' secrets that signed the message. Raises NotSigned."""
    names = sorted({rule.secret for rule in naming.versions(tenant_id, operation_name).values()})
    signed = [name for name in names if message.is_signed_by(naming.secrets(name))]
    if not signed or not message.is_fresh(now):
        raise NotSigned
    return signed
