"""`manage.py reseal`: seal agents' states anew with the first key, so that older keys can be taken away."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from console.database import cross_tenants_in_this_process
from runs.checkpoints import resealing, sealing
from runs.checkpoints.sealing import NoKeys


class Command(BaseCommand):
    """Reseal in small transactions; may be stopped, begun again, and run while everything else works."""

    help = "Seal agents' states that an older key sealed anew with the first of CHECKPOINT_KEYS; with --check only say how many there are."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="say by which keys states are sealed; change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        names = sealing.names()
        if not names:
            raise CommandError(NoKeys().detail + " Set CHECKPOINT_KEYS.")
        if not options["check"]:
            self.reseal()
        for name, count in resealing.sealed_with():
            place = (
                "the key that seals"
                if name == names[0]
                else "an older key"
                if name in names
                else "a key that is not here"
            )
            self.stdout.write(f"{count} states are sealed with {name}, {place}.")
        lost = [name for name, _ in resealing.sealed_with() if name not in names]
        if lost:
            raise CommandError(f"Missing from CHECKPOINT_KEYS: {', '.join(lost)}. What they sealed cannot be read.")

    def reseal(self) -> None:
        """Reseal until nothing is left that can be."""
        done, unreadable, after = 0, 0, None
        while (batch := resealing.reseal_some(after)) is not None:
            done, unreadable, after = done + batch.done, unreadable + batch.unreadable, batch.last
            self.stdout.write(f"{done} states are sealed anew.")
        if unreadable:
            raise CommandError(
                f"{unreadable} states cannot be opened: they are damaged. They stay as they are; `manage.py verify` names them."
            )
        self.stdout.write("Nothing is left to seal anew.")
