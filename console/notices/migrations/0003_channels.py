import django.contrib.postgres.fields
import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models

from console.schema import GIVE_WAY, at_once, fence_by_tenant, grant, install

DELIVERY = """
alter table notices_delivery
    drop constraint notices_channel_known,
    drop constraint notices_one_receiver,
    drop constraint notices_due_while_waiting,
    add column via_id uuid null constraint notices_delivery_via_id_99714ffa_fk_notices_channel_id
        references notices_channel (id) deferrable initially deferred,
    add column gathered_in_id uuid null constraint notices_delivery_gathered_in_id_8d6fe523_fk_notices_delivery_id
        references notices_delivery (id) deferrable initially deferred,
    add constraint notices_channel_known check (channel in ('email', 'webhook', 'channel')) not valid,
    add constraint notices_one_receiver check (num_nonnulls(member_id, endpoint_id, via_id) = 1) not valid,
    add constraint notices_due_while_waiting check (
        (state in ('waiting', 'held') and due_at is not null and ended_at is null)
        or (not (state in ('waiting', 'held')) and due_at is null and ended_at is not null and sender = '')
    ) not valid
"""
DELIVERY_WITHOUT = """
alter table notices_delivery
    drop constraint notices_channel_known,
    drop constraint notices_one_receiver,
    drop constraint notices_due_while_waiting,
    drop column via_id,
    drop column gathered_in_id,
    add constraint notices_channel_known check (channel in ('email', 'webhook')),
    add constraint notices_one_receiver check (num_nonnulls(member_id, endpoint_id) = 1),
    add constraint notices_due_while_waiting check (
        (state = 'waiting' and due_at is not null and ended_at is null)
        or (state <> 'waiting' and due_at is null and ended_at is not null and sender = '')
    )
"""


class Migration(migrations.Migration):
    dependencies = [("identity", "0006_step_up_rights"), ("notices", "0002_rules")]

    operations = [
        GIVE_WAY,
        migrations.CreateModel(
            name="Channel",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                (
                    "member",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                ("label", models.CharField(max_length=80)),
                ("scheme", models.CharField(max_length=30)),
                ("sealed_url", models.TextField()),
                (
                    "kinds",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), db_default=[], default=list, size=None
                    ),
                ),
                (
                    "tiers",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=10), db_default=[], default=list, size=None
                    ),
                ),
                ("active", models.BooleanField(db_default=True, default=True)),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["tenant_id", "created_at", "id"], name="notices_channel_of_tenant")],
            },
        ),
        migrations.RenameModel(old_name="MailSwitch", new_name="Wishes"),
        migrations.AddField(
            model_name="wishes",
            name="kinds_off",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40), db_default=[], default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="wishes",
            name="digest_minutes",
            field=models.PositiveSmallIntegerField(db_default=15, default=15),
        ),
        migrations.AddField(model_name="wishes", name="quiet_from", field=models.TimeField(null=True)),
        migrations.AddField(model_name="wishes", name="quiet_until", field=models.TimeField(null=True)),
        migrations.AddField(
            model_name="wishes",
            name="time_zone",
            field=models.CharField(db_default="UTC", default="UTC", max_length=60),
        ),
        migrations.AddConstraint(
            model_name="wishes",
            constraint=models.CheckConstraint(
                condition=models.Q(("digest_minutes__lte", 1440)), name="notices_digest_within_a_day"
            ),
        ),
        migrations.AddConstraint(
            model_name="wishes",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("quiet_from", None), ("quiet_until", None)),
                    models.Q(("quiet_from__isnull", False), ("quiet_until__isnull", False)),
                    _connector="OR",
                ),
                name="notices_quiet_from_and_until",
            ),
        ),
        migrations.AddField(model_name="copy", name="because", field=models.TextField(db_default="", default="")),
        migrations.AddField(model_name="notice", name="deadline_at", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="notice", name="state", field=models.CharField(db_default="", default="", max_length=20)
        ),
        migrations.AddField(
            model_name="notice", name="tier", field=models.CharField(db_default="", default="", max_length=10)
        ),
        migrations.AddField(model_name="notice", name="topic", field=models.TextField(db_default="", default="")),
        grant(["notices_channel"], "select, insert, update"),
        fence_by_tenant(["notices_channel"]),
        at_once(
            DELIVERY,
            DELIVERY_WITHOUT,
            [
                migrations.RemoveConstraint(model_name="delivery", name="notices_channel_known"),
                migrations.RemoveConstraint(model_name="delivery", name="notices_one_receiver"),
                migrations.RemoveConstraint(model_name="delivery", name="notices_due_while_waiting"),
                migrations.AddField(
                    model_name="delivery",
                    name="via",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="notices.channel",
                    ),
                ),
                migrations.AddField(
                    model_name="delivery",
                    name="gathered_in",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="notices.delivery",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="delivery",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("channel__in", ["email", "webhook", "channel"])),
                        name="notices_channel_known",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="delivery",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("endpoint", None), ("member__isnull", False), ("via", None)),
                            models.Q(("endpoint__isnull", False), ("member", None), ("via", None)),
                            models.Q(("endpoint", None), ("member", None), ("via__isnull", False)),
                            _connector="OR",
                        ),
                        name="notices_one_receiver",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="delivery",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("due_at__isnull", False), ("ended_at", None), ("state__in", ("waiting", "held"))),
                            models.Q(
                                models.Q(("state__in", ("waiting", "held")), _negated=True),
                                ("due_at", None),
                                ("ended_at__isnull", False),
                                ("sender", ""),
                            ),
                            _connector="OR",
                        ),
                        name="notices_due_while_waiting",
                    ),
                ),
            ],
        ),
        *install("console/notices/sql/guard_delivery.sql"),
    ]
