"""The key that goes downstream, so that the other side can tell one intent from another."""

from uuid import UUID


def effect_key(effect_id: UUID) -> str:
    """Mint the key: ours, from the effect's id, the same for every attempt (R-E1)."""
    return f"cf-{effect_id}"
