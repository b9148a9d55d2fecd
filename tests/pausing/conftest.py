"""The cast of these tests is a shop with real contracts, and its rival. oscar operates, dora administers."""

from tests.shop import one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]
