from django.db import migrations, models

from console.schema import AddIndexWhileServing, AddUniqueWhileServing, validate


class Migration(migrations.Migration):
    """What takes its time on notices_delivery, while it is read and written."""

    atomic = False
    dependencies = [("notices", "0003_channels")]
    operations = [
        validate("notices_delivery", "notices_channel_known"),
        validate("notices_delivery", "notices_one_receiver"),
        validate("notices_delivery", "notices_due_while_waiting"),
        AddUniqueWhileServing(
            model_name="delivery",
            constraint=models.UniqueConstraint(
                condition=models.Q(("via__isnull", False)),
                fields=("notice", "via"),
                name="notices_one_delivery_a_channel",
            ),
        ),
        AddIndexWhileServing(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("via__isnull", False)),
                fields=["via", "-created_at", "-id"],
                name="notices_delivery_of_channel",
            ),
        ),
        AddIndexWhileServing(
            model_name="delivery",
            index=models.Index(condition=models.Q(("state", "held")), fields=["due_at"], name="notices_held_due"),
        ),
        AddIndexWhileServing(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("state", "held")), fields=["member", "via"], name="notices_held_for"
            ),
        ),
        AddIndexWhileServing(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("gathered_in__isnull", False)), fields=["gathered_in"], name="notices_gathered_in"
            ),
        ),
    ]
