"""What every test may ask for: a database (mark `django_db`, or the fixture `db`) on which it commits for real."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker

from console import database
from console.local import postgres, room, valkey
from console.local.keys import keys
from console.local.place import Place
from tests import databases
from tests.cleaning import Cleaner
from tests.processes import free_port

# Machines are shared and noisy: how long an example takes says nothing of whether it holds. In CI examples are the same every time, so that
# who changed nothing sees nothing new; elsewhere each run looks for others.
settings.register_profile(
    "patient",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("patient")


def pytest_configure() -> None:
    """Hear Ctrl-C, and let the processes that tests start hear it, where a shell that started us in the background had us all ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cleaner]:
    """This process's own database, a copy of the migrated template; in place of pytest-django's."""
    with databases.ready(), Cleaner() as cleaner:
        yield cleaner


@pytest.fixture
def _django_db_helper(
    django_db_setup: Cleaner, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Open the database to a test and empty it afterwards: nothing is wrapped, every role commits for itself.

    A command that a test runs makes the worker role this process's own; the next test begins as the web server again.

    pytest-django's mark and fixtures (`db`, `transactional_db`) all come through here."""
    monkeypatch.setattr(database, "_process_alias", database._process_alias)
    with django_db_blocker.unblock():
        yield
        django_db_setup.clean()


@pytest.fixture(scope="session")
def other_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The superuser's URL of a second PostgreSQL, started apart from everything else, on a port of its own."""
    where = Place(tmp_path_factory.mktemp("other-postgres"), durable=False)
    with where.alone():
        known, cluster = keys(where), replace(postgres.cluster(where), port=free_port())
    postgres.create(cluster, known)
    server = postgres.serve(cluster)
    yield f"postgresql://{postgres.SUPERUSER}:{known.superuser}@127.0.0.1:{cluster.port}/postgres"
    postgres.stop(server)
    room.remove(where)


@pytest.fixture(scope="session")
def other_valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a second Valkey, which a test may flush, stop or kill."""
    where = Place(tmp_path_factory.mktemp("other-valkey"))
    with where.alone():
        known, bell = keys(where), valkey.server(where)
    server = valkey.serve(bell, known)
    yield f"unix://:{known.valkey}@{bell.socket}"
    valkey.stop(server)
    room.remove(where)
