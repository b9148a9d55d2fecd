from django.db import migrations

from console.schema import fence_by_tenant, grant, install, let_workers_call

TABLES = ["ledger_entry", "ledger_payload", "ledger_refusal"]


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_record")]
    operations = [
        migrations.RunSQL("insert into ledger_incarnation (id, number) values (1, 0)", migrations.RunSQL.noop),
        *install(
            "console/ledger/sql/fence.sql",
            "console/ledger/sql/append.sql",
            "console/ledger/sql/erase.sql",
            "console/ledger/sql/append_only.sql",
            "console/ledger/sql/immutable.sql",
        ),
        grant(TABLES, "select, insert"),
        grant(["ledger_incarnation"], "select"),
        grant(["ledger_beat"], "select, insert, update, delete"),
        grant(["ledger_tally"], "select, insert, update"),
        let_workers_call(
            "ledger_erase(uuid, text[], bigint[], timestamptz)", "ledger_forget_refusals(uuid, timestamptz, int)"
        ),
        fence_by_tenant(TABLES),
    ]
