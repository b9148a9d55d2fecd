"""The cast of these tests is a shop with real contracts, and its rival. Their agents keep their state in checkpoints."""

from tests.shop import one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]
