"""The cast of these tests is a shop with real contracts, and its rival."""

from tests.cast import acme, globex
from tests.shop import one_role, rival, shop

__all__ = ["acme", "globex", "one_role", "rival", "shop"]
