"""What users say while a run is under way, in the words of tests."""

from itertools import count
from typing import Any
from uuid import UUID

from runs.corrections import acknowledging, making
from runs.models import Correction
from tests.cast import inside
from tests.shop import Shop

_keys = count(1)
SAID = "message 14 of the chat"


def correct(
    shop: Shop, run: UUID, text: str = "Not so much.", *, name: str = "", key: str | None = None, source: str = SAID, **contradicts: Any
) -> dict[str, Any]:  # fmt: skip
    """Correct a run: the agent does on the user's word, or the member who is named."""
    by = shop.actor(name) if name else shop.bot
    return making.correct(
        by, run, text=text, contradicts=contradicts or None, source=source, key=key or f"correction-{next(_keys)}"
    )


def acknowledge(shop: Shop, run: UUID, number: int = 1, *, name: str = "", epoch: int = 1) -> dict[str, Any]:
    """Say that the corrections up to this number are taken into account."""
    by = shop.actor(name) if name else shop.bot
    return acknowledging.acknowledge(
        by, run, epoch=None if name else epoch, number=number, key=f"acknowledge-{next(_keys)}"
    )


def corrections(run: UUID) -> list[Correction]:
    """Give a run's corrections, in their order."""
    with inside():
        return list(Correction.objects.filter(run_id=run).order_by("number"))
