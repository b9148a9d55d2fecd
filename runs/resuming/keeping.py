"""A checkpoint as a resume reads it: whole or not, opened, and brought to the schema that is wanted (R-H1, R-H4)."""

from console.exact import Value, decode
from runs.checkpoints import migrations, reading
from runs.checkpoints.authoritative import FORM, GROUPS
from runs.checkpoints.draft import JSON
from runs.checkpoints.migrations import Incompatible
from runs.checkpoints.reading import Corrupted, Gone
from runs.contracts.run_type import RunTypeDocument
from runs.models import Checkpoint
from runs.resuming.facts import Asked, Kept


def kept(contract: RunTypeDocument, checkpoint: Checkpoint, asked: Asked | None) -> Kept:
    """Read a checkpoint, its state in the schema that its reader wants. What is wrong with it is said, and nothing of it is used."""
    try:
        _check(reading.said(checkpoint))
        state = reading.value(checkpoint)
    except Gone:
        return Kept(checkpoint)
    except (Corrupted, Incompatible) as fault:
        return Kept(checkpoint, fault=str(fault))
    if checkpoint.state_digest is None:
        return Kept(checkpoint)
    wanted = (asked.schema_version if asked else None) or contract.schema_version
    if wanted is None:  # a preview: nobody has said yet which schema they read
        return _opened(checkpoint, state, checkpoint.schema_version)
    try:
        state, version = migrations.migrate(contract.name, checkpoint.schema_version, state, wanted)
    except Incompatible as fault:
        return Kept(checkpoint, has_state=True, fault=str(fault))
    return _opened(checkpoint, state, version)


def contradictions(checkpoint: Checkpoint | None) -> list[Value]:
    """Give what the agent's state said of effects that was not so when it was written."""
    found = decode(checkpoint.contradictions) if checkpoint is not None and checkpoint.contradictions else []
    return found if isinstance(found, list) else []


def _opened(checkpoint: Checkpoint, state: Value, version: int | None) -> Kept:
    before = checkpoint.schema_version
    is_text = checkpoint.media_type != JSON and isinstance(state, str)
    return Kept(
        checkpoint, value=None if is_text else state, text=str(state) if is_text else None, has_state=True, schema_version=version,
        migrated_from=before if before != version else None,
    )  # fmt: skip


def _check(said: Value) -> None:
    """Make sure that the part of it that is ours has all its sections. Raises Corrupted."""
    if said is None:
        raise Corrupted("Its authoritative part is erased.")
    effects = said.get("effects") if isinstance(said, dict) else None
    if not isinstance(said, dict) or said.get("form") != FORM or not isinstance(effects, dict):
        raise Corrupted("Its authoritative part is of a form that is not known here.")
    missing = [group for group in GROUPS if group not in effects]
    if missing:
        raise Corrupted(f"Its authoritative part lacks {', '.join(missing)}.")
