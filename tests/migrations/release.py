"""`make schema VERSION=0.1.0` (`python -m tests.migrations.release 0.1.0`): keep this state's schema, with rows in every table, as a file.

Done once for each released version, from the commit that is released. Every later state is tested to migrate from there."""

import argparse
import os
import re
import subprocess
from pathlib import Path

from console.local import postgres
from console.local.keys import keys
from console.local.postgres import SUPERUSER
from tests import databases

RELEASED = Path(__file__).parent / "released"
META = re.compile(r"^\\\w+.*\n", re.MULTILINE)  # psql's own commands, which nothing but psql reads


def dump(database: str) -> str:
    """Give a database as SQL: schema, rows as INSERTs, owners and rights."""
    with databases.PLACE.alone():
        cluster, known = postgres.cluster(databases.PLACE), keys(databases.PLACE)
    command = [
        str(cluster.programs / "pg_dump"), "--host", str(cluster.sockets), "--username", SUPERUSER, "--dbname", database,
        "--encoding", "UTF8", "--inserts", "--rows-per-insert", "100", "--no-comments",
    ]  # fmt: skip
    environment = {**cluster.environment, "PGPASSWORD": known.superuser, "PGTZ": "UTC"}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if told.returncode:
        raise SystemExit(told.stderr)
    return META.sub("", told.stdout)


def release(version: str, folder: Path, *, again: bool) -> Path:
    """Write the file of a version; one that is there is kept, for what was released does not change."""
    path = folder / f"{version}.sql"
    if path.exists() and not again:
        raise SystemExit(f"{path} is there already. What was released does not change; --again overwrites it.")
    with databases.ready():
        from tests.migrations.fill import fill

        fill()
        path.write_text(dump(databases.name()), encoding="utf-8")
    return path


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="the version that is released, as CHANGELOG.md names it")
    parser.add_argument("--folder", type=Path, default=RELEASED)
    parser.add_argument(
        "--again", action="store_true", help="overwrite the file, as long as the version is not released"
    )
    asked = parser.parse_args()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.settings", "LOG_LEVEL": "WARNING", "LOG_REQUESTS": "no"}
    import django
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    print(f"{release(asked.version, asked.folder, again=asked.again)} written.")


if __name__ == "__main__":
    main()
