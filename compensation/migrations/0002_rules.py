from django.db import migrations

from console.schema import GIVE_WAY, fence_by_tenant, grant, install

TABLES = ["compensation_plan", "compensation_workitem", "compensation_ending", "compensation_evidencefile"]


class Migration(migrations.Migration):
    dependencies = [("compensation", "0001_first")]
    operations = [
        GIVE_WAY,
        grant(TABLES, "select, insert, update"),
        fence_by_tenant(TABLES),
        *install(
            "compensation/sql/guard_plan.sql",
            "compensation/sql/guard_item.sql",
            "compensation/sql/guard_ending.sql",
            "compensation/sql/record.sql",
        ),
    ]
