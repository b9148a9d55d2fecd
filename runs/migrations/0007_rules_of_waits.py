from django.db import migrations

from console.schema import GIVE_WAY, fence_by_tenant, grant, install

TABLES = [
    "runs_wait",
    "runs_signal",
    "runs_checkpoint",
    "runs_resumption",
    "runs_correction",
    "runs_cancellation",
    "runs_pause",
]


class Migration(migrations.Migration):
    dependencies = [("runs", "0006_waits")]
    operations = [
        GIVE_WAY,
        grant(TABLES, "select, insert, update"),
        fence_by_tenant(TABLES),
        *install(
            "runs/sql/guard_run.sql",
            "runs/sql/guard_wait.sql",
            "runs/sql/guard_signal.sql",
            "runs/sql/guard_cancellation.sql",
            "runs/sql/immutable_waits.sql",
            "runs/sql/parking.sql",
            "runs/sql/corrected.sql",
            "runs/sql/limits.sql",
            "runs/sql/repeat.sql",
            "runs/sql/waits.sql",
            "runs/sql/cancelling.sql",
            "runs/sql/dependencies_come.sql",
            "runs/sql/finish.sql",
            "runs/sql/claim.sql",
            "runs/sql/settle.sql",
            "runs/sql/leases.sql",
            "runs/sql/follow.sql",
            "runs/sql/until_next.sql",
        ),
    ]
