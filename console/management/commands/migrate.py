from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import migrate

from console.database import migrating


class Command(migrate.Command):
    """Django's own, as the owner role: the other two may not change the schema."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args: Any, **options: Any) -> None:
        with migrating():
            super().handle(*args, **options)
