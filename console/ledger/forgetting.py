"""Forgetting refusals: they stand beside the record, and what is forgotten of them is told in it."""

from datetime import datetime, timedelta
from typing import Final

from console.database import rows

YOUNGEST: Final = timedelta(days=30)  # the database keeps what is younger, whoever asks
FORGET = "select ledger_forget_refusals(%s, %s, %s) as gone"


def forget(tenant_id: object, before: datetime, limit: int) -> int:
    """Forget a tenant's oldest refusals before an instant, at most so many; gives how many."""
    return int(rows(FORGET, [tenant_id, before, limit])[0]["gone"])
