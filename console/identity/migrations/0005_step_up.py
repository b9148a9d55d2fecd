import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models

import console.fields
from console.schema import GIVE_WAY, at_once

MEMBER = "alter table identity_member add column single_keys boolean not null default true"
MEMBER_WITHOUT = "alter table identity_member drop column single_keys"


class Migration(migrations.Migration):
    dependencies = [("identity", "0004_members_keys_found")]

    operations = [
        GIVE_WAY,
        migrations.CreateModel(
            name="StepUp",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("digest", console.fields.Digest(unique=True)),
                ("method", models.CharField(max_length=20)),
                ("at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                (
                    "member",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.tenant",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["member", "-at"], name="identity_step_up_newest")]},
        ),
        migrations.CreateModel(
            name="Remembered",
            fields=[
                ("key", models.CharField(max_length=255, primary_key=True, serialize=False)),
                ("value", models.TextField()),
                ("expires_at", models.DateTimeField()),
            ],
            options={"indexes": [models.Index(fields=["expires_at"], name="identity_remembered_until")]},
        ),
        at_once(
            MEMBER,
            MEMBER_WITHOUT,
            [
                migrations.AddField(
                    model_name="member",
                    name="single_keys",
                    field=models.BooleanField(db_default=True, default=True),
                )
            ],
        ),
    ]
