"""What a driver sends to be kept."""

from dataclasses import dataclass, field
from typing import Final

from console.exact import Object, Value, canonical

JSON: Final = "application/json"
PLAIN: Final = "text/plain; charset=utf-8"
VERSIONS: Final = ("model", "prompt", "policy", "context", "interface", "workflow", "code")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointDraft:
    """`content` is the agent's state, None without one; `artifacts` are [{"name", "reference", "digest", "media_type", "bytes"}, …]."""

    schema_version: int | None = None
    versions: Object = field(default_factory=dict)
    content: bytes | None = None
    media_type: str = ""
    artifacts: list[Object] = field(default_factory=list)
    note: str = ""
    boundary: str = "driver"


def of_value(state: Value, **others: object) -> CheckpointDraft:
    """Draft a checkpoint whose state is a JSON value."""
    return CheckpointDraft(content=canonical(state).encode(), media_type=JSON, **others)  # type: ignore[arg-type]


def of_text(text: str, **others: object) -> CheckpointDraft:
    """Draft a checkpoint whose state is a text, such as a run's state that a library serialized."""
    return CheckpointDraft(content=text.encode(), media_type=PLAIN, **others)  # type: ignore[arg-type]
