import django.contrib.postgres.fields
import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models

import console.fields
from console.schema import GIVE_WAY


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("identity", "0006_step_up_rights"),
        ("runs", "0012_compensation_found"),
    ]

    operations = [
        GIVE_WAY,
        migrations.CreateModel(
            name="Plan",
            fields=[
                ("ledger_seq", models.BigIntegerField(db_default=0, editable=False)),
                ("ledger_hash", console.fields.Digest(db_default=b"")),
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("cause", models.CharField(max_length=15)),
                ("reason", models.TextField(db_default="", default="")),
                ("state", models.CharField(max_length=10)),
                ("asked_by", models.CharField(max_length=255)),
                ("asked_at", models.DateTimeField()),
                ("ladder", models.TextField(db_default="", default="")),
                ("level", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("next_alert_at", models.DateTimeField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("decided_reason", models.TextField(db_default="", default="")),
                ("erased_at", models.DateTimeField(null=True)),
                (
                    "decided_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="runs.run"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WorkItem",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=10)),
                ("tries", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("operation", models.CharField(db_default="", default="", max_length=63)),
                ("arguments", models.TextField(db_default="", default="")),
                ("summary", models.TextField()),
                ("target", models.TextField(db_default="", default="")),
                ("need", models.CharField(max_length=10)),
                ("weight", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("state", models.CharField(max_length=10)),
                ("waits_for", models.CharField(db_default="", default="", max_length=15)),
                ("state_reason", models.TextField(db_default="", default="")),
                ("step", models.CharField(db_default="", default="", max_length=63)),
                (
                    "after",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), db_default=[], default=list, size=None
                    ),
                ),
                ("after_count", models.PositiveIntegerField(db_default=0, default=0)),
                (
                    "after_steps",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=63), db_default=[], default=list, size=None
                    ),
                ),
                (
                    "after_earlier",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=63), db_default=[], default=list, size=None
                    ),
                ),
                ("authority", models.TextField(db_default="", default="")),
                ("deadline_at", models.DateTimeField(null=True)),
                ("expects", models.TextField(db_default="", default="")),
                ("difference", models.TextField(db_default="", default="")),
                ("residue", models.TextField(db_default="", default="")),
                ("left", models.TextField(db_default="", default="")),
                ("verification", models.TextField(db_default="", default="")),
                ("verified_by", models.CharField(db_default="", default="", max_length=10)),
                ("instructions", models.TextField(db_default="", default="")),
                ("checklist", models.TextField(db_default="", default="")),
                ("needs_second", models.BooleanField(db_default=False, default=False)),
                ("ladder", models.TextField(db_default="", default="")),
                ("level", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("escalated_at", models.DateTimeField(null=True)),
                ("owner_group", models.CharField(db_default="", default="", max_length=63)),
                ("owned_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("next_alert_at", models.DateTimeField(null=True)),
                (
                    "acting",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="runs.effect",
                    ),
                ),
                (
                    "effect",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="runs.effect",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="compensation.plan",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="runs.run"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EvidenceFile",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("name", models.CharField(max_length=255)),
                ("media_type", models.CharField(max_length=127)),
                ("size", models.PositiveIntegerField()),
                ("digest", console.fields.Digest()),
                ("content", models.BinaryField(null=True)),
                ("uploaded_at", models.DateTimeField()),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="compensation.plan",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="files", to="compensation.workitem"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Ending",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("ending", models.CharField(max_length=10)),
                ("evidence", models.TextField(db_default="", default="")),
                ("link", models.TextField(db_default="", default="")),
                ("reason", models.TextField(db_default="", default="")),
                ("authority", models.TextField(db_default="", default="")),
                ("left", models.TextField(db_default="", default="")),
                ("needs_second", models.BooleanField()),
                ("state", models.CharField(max_length=10)),
                ("proposed_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
                ("decided_reason", models.TextField(db_default="", default="")),
                (
                    "decided_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "proposed_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="compensation.plan",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="endings",
                        to="compensation.workitem",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="plan",
            index=models.Index(
                condition=models.Q(("state", "proposed")),
                fields=["tenant_id", "asked_at", "id"],
                name="compensation_plan_to_approve",
            ),
        ),
        migrations.AddIndex(
            model_name="plan",
            index=models.Index(
                condition=models.Q(("next_alert_at__isnull", False)),
                fields=["next_alert_at"],
                name="compensation_plan_alert",
            ),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="compensation_plan_number_once"),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "cause__in",
                        ("cancelled", "failed", "expired", "asked", "partial", "must_be_undone", "overran", "by_hand"),
                    )
                ),
                name="compensation_plan_cause_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("proposed", "in_force", "declined"))),
                name="compensation_plan_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "declined"), _negated=True),
                    models.Q(("decided_at__isnull", False), ("decided_by__isnull", False)),
                    _connector="OR",
                ),
                name="compensation_plan_declined_by_somebody",
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(
                    ("state__in", ["escalated", "failed", "planned", "running", "verifying", "waiting"])
                ),
                fields=["tenant_id", "deadline_at", "-weight", "id"],
                name="compensation_item_desk",
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(
                    ("state__in", ["escalated", "failed", "planned", "running", "verifying", "waiting"]),
                    models.Q(("state__in", ["escalated", "failed"]), ("waits_for", "person"), _connector="OR"),
                ),
                fields=["tenant_id", "deadline_at", "-weight", "id"],
                name="compensation_item_to_see_to",
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(
                    ("owner__isnull", False),
                    ("state__in", ["escalated", "failed", "planned", "running", "verifying", "waiting"]),
                ),
                fields=["tenant_id", "owner", "deadline_at", "-weight", "id"],
                name="compensation_item_by_owner",
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(
                    ("state__in", ["escalated", "failed", "planned", "running", "verifying", "waiting"])
                ),
                fields=["tenant_id", "owner_group", "deadline_at", "-weight", "id"],
                name="compensation_item_by_group",
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(
                    ("state__in", ["escalated", "failed", "planned", "running", "verifying", "waiting"])
                ),
                fields=["tenant_id", "operation", "deadline_at", "-weight", "id"],
                name="compensation_item_by_operation",
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(fields=["plan"], name="compensation_item_by_plan"),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(("acting__isnull", False)), fields=["acting"], name="compensation_item_acting"
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(("next_alert_at__isnull", False)),
                fields=["next_alert_at"],
                name="compensation_item_alert",
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(("state", "waiting"), ("waits_for__in", ["order", "reconciliation"])),
                fields=["run"],
                name="compensation_item_held_back",
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(("ended_at__isnull", False)),
                fields=["tenant_id", "ended_at"],
                name="compensation_item_lately",
            ),
        ),
        migrations.AddConstraint(
            model_name="workitem",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="compensation_item_number_once"),
        ),
        migrations.AddConstraint(
            model_name="workitem",
            constraint=models.UniqueConstraint(
                condition=models.Q(("effect__isnull", False), models.Q(("state", "dropped"), _negated=True)),
                fields=("effect",),
                name="compensation_one_item_an_effect",
            ),
        ),
        migrations.AddConstraint(
            model_name="workitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "state__in",
                        (
                            "planned",
                            "waiting",
                            "running",
                            "verifying",
                            "done",
                            "failed",
                            "escalated",
                            "resolved",
                            "waived",
                            "dropped",
                        ),
                    )
                ),
                name="compensation_item_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="workitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ("effect", "manual"))), name="compensation_item_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="workitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("need__in", ("required", "allowed"))), name="compensation_item_need_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="workitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("waits_for__in", ("", "plan", "order", "reconciliation", "approval", "person", "pause"))
                ),
                name="compensation_item_waits_for_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="workitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("ended_at", None),
                        ("state__in", ["escalated", "failed", "planned", "running", "verifying", "waiting"]),
                    ),
                    models.Q(("state__in", ["done", "dropped", "resolved", "waived"]), ("ended_at__isnull", False)),
                    _connector="OR",
                ),
                name="compensation_item_ended_has_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="evidencefile",
            index=models.Index(fields=["plan"], name="compensation_evidence_by_plan"),
        ),
        migrations.AddIndex(
            model_name="ending",
            index=models.Index(fields=["plan"], name="compensation_ending_by_plan"),
        ),
        migrations.AddConstraint(
            model_name="ending",
            constraint=models.UniqueConstraint(fields=("item", "number"), name="compensation_ending_number_once"),
        ),
        migrations.AddConstraint(
            model_name="ending",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "proposed")), fields=("item",), name="compensation_one_open_ending"
            ),
        ),
        migrations.AddConstraint(
            model_name="ending",
            constraint=models.CheckConstraint(
                condition=models.Q(("ending__in", ("resolve", "waive"))), name="compensation_ending_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="ending",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("proposed", "in_force", "declined", "withdrawn", "overtaken"))),
                name="compensation_ending_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="ending",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("decided_by", None),
                    models.Q(("decided_by", models.F("proposed_by")), _negated=True),
                    ("state", "withdrawn"),
                    _connector="OR",
                ),
                name="compensation_ending_by_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="ending",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("needs_second", True), ("state", "in_force"), _negated=True),
                    ("decided_by__isnull", False),
                    _connector="OR",
                ),
                name="compensation_ending_second_said_so",
            ),
        ),
        migrations.AddConstraint(
            model_name="ending",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ending", "resolve"), models.Q(("evidence", ""), _negated=True)),
                    models.Q(
                        ("ending", "waive"),
                        models.Q(("reason", ""), _negated=True),
                        models.Q(("authority", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="compensation_ending_has_grounds",
            ),
        ),
    ]
