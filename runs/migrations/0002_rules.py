from django.db import migrations

from console.schema import fence_by_tenant, grant, install

TABLES = [
    "runs_dependency",
    "runs_operationcontract",
    "runs_runtypecontract",
    "runs_run",
    "runs_effect",
    "runs_attempt",
]


class Migration(migrations.Migration):
    dependencies = [("runs", "0001_first"), ("approvals", "0002_rules")]
    operations = [
        *install(
            "runs/sql/guard_run.sql",
            "runs/sql/guard_effect.sql",
            "runs/sql/guard_attempt.sql",
            "runs/sql/immutable.sql",
            "runs/sql/storage.sql",
            "runs/sql/record.sql",
            "runs/sql/finish.sql",
            "runs/sql/claim.sql",
            "runs/sql/settle.sql",
            "runs/sql/leases.sql",
            "runs/sql/follow.sql",
        ),
        grant(TABLES, "select, insert, update"),
        fence_by_tenant(TABLES),
    ]
