"""Signs of life of processes that nobody calls: when the clock last passed."""

from datetime import datetime

from console.clock import DatabaseNow
from console.database import rows
from console.ledger.models import Beat


def beat(name: str) -> None:
    """Write that `name` has just done its work."""
    rows(
        "insert into ledger_beat (name, at) values (%s, cf_now()) on conflict (name) do update set at = excluded.at returning name",
        [name],
    )


def ages() -> dict[str, float]:
    """Give each process's age of its last sign of life, in seconds."""
    found: list[tuple[str, datetime, datetime]] = list(
        Beat.objects.annotate(now=DatabaseNow()).values_list("name", "at", "now")
    )
    return {name: (now - at).total_seconds() for name, at, now in found}
