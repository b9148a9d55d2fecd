"""Reading checkpoints back: the last one, one by number, and what the agent kept in it, which is compared with its digest first."""

import hashlib
from uuid import UUID

from console.exact import BadJSON, Value, decode
from console.http.refusals import NotFound
from runs.checkpoints import sealing
from runs.models import Checkpoint, Run

JSON = "application/json"


class Corrupted(Exception):
    """What was kept is not what was written: it is damaged, cut off, or sealed with a key that is not there. Nothing is guessed."""


class Gone(Exception):
    """The state was let go: a later checkpoint replaced it, or it was erased."""


def latest(run: Run) -> Checkpoint | None:
    """Give the run's last checkpoint, None before its first."""
    return Checkpoint.objects.filter(run_id=run.pk).order_by("-number").first()


def listed(run_id: UUID, before: int | None, limit: int) -> list[Checkpoint]:
    """Give the checkpoints of a run from the newest on, or from before a number, without what they hold."""
    found = Checkpoint.objects.filter(run_id=run_id).defer("state", "authoritative")
    return list((found if before is None else found.filter(number__lt=before)).order_by("-number")[:limit])


def numbered(run_id: UUID, number: int) -> Checkpoint:
    """Give one checkpoint of a run. Raises NotFound."""
    found = Checkpoint.objects.filter(run_id=run_id, number=number).first()
    if found is None:
        raise NotFound
    return found


def opened(checkpoint: Checkpoint) -> bytes:
    """Give the state as it was written; b"" where none was. Raises Corrupted, Gone."""
    if checkpoint.state_digest is None:
        return b""
    if checkpoint.state is None:
        raise Gone
    try:
        content = sealing.unseal(bytes(checkpoint.state))
    except sealing.Unreadable:
        raise Corrupted("The state cannot be opened: it is damaged or cut off, or its key is missing.") from None
    if hashlib.sha256(content).digest() != checkpoint.state_digest or len(content) != checkpoint.state_size:
        raise Corrupted("The state is not the one whose digest was recorded.")
    return content


def fault(checkpoint: Checkpoint) -> str | None:
    """Say what is wrong with a state that is kept, None where nothing is; of one whose key is not here nothing can be said."""
    if checkpoint.state_digest is None:
        return None if checkpoint.state is None else "a state is there, and none was written"
    if checkpoint.state is None:
        return None if checkpoint.dropped_at else "the state is gone, and nothing says that it was let go"
    if checkpoint.dropped_at:
        return "the state is there, and was let go"
    if checkpoint.sealed_with not in sealing.names():
        return None
    try:
        opened(checkpoint)
    except Corrupted as fault:
        return str(fault)
    return None


def value(checkpoint: Checkpoint) -> Value:
    """Give the state as the agent sent it: any JSON value, a text, or None where there is none. Raises Corrupted, Gone."""
    content = opened(checkpoint)
    if checkpoint.state_digest is None:
        return None
    try:
        return decode(content, levels=128) if checkpoint.media_type == JSON else content.decode()
    except (BadJSON, UnicodeDecodeError):
        raise Corrupted("The state cannot be read.") from None


def said(checkpoint: Checkpoint) -> Value:
    """Give the authoritative part, compared with its digest; None once it was erased. Raises Corrupted."""
    text = checkpoint.authoritative
    if text is None:
        return None
    if hashlib.sha256(text.encode()).digest() != checkpoint.authoritative_digest:
        raise Corrupted("The authoritative part is not the one whose digest was recorded.")
    return decode(text.encode(), levels=128)
