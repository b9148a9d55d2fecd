"""A throw-away copy of the tree, with services and databases of its own, in which mistakes are made and tests run."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from console.env import BASE_DIR
from console.local import place, postgres, roles, room, services
from console.local.keys import keys

LEFT_OUT = shutil.ignore_patterns(".git", ".data", ".venv", "__pycache__", "*.pyc", ".*_cache", ".hypothesis")
FAILED = re.compile(
    r"^FAILED (.+?)(?: - .*)?$", re.MULTILINE
)  # and not ERROR: what could not even be set up proves nothing


@dataclass(frozen=True, slots=True)
class Result:
    """How a run of tests ended: green, red (a test failed) or broken (it could not be judged), with the end of what it said."""

    ended: str
    said: str

    @property
    def first(self) -> str:
        """Name the first test that failed."""
        found = FAILED.search(self.said)
        return found[1] if found else ""


class Copy:
    """The copy; `.venv` in it is a link to the real one."""

    def __init__(self, root: Path, where: place.Place) -> None:
        self.root, self.where, self.base = root, where, ""
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("COUNTERFOIL_TEST_")
        }
        self.environment |= {"COUNTERFOIL_TEST_DATA": str(where.data), "PYTHONDONTWRITEBYTECODE": "1"}

    def migrate(self) -> None:
        """Have the database migrated once, before a mistake is made that the migrations would install."""
        if not self.base:
            self.base = self._told("d.migrated(); print(d.digest())")

    def install(self, file: str) -> None:
        """Have a migrated database in which a changed file of SQL was installed over the one that was there, as a migration installs it.

        Migrating anew for each mistake would take most of the time, and lead to the same functions."""
        changed, base = f"template_{self._told('print(d.digest())')}", f"template_{self.base}"
        with self._superuser("postgres") as server:
            server.execute(
                sql.SQL("create database {} template {}").format(sql.Identifier(changed), sql.Identifier(base))
            )
        with self._superuser(changed) as inside:
            inside.execute((self.root / file).read_bytes())

    def _told(self, code: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", f"import tests.databases as d; {code}"],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def _superuser(self, database: str) -> AbstractContextManager[psycopg.Connection]:
        with self.where.alone():
            cluster, known = postgres.cluster(self.where), keys(self.where)
        return roles.as_superuser(cluster, known, database)

    def run(self, tests: Sequence[str]) -> Result:
        """Run tests until the first that fails."""
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-rfE", "--tb=line", *tests],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        said = done.stdout[-4000:] + done.stderr[-1000:]
        if done.returncode == 0:
            return Result("green", said)
        return Result("red" if done.returncode == 1 and FAILED.search(said) else "broken", said)


@contextmanager
def copied() -> Iterator[Copy]:
    """Have a copy, and a PostgreSQL and a Valkey for it that run as long as it is there."""
    with tempfile.TemporaryDirectory(prefix="counterfoil-mutants-") as folder:
        root, data = Path(folder) / "tree", Path(folder) / "data"
        shutil.copytree(BASE_DIR, root, ignore=LEFT_OUT, symlinks=True)
        (root / ".venv").symlink_to(BASE_DIR / ".venv")
        where = place.Place(data, "test", durable=False)
        try:
            with services.held(where):
                yield Copy(root, where)
            services.wait_until_unused(where)
        finally:
            services.stop(where)
            with where.alone():
                room.remove(where)
