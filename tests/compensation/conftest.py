"""The cast of these tests is a shop whose contracts say how to make good for what was done."""

import pytest

from tests.compensation.undoing import with_undoing
from tests.shop import Shop, one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]


@pytest.fixture
def store(shop: Shop) -> Shop:
    """The shop, with what can be made good for."""
    return with_undoing(shop)
