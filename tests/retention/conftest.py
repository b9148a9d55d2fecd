"""Retention is tested on the shop, in which nearly everything has happened."""

import pytest

from tests.ledger.story import Story, tell
from tests.shop import Shop, one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]


@pytest.fixture
def story(shop: Shop) -> Story:
    """Everything that can happen in a shop, told anew for each test, and all of it settled."""
    return tell(shop)
