"""What every test may ask for: a database (mark `django_db`, or the fixture `db`) on which it commits for real."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests import databases
from tests.cleaning import Cleaner


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cleaner]:
    """This process's own database, a copy of the migrated template; in place of pytest-django's."""
    with databases.ready(), Cleaner() as cleaner:
        yield cleaner


@pytest.fixture
def _django_db_helper(django_db_setup: Cleaner, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Open the database to a test and empty it afterwards: nothing is wrapped, every role commits for itself.

    pytest-django's mark and fixtures (`db`, `transactional_db`) all come through here."""
    with django_db_blocker.unblock():
        yield
        django_db_setup.clean()
