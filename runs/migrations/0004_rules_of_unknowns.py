from django.db import migrations

from console.schema import GIVE_WAY, fence_by_tenant, grant, install

TABLES = ["runs_resolution", "runs_evidencefile", "runs_callback", "runs_pace"]


class Migration(migrations.Migration):
    dependencies = [("runs", "0003_unknowns"), ("approvals", "0002_rules"), ("ledger", "0003_rules")]
    operations = [
        GIVE_WAY,
        grant(TABLES, "select, insert, update"),
        fence_by_tenant(TABLES),
        # From here on tables are kept that are in use.
        *install(
            "runs/sql/guard_effect.sql",
            "runs/sql/guard_resolution.sql",
            "runs/sql/guard_callback.sql",
            "runs/sql/immutable_later.sql",
            "runs/sql/finish.sql",
            "runs/sql/pace.sql",
            "runs/sql/repeat.sql",
            "runs/sql/claim.sql",
            "runs/sql/settle.sql",
            "runs/sql/leases.sql",
            "runs/sql/follow.sql",
            "runs/sql/until_next.sql",
        ),
        # What is unknown, or done in part, already is looked at by the clock, which says when it is overdue and when it is to be told of.
        migrations.RunSQL(
            "update runs_effect set next_alert_at = cf_now() where state in ('unknown', 'partial')",
            migrations.RunSQL.noop,
        ),
    ]
