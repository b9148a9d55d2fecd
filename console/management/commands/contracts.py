"""`manage.py contracts apply PATH --tenant NAME`: put contracts and policies in force from files."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.database import cross_tenants_in_this_process
from console.documents import BadYAML, Document, load
from console.documents.applying import NEW, REFUSED, UNCHANGED
from console.identity.models import Tenant
from console.ledger.actors import Actor
from runs.applying import apply_all


class Command(BaseCommand):
    """Apply a file or a folder of YAML documents, each new, unchanged, or refused and why."""

    help = "Apply a file or a folder of contracts and policies to a tenant."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        applying = actions.add_parser("apply", help="put the documents in force")
        applying.add_argument("path", type=Path, help="a YAML file, or a folder of them")
        applying.add_argument("--tenant", required=True, help="the tenant's short name")

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            known = ", ".join(Tenant.objects.order_by("slug").values_list("slug", flat=True)[:20])
            raise CommandError(f"There is no tenant with the short name {options['tenant']}. There are: {known}.")
        by = Actor(kind="system", id=None, name="command", tenant_id=tenant.pk, via="command")
        outcomes: dict[str, int] = {NEW: 0, UNCHANGED: 0, REFUSED: 0}
        for applied in apply_all(by, read(options["path"])):
            outcomes[applied.outcome] += 1
            self.stdout.write(str(applied))
        self.stdout.write(", ".join(f"{count} {outcome}" for outcome, count in outcomes.items()))
        if outcomes[REFUSED]:
            raise CommandError("Some documents were refused; the others are in force.")


def read(path: Path) -> list[Document]:
    """Read every document of a file, or of a folder's .yaml and .yml files in the order of their names. Raises CommandError."""
    files = sorted(file for file in path.rglob("*") if file.suffix in {".yaml", ".yml"}) if path.is_dir() else [path]
    documents: list[Document] = []
    for file in files:
        try:
            documents += load(file.read_text(encoding="utf-8"))
        except (BadYAML, OSError, UnicodeDecodeError) as fault:
            raise CommandError(f"{file}: {fault}") from fault
    if not documents:
        raise CommandError(f"{path} holds no documents.")
    return documents
