from django.db import migrations, models

from console.schema import AddIndexWhileServing


class Migration(migrations.Migration):
    """What takes its time on runs_effect, while it is read and written."""

    atomic = False
    dependencies = [("runs", "0009_grants")]
    operations = [
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("ended_at__isnull", False), ("holds_unit", True)),
                fields=["ended_at"],
                name="runs_effect_unit_due",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("grant__isnull", False)), fields=["grant"], name="runs_effect_by_grant"
            ),
        ),
    ]
