from django.db import migrations

from console.schema import grant


class Migration(migrations.Migration):
    dependencies = [
        ("identity", "0001_first"),
        ("sessions", "0001_initial"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [
        grant(
            ["identity_user", "identity_tenant", "identity_member", "identity_agent", "identity_apikey"],
            "select, insert, update",
        ),
        grant(["django_session", "account_emailaddress", "account_emailconfirmation"]),
        grant(
            ["django_content_type", "auth_permission", "auth_group", "django_migrations", "django_admin_log"], "select"
        ),
    ]
