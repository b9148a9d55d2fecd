from django.db import migrations

from console.schema import fence_by_tenant, grant, install, let_workers_call

TABLES = ["approvals_policy", "approvals_coverage", "approvals_request", "approvals_decision"]


class Migration(migrations.Migration):
    dependencies = [("approvals", "0001_first"), ("ledger", "0003_rules"), ("identity", "0002_rights")]
    operations = [
        *install(
            "approvals/sql/guard_request.sql",
            "approvals/sql/record.sql",
            "approvals/sql/immutable.sql",
            "approvals/sql/use.sql",
            "approvals/sql/erase.sql",
        ),
        grant(["approvals_policy", "approvals_request"], "select, insert, update"),
        grant(["approvals_coverage"]),
        grant(["approvals_decision"], "select, insert"),
        let_workers_call("approvals_erase_reasons(uuid[])"),
        fence_by_tenant(TABLES),
    ]
