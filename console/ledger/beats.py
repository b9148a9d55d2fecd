"""Signs of life of processes that nobody calls: when the clock last passed."""

import socket
from dataclasses import dataclass
from datetime import datetime

from console.clock import DatabaseNow
from console.database import rows
from console.ledger.models import Beat

LONGEST = 40


def beat(*names: str) -> None:
    """Write that each of `names` has just done its work."""
    rows(
        "insert into ledger_beat (name, at) select name, cf_now() from unnest(%s::text[]) as name "
        "on conflict (name) do update set at = excluded.at returning name",
        [sorted(names)],
    )


def here(name: str) -> str:
    """Give the name under which this machine's or container's own process of that name beats."""
    return f"{name}@{socket.gethostname()}"[:LONGEST]


def forget(name: str, seconds: float) -> None:
    """Remove the beats of machines that have not been heard of for so long: containers come and go, each with a name of its own."""
    rows(
        "delete from ledger_beat where starts_with(name, %s) and at < cf_now() - make_interval(secs => %s) returning name",
        [f"{name}@", seconds],
    )


@dataclass(frozen=True, slots=True)
class Last:
    """The last sign of life: when, and how many seconds ago; neither where there was none."""

    at: datetime | None
    age_seconds: float | None


def last(name: str) -> Last:
    """Give the last sign of life of `name`."""
    found = Beat.objects.filter(name=name).annotate(now=DatabaseNow()).values_list("at", "now").first()
    return Last(None, None) if found is None else Last(found[0], (found[1] - found[0]).total_seconds())
