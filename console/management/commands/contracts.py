"""`manage.py contracts apply PATH --tenant NAME`: put contracts and policies in force from files; `try` says what policies would change."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from approvals import policy_checks
from approvals.policy_document import policy_document
from approvals.trying import MOST_PENDING
from console.database import cross_tenants_in_this_process, transaction
from console.documents import BadYAML, Document, load
from console.documents.applying import NEW, REFUSED, UNCHANGED, Applied
from console.exact.visible import visible
from console.identity.models import Tenant
from console.ledger.actors import Actor
from runs.applying import apply_all
from runs.policies.trial import Trial, trial

LISTED = 50


class Command(BaseCommand):
    """Apply a file or a folder of YAML documents, each new, unchanged, or refused and why."""

    help = "Apply a file or a folder of contracts and policies to a tenant."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        applying = actions.add_parser("apply", help="put the documents in force")
        applying.add_argument("path", type=Path, help="a YAML file, or a folder of them")
        trying = actions.add_parser(
            "try", help="say what the policies would change for what is pending and past; write nothing"
        )
        trying.add_argument(
            "path", type=Path, help="a YAML file, or a folder of them; its policies are tried one by one"
        )
        for each in (applying, trying):
            each.add_argument("--tenant", required=True, help="the tenant's short name")

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            known = ", ".join(Tenant.objects.order_by("slug").values_list("slug", flat=True)[:20])
            raise CommandError(f"There is no tenant with the short name {options['tenant']}. There are: {known}.")
        if options["action"] == "try":
            self._try(tenant, read(options["path"]))
            return
        by = Actor(kind="system", id=None, name="command", tenant_id=tenant.pk, via="command")
        outcomes: dict[str, int] = {NEW: 0, UNCHANGED: 0, REFUSED: 0}
        for applied in apply_all(by, read(options["path"])):
            outcomes[applied.outcome] += 1
            self.stdout.write(str(applied))
        self.stdout.write(", ".join(f"{count} {outcome}" for outcome, count in outcomes.items()))
        if outcomes[REFUSED]:
            raise CommandError("Some documents were refused; the others are in force.")

    def _try(self, tenant: Tenant, documents: list[Document]) -> None:
        policies = [document for document in documents if document.kind == policy_checks.KIND]
        if not policies:
            raise CommandError("There is no policy in it; only policies can be tried.")
        wrong = 0
        for document in policies:
            faults = policy_checks.validate(document)
            wrong += bool(faults)
            self.stdout.write(str(Applied(document, REFUSED if faults else "tried", faults)))
            if not faults:
                with transaction(tenant.pk):
                    self._tell(trial(tenant.pk, policy_document(policy_checks.normalise(document).value)))
        if wrong:
            raise CommandError("Some policies would be refused.")

    def _tell(self, found: Trial) -> None:
        for count in (*found.pending_counts, *found.past_counts):
            self.stdout.write(f"          {count.says}")
        for outcome in found.changed(LISTED):
            self.stdout.write(
                f"          {outcome.change:9} {visible(outcome.tried.summary)} ({outcome.tried.kind} {outcome.tried.id})"
            )
        if not found.whole:
            self.stdout.write(f"          More than {MOST_PENDING:,} are pending; these are the first of them.")


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
