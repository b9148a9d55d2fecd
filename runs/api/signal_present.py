"""Signals as the API shows them."""

from console.clock import instant
from console.exact import Object, decode
from runs.models import Signal


def signal(signal: Signal) -> Object:
    """Show a signal; `wait` is read with it."""
    return {
        "id": str(signal.pk),
        "name": signal.name,
        "correlation": signal.correlation,
        "state": signal.state,
        "source": signal.source,
        "sender": signal.sender,
        "message_id": signal.message_id,
        "run": None if signal.run_id is None else str(signal.run_id),
        "wait": None if signal.wait_id is None else str(signal.wait_id),
        "wait_name": None if signal.wait is None else signal.wait.name,
        "note": signal.note or None,
        "received_at": instant(signal.received_at),
        "settled_at": instant(signal.settled_at),
        "expires_at": instant(signal.expires_at),
    }


def whole(one: Signal) -> Object:
    """Show a signal with what it says."""
    return {**signal(one), "body": None if one.body is None else decode(one.body.encode())}
