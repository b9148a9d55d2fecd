"""Keeping and reading checkpoints as a driver does."""

from itertools import count
from typing import Any
from uuid import UUID

from console.exact import Value
from runs.checkpoints import draft, reading, writing
from runs.checkpoints.draft import CheckpointDraft
from runs.models import Checkpoint
from tests.cast import inside
from tests.shop import Shop

CONTRACT = """
apiVersion: counterfoil/v1
kind: RunType
name: kept
version: 1
description: A few things to do, kept for a while.
consequential: false
operations: "*"
checkpoint: {{schema_version: 1, boundaries: [after_effect], max_lost_progress: One step., {terms}}}
"""
_keys = count()


def keep(
    shop: Shop, run: UUID, state: Value = None, *, text: str | None = None, epoch: int = 1, key: str = "",
    version: int | None = None, **fields: Any,
) -> dict[str, Any]:  # fmt: skip
    """Write a checkpoint with this state, with this text, or with neither."""
    if text is not None:
        drafted = draft.of_text(text, **fields)
    else:
        drafted = (
            CheckpointDraft(**fields) if state is None else draft.of_value(state, **{"schema_version": 1, **fields})
        )
    return writing.keep(shop.bot, run, epoch=epoch, draft=drafted, key=key or f"keep-{next(_keys)}", version=version)


def checkpoint(run: UUID, number: int = 1) -> Checkpoint:
    """Read a checkpoint anew."""
    with inside():
        return reading.numbered(run, number)


def kept_by(terms: str) -> str:
    """Write the contract of a run type, `kept`, with these terms for its checkpoints."""
    return CONTRACT.format(terms=terms)
