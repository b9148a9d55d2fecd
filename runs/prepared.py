"""An operation made ready in a worker's process, and what its workshops have in common."""

import time
from dataclasses import dataclass
from datetime import timedelta

from console import env
from console.exact import canonical
from runs.contracts.operation import OperationDocument
from runs.lines import Row
from runs.states import ACTS
from runs.wire import Answer


@dataclass(frozen=True, slots=True)
class Prepared:
    """An operation made ready in this process, with the secrets that it names."""

    document: OperationDocument
    secrets: dict[str, str]


class LeftToOthers(Exception):
    """This worker cannot do this; another may be able to."""


def prepared(document: OperationDocument) -> Prepared:
    """Make an operation ready."""
    return Prepared(document, {name: value for name in document.secrets if (value := env.secret(name))})


def time_for(row: Row, seconds: float, began: float) -> float:
    """Give how long an attempt may take: as its contract says, and for an act no longer than to the effect's deadline (R-D4).

    Time is the database's at the claim, plus what passed since `began`."""
    if row["kind"] not in ACTS:
        return seconds
    now = row["claimed_at"] + timedelta(seconds=time.monotonic() - began)
    return min(seconds, (row["deadline_at"] - now).total_seconds())


def unmade(outcome: str, why: str) -> Answer:
    """Give the answer to what was not even begun."""
    return Answer(outcome, None, False, None, why, None, None, canonical({"error": why}), 0.0)
