"""`manage.py prepare`: what `make up` needs in the database, in one process, for starting Django thrice takes longer."""

from io import StringIO
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Migrate, make the demo tenant, apply the example contracts to it; say how to sign in."""

    help = "Migrate, make the demo tenant with the example contracts, and say how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stderr.write("Database: migrating …")
        call_command("migrate", verbosity=0)
        self.stderr.write("Demo tenant …")
        sign_in = StringIO()
        call_command("demo", stdout=sign_in)
        self.stderr.write("Contracts: applying the examples …")
        call_command("contracts", "apply", "examples/contracts", "--tenant", "demo", stdout=self.stderr)
        self.stdout.write(sign_in.getvalue())
