from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import OperationalError

from console.crashpoint import crashpoint
from console.database import migrating


class Command(migrate.Command):
    """Django's own, as the owner role: the other two may not change the schema."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def execute(self, *args: Any, **options: Any) -> Any:
        if options["database"] not in settings.DATABASES:
            raise CommandError(
                "DATABASE_OWNER_URL is not set: only the owner's role may change the schema. docs/settings.md says what it is."
            )
        return super().execute(*args, **options)

    def migration_progress_callback(self, action: str, *args: Any, **options: Any) -> None:
        super().migration_progress_callback(action, *args, **options)
        if action == "apply_success":
            crashpoint("migrate.mid")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with migrating():
                super().handle(*args, **options)
        except OperationalError as error:
            if not isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
                raise
            raise CommandError(
                "A table was in use for too long, and nobody was made to wait for this. Nothing of the step is there: run it again."
            ) from error
