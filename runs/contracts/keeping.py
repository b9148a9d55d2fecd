"""When checkpoints of runs of a type are written, how large they may be, and how long what agents put into them is kept."""

from dataclasses import dataclass
from typing import Any, Final

MEBIBYTE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class CheckpointRule:
    """The agent's schema version (None: not said), the boundaries that have one, and the bounds of size, number and age."""

    schema_version: int | None = None
    boundaries: frozenset[str] = frozenset()
    max_bytes: int = MEBIBYTE
    keep: int = 20
    keep_seconds: int | None = None


def checkpoint_rule(section: Any) -> CheckpointRule:
    """Read the section `checkpoint` of a run type; what came after 0.1.0 may be absent, and then the default stands here."""
    if section is None:
        return CheckpointRule()
    age = section.get("keep_seconds")
    return CheckpointRule(
        schema_version=int(section["schema_version"]),
        boundaries=frozenset(section["boundaries"]),
        max_bytes=int(section.get("max_bytes", MEBIBYTE)),
        keep=int(section.get("keep", 20)),
        keep_seconds=None if age is None else int(age),
    )
