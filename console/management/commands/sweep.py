"""`manage.py sweep`: one pass of the clock by hand."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from console.database import cross_tenants_in_this_process
from runs.sweep import sweep


class Command(BaseCommand):
    """Do what is due now, once."""

    help = "Do what is due now, once, and say how much each step found."

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        found = sweep()
        for name, count in found.items():
            self.stdout.write(f"{'failed' if count is None else count:>6}  {name}")
        if None in found.values():
            raise CommandError("Steps failed, as their log says; the others are done.")
