from django.db import migrations

from console.schema import GIVE_WAY, install


class Migration(migrations.Migration):
    """An approval may cover making good for what it lets be done."""

    dependencies = [("approvals", "0006_one_standing_word")]
    operations = [GIVE_WAY, *install("approvals/sql/together.sql")]
