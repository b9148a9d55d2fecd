"""The cast of these tests is a shop with real contracts, its rival, and one story that is told once and then forged in many ways."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.cleaning import Cleaner
from tests.ledger.story import TABLES, Story, tell, unchecked
from tests.record import forger
from tests.shop import kept, one_role, rival, shop

__all__ = ["one_role", "rival", "shop"]


@pytest.fixture(scope="module")
def unguarded(story: Story) -> Iterator[None]:
    """The tables of the record without their CHECK constraints, for as long as a module forges them."""
    tables = [table.model._meta.db_table for table in TABLES.values()]
    with forger() as hand, ExitStack() as off:
        for table in (*tables, "ledger_entry", "ledger_payload"):
            off.enter_context(unchecked(hand, table))
        yield


@pytest.fixture(scope="module")
def story(django_db_setup: Cleaner, django_db_blocker: DjangoDbBlocker) -> Iterator[Story]:
    """A shop in which nearly everything has happened; whoever alters it puts it back."""
    with django_db_blocker.unblock():
        yield tell(kept(django_db_setup, "shop"))
        django_db_setup.clean()
