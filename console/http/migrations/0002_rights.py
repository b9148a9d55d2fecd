from django.db import migrations

from console.schema import fence_by_tenant, grant


class Migration(migrations.Migration):
    dependencies = [("http", "0001_first"), ("ledger", "0003_rules")]
    operations = [grant(["http_idempotencyrecord"]), fence_by_tenant(["http_idempotencyrecord"])]
