"""The cast of these tests is a shop whose policy lets finance and administrators break the glass, and its rival."""

from tests.shop import one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]
