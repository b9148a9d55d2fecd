"""`manage.py verify`: prove that the record is whole and that rows are what their facts amount to."""

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from approvals.fold import BOOK as REQUESTS
from approvals.fold import coverage_findings
from console.database import cross_tenants_in_this_process, rows
from console.ledger.verification import Finding, verify
from runs.administration_fold import BOOK as ADMINISTRATION
from runs.fold import BOOK as RUNS


class Command(BaseCommand):
    """Fold every stream and compare it with the recorded columns (R-A2)."""

    help = "Check every chain and fold every stream; names stream, entry and column of whatever does not hold."

    def handle(self, *args: Any, **options: Any) -> None:
        cross_tenants_in_this_process()
        whole = 0
        findings: list[Finding] = []
        for finding in chain(verify(ADMINISTRATION), verify(REQUESTS), verify(RUNS), coverage_findings()):
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
