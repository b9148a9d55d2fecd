"""`manage.py verify`: prove that the record is whole, that rows are what their facts amount to, and that no promise was broken."""

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from approvals.fold import BOOK as REQUESTS
from approvals.fold import coverage_findings
from approvals.granting.fold import BOOK as GRANTS
from compensation.fold import BOOK as PLANS
from console.database import cross_tenants_in_this_process, rows
from console.ledger.verification import Finding, verify
from runs import invariants
from runs.administration_fold import BOOK as ADMINISTRATION
from runs.fold import BOOK as RUNS


class Command(BaseCommand):
    """Fold every stream and compare it with the recorded columns (R-A2), and ask what must hold of any history."""

    help = "Check every chain, fold every stream, ask what must hold of any history; names stream, entry and place of what does not."

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        whole = 0
        findings: list[Finding] = []
        for finding in chain(
            *(verify(book) for book in (ADMINISTRATION, REQUESTS, GRANTS, RUNS, PLANS)),
            coverage_findings(),
            invariants.broken(),
        ):
            if finding is None:
                whole += 1
            else:
                findings.append(finding)
                self.stdout.write(str(finding))
        erased = rows("select count(*) as n from ledger_payload where body is null")[0]["n"]
        self.stdout.write(f"{whole} streams are whole; {len(findings)} findings.")
        self.stdout.write(f"{erased} payloads were erased.")
        if findings:
            raise CommandError("The record does not hold.")
