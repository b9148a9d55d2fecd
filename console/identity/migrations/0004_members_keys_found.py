from django.db import migrations, models

from console.schema import AddIndexWhileServing, validate


class Migration(migrations.Migration):
    """What takes its time on identity_apikey, while it is read and written."""

    atomic = False
    dependencies = [("identity", "0003_members_keys")]
    operations = [
        validate("identity_apikey", "identity_key_has_one_holder"),
        validate("identity_apikey", "identity_key_has_its_holders_scopes"),
        AddIndexWhileServing(
            model_name="apikey",
            index=models.Index(
                condition=models.Q(("member__isnull", False)), fields=["member"], name="identity_key_of_member"
            ),
        ),
    ]
