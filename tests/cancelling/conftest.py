"""The cast of these tests is a shop with contracts that say how to cancel."""

import pytest

from tests.cancels import with_stops
from tests.shop import Shop, one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]


@pytest.fixture
def yard(shop: Shop) -> Shop:
    """The shop, with an operation that can be asked to stop and a run type with clean-up."""
    return with_stops(shop)
