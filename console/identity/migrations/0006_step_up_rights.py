from django.db import migrations

from console.schema import GIVE_WAY, fence_by_tenant, grant


class Migration(migrations.Migration):
    dependencies = [("identity", "0005_step_up"), ("mfa", "0003_authenticator_type_uniq")]
    operations = [
        GIVE_WAY,
        # Factors belong to people and not to tenants: they are needed before it is known which tenant somebody comes to.
        grant(["identity_stepup", "identity_remembered", "mfa_authenticator"]),
        fence_by_tenant(["identity_stepup"]),
    ]
