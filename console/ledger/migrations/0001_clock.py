from django.db import migrations

from console.schema import install


class Migration(migrations.Migration):
    initial = True
    dependencies: list[tuple[str, str]] = []
    operations = install("console/ledger/sql/clock.sql")
