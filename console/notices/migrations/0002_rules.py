from django.db import migrations

from console.schema import GIVE_WAY, fence_by_tenant, grant, install

TABLES = ["notices_notice", "notices_copy", "notices_endpoint", "notices_delivery", "notices_mailswitch"]


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_first"), ("ledger", "0003_rules"), ("identity", "0002_rights")]
    operations = [
        GIVE_WAY,
        grant(TABLES, "select, insert, update"),
        fence_by_tenant(TABLES),
        *install("console/notices/sql/guard_delivery.sql"),
    ]
