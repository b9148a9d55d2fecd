"""Which signals may come to a run type from outside, whose secret signs them, and what a message is about."""

from uuid import UUID

from console.exact import BadJSON, Value, decode
from runs.callbacks.signing import ID, TIMESTAMP, Message
from runs.contracts.outcomes import said_in
from runs.contracts.run_type import read_run_type
from runs.contracts.signalling import SignalRule
from runs.contracts.templates import CannotFill
from runs.models import RunTypeContract

MOST_VERSIONS = 50  # the latest versions of a run type that are looked through


def rules(tenant_id: UUID, run_type: str, name: str) -> list[SignalRule]:
    """Give what the versions of a run type say of a signal, the latest first; those that know no such signal are left out.

    Runs go on under the version that they were accepted under, so that an earlier one still counts."""
    found = RunTypeContract.objects.filter(tenant_id=tenant_id, name=run_type, document__contains='"signals":')
    texts = found.order_by("-version").values_list("document", flat=True)[:MOST_VERSIONS]
    documents = [read_run_type(text) for text in texts]
    return [document.signals[name] for document in documents if name in document.signals]


def body_of(message: Message) -> Value:
    """Give what a message says: its JSON, or its text where it is none. Raises UnicodeDecodeError."""
    text = message.body.decode()
    try:
        return decode(text.encode())
    except BadJSON:
        return text


def correlation_of(rule: SignalRule, message: Message) -> str | None:
    """Say what a message is about; None where it does not hold what the contract names."""
    said = said_in({ID: message.id, TIMESTAMP: str(message.stamp)}, body_of(message))
    try:
        return rule.correlation.text(said)
    except CannotFill:
        return None
