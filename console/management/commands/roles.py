"""`manage.py roles`: make the three database roles, the database and their rights on a PostgreSQL of yours."""

from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError

from console import env
from console.roles import BadRoles, make, role


class Command(BaseCommand):
    """Make what is missing, and nothing twice."""

    help = (
        "Make the roles that the three URLs name, the database, and what each role may do there. Connects as DATABASE_ADMIN_URL "
        "(who may create roles and databases), or without it as DATABASE_OWNER_URL. Run again, it finds nothing to do."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        owner = role("owner", env.dsn("DATABASE_OWNER_URL"))
        app, worker = role("app", env.dsn("DATABASE_URL")), role("worker", env.dsn("DATABASE_WORKER_URL"))
        admin_url = env.dsn("DATABASE_ADMIN_URL") if env.given("DATABASE_ADMIN_URL") else None
        try:
            for line in make(owner, app, worker, admin_url):
                self.stdout.write(line)
        except (BadRoles, psycopg.Error) as fault:
            raise CommandError(f"{type(fault).__name__}: {fault}") from fault
