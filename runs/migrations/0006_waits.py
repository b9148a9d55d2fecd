import django.contrib.postgres.fields
import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models

import console.fields
from console.schema import GIVE_WAY, at_once

RUN = """
alter table runs_run
    add column parent_id uuid null constraint runs_run_parent_id_8c1c1a4e_fk_runs_run_id references runs_run (id) deferrable initially deferred,
    add column lease_holder varchar(255) not null default '',
    add column resume_due boolean not null default false,
    add column attention varchar(15) not null default '',
    add column attention_since timestamptz null,
    add column attention_reason text not null default '',
    add column versions text not null default '',
    add column limits text not null default '',
    add column used_tokens bigint not null default 0,
    add column used_cost numeric(20, 6) not null default 0,
    add column corrections_count integer not null default 0,
    add constraint runs_run_corrections_count_check check (corrections_count >= 0) not valid,
    add column corrections_seen integer not null default 0,
    add constraint runs_run_corrections_seen_check check (corrections_seen >= 0) not valid,
    add column lease_expires_at timestamptz null,
    add column watch_at timestamptz null,
    add column open_waits integer not null default 0,
    add constraint runs_run_open_waits_check check (open_waits >= 0) not valid,
    add column told_at timestamptz null
"""
RUN_WITHOUT = """
alter table runs_run
    drop column parent_id, drop column lease_holder, drop column resume_due, drop column attention, drop column attention_since,
    drop column attention_reason, drop column versions, drop column limits, drop column used_tokens, drop column used_cost,
    drop column corrections_count, drop column corrections_seen, drop column lease_expires_at, drop column watch_at,
    drop column open_waits, drop column told_at
"""
EFFECT = """
alter table runs_effect
    add column after_waits uuid[] not null default '{}',
    add column cleanup boolean not null default false,
    add column cancel_asked_at timestamptz null
"""
EFFECT_WITHOUT = "alter table runs_effect drop column after_waits, drop column cleanup, drop column cancel_asked_at"


class Migration(migrations.Migration):
    dependencies = [("identity", "0004_members_keys_found"), ("runs", "0005_unknowns_found")]

    operations = [
        GIVE_WAY,
        migrations.CreateModel(
            name="Cancellation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("scope", models.CharField(max_length=6)),
                ("mode", models.CharField(max_length=9)),
                ("reason", models.TextField()),
                ("asked_at", models.DateTimeField()),
                ("asked_by", models.CharField(max_length=255)),
                ("state", models.CharField(max_length=10)),
                ("grace_until", models.DateTimeField(null=True)),
                ("evidence", models.TextField(null=True)),
                ("proven_at", models.DateTimeField(null=True)),
                ("due_at", models.DateTimeField(null=True)),
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
                    "of",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="runs.cancellation",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cancellations",
                        to="runs.run",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("boundary", models.CharField(max_length=15)),
                ("epoch", models.BigIntegerField()),
                ("seq", models.BigIntegerField()),
                ("written_at", models.DateTimeField()),
                ("written_by", models.CharField(max_length=255)),
                ("schema_version", models.PositiveIntegerField(null=True)),
                ("versions", models.TextField(db_default="", default="")),
                ("authoritative", models.TextField(null=True)),
                ("authoritative_digest", console.fields.Digest()),
                ("state", models.BinaryField(null=True)),
                ("state_digest", console.fields.Digest(null=True)),
                ("state_size", models.PositiveIntegerField(db_default=0, default=0)),
                ("media_type", models.CharField(db_default="", default="", max_length=127)),
                ("artifacts", models.TextField(db_default="", default="")),
                ("note", models.TextField(db_default="", default="")),
                ("contradictions", models.TextField(db_default="", default="")),
                ("dropped_at", models.DateTimeField(null=True)),
                ("sealed_with", models.CharField(db_default="", default="", max_length=16)),
                ("drop_at", models.DateTimeField(null=True)),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checkpoints",
                        to="runs.run",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("made_at", models.DateTimeField()),
                ("made_by", models.CharField(max_length=255)),
                ("source", models.TextField(db_default="", default="")),
                ("text", models.TextField()),
                ("contradicts", models.TextField(db_default="", default="")),
                (
                    "invalidated",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), db_default=[], default=list, size=None
                    ),
                ),
                (
                    "under_way",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), db_default=[], default=list, size=None
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrections",
                        to="runs.run",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Pause",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("scope", models.CharField(max_length=10)),
                ("name", models.CharField(db_default="", default="", max_length=63)),
                ("emergency", models.BooleanField(db_default=False, default=False)),
                ("reason", models.TextField()),
                ("paused_at", models.DateTimeField()),
                ("lifted_at", models.DateTimeField(null=True)),
                ("lift_reason", models.TextField(db_default="", default="")),
                ("released_at", models.DateTimeField(null=True)),
                ("release_after", models.UUIDField(null=True)),
                (
                    "lifted_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "paused_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pauses",
                        to="runs.run",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Resumption",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("epoch", models.BigIntegerField()),
                ("resumed_at", models.DateTimeField()),
                ("resumed_by", models.CharField(max_length=255)),
                ("versions", models.TextField(db_default="", default="")),
                ("steps", models.TextField()),
                ("decision", models.CharField(max_length=12)),
                ("reason", models.TextField(db_default="", default="")),
                ("brief", models.TextField(null=True)),
                ("brief_digest", console.fields.Digest()),
                (
                    "checkpoint",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="runs.checkpoint",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="resumptions",
                        to="runs.run",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Wait",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=63)),
                ("kind", models.CharField(max_length=12)),
                ("condition", models.TextField()),
                ("subject_name", models.CharField(db_default="", default="", max_length=63)),
                ("correlation", models.CharField(db_default="", default="", max_length=255)),
                (
                    "subjects",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), db_default=[], default=list, size=None
                    ),
                ),
                ("due_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("on_expiry", models.CharField(max_length=10)),
                ("parks", models.BooleanField()),
                ("state", models.CharField(max_length=10)),
                ("opened_at", models.DateTimeField()),
                ("overdue_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("reason", models.TextField(db_default="", default="")),
                ("result", models.TextField(null=True)),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="waits", to="runs.run"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Signal",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("name", models.CharField(max_length=63)),
                ("correlation", models.CharField(max_length=255)),
                ("source", models.CharField(max_length=10)),
                ("sender", models.CharField(max_length=255)),
                ("message_id", models.CharField(max_length=255)),
                ("body", models.TextField(null=True)),
                ("body_digest", console.fields.Digest()),
                ("received_at", models.DateTimeField()),
                ("state", models.CharField(max_length=10)),
                ("note", models.TextField(db_default="", default="")),
                ("settled_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="runs.run",
                    ),
                ),
                (
                    "wait",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signals",
                        to="runs.wait",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="cancellation",
            index=models.Index(
                condition=models.Q(("state__in", ["requested", "resolving"])),
                fields=["tenant_id", "asked_at", "id"],
                name="runs_cancellation_open",
            ),
        ),
        migrations.AddIndex(
            model_name="cancellation",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="runs_cancellation_due"
            ),
        ),
        migrations.AddIndex(
            model_name="cancellation",
            index=models.Index(
                condition=models.Q(("effect__isnull", False)), fields=["effect"], name="runs_cancellation_by_effect"
            ),
        ),
        migrations.AddConstraint(
            model_name="cancellation",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="runs_cancellation_number_once"),
        ),
        migrations.AddConstraint(
            model_name="cancellation",
            constraint=models.CheckConstraint(
                condition=models.Q(("scope__in", ("effect", "run", "tree"))), name="runs_cancellation_scope_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="cancellation",
            constraint=models.CheckConstraint(
                condition=models.Q(("mode__in", ("graceful", "immediate"))), name="runs_cancellation_mode_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="cancellation",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("requested", "resolving", "proven", "overtaken"))),
                name="runs_cancellation_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="checkpoint",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="runs_checkpoint_number_once"),
        ),
        migrations.AddConstraint(
            model_name="checkpoint",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "boundary__in",
                        ("driver", "transition", "before_effect", "after_effect", "wait", "approval", "hand_over"),
                    )
                ),
                name="runs_checkpoint_boundary_known",
            ),
        ),
        migrations.AddIndex(
            model_name="checkpoint",
            index=models.Index(
                condition=models.Q(("state__isnull", False)),
                fields=["sealed_with", "id"],
                name="runs_checkpoint_by_seal",
            ),
        ),
        migrations.AddIndex(
            model_name="checkpoint",
            index=models.Index(
                condition=models.Q(("drop_at__isnull", False)), fields=["drop_at"], name="runs_checkpoint_to_drop"
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="runs_correction_number_once"),
        ),
        migrations.AddIndex(
            model_name="pause",
            index=models.Index(
                condition=models.Q(("lifted_at", None)), fields=["tenant_id", "scope"], name="runs_pause_standing"
            ),
        ),
        migrations.AddIndex(
            model_name="pause",
            index=models.Index(
                condition=models.Q(("lifted_at__isnull", False), ("released_at", None)),
                fields=["lifted_at"],
                name="runs_pause_to_release",
            ),
        ),
        migrations.AddIndex(
            model_name="pause",
            index=models.Index(condition=models.Q(("run__isnull", False)), fields=["run"], name="runs_pause_by_run"),
        ),
        migrations.AddIndex(
            model_name="pause",
            index=models.Index(fields=["tenant_id", "-paused_at", "-id"], name="runs_pause_by_time"),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.CheckConstraint(
                condition=models.Q(("scope__in", ("run", "operation", "run_type", "tenant"))),
                name="runs_pause_scope_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.UniqueConstraint(
                condition=models.Q(("lifted_at", None)),
                fields=("tenant_id", "scope", "run", "name", "emergency"),
                name="runs_one_pause_a_subject",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="resumption",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="runs_resumption_number_once"),
        ),
        migrations.AddConstraint(
            model_name="resumption",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "decision__in",
                        ("continue", "replan", "wait", "compensate", "escalate", "terminate", "quarantine"),
                    )
                ),
                name="runs_resumption_decision_known",
            ),
        ),
        migrations.AddIndex(
            model_name="wait",
            index=models.Index(
                condition=models.Q(("kind__in", ["timer", "clock_time"]), ("state", "open")),
                fields=["due_at"],
                name="runs_wait_due",
            ),
        ),
        migrations.AddIndex(
            model_name="wait",
            index=models.Index(
                condition=models.Q(("kind", "rate_window"), ("state", "open")),
                fields=["tenant_id", "subject_name", "due_at", "id"],
                name="runs_wait_for_window",
            ),
        ),
        migrations.AddIndex(
            model_name="wait",
            index=models.Index(
                condition=models.Q(("expires_at__isnull", False), ("overdue_at", None), ("state", "open")),
                fields=["expires_at"],
                name="runs_wait_expiring",
            ),
        ),
        migrations.AddIndex(
            model_name="wait",
            index=models.Index(
                condition=models.Q(("kind", "signal"), ("state", "open")),
                fields=["tenant_id", "subject_name", "correlation", "opened_at", "id"],
                name="runs_wait_for_signal",
            ),
        ),
        migrations.AddIndex(
            model_name="wait",
            index=models.Index(
                condition=models.Q(("kind", "dependency"), ("state", "open")),
                fields=["tenant_id", "subject_name", "opened_at", "id"],
                name="runs_wait_for_dependency",
            ),
        ),
        migrations.AddIndex(
            model_name="wait",
            index=models.Index(
                condition=models.Q(("kind", "signal")),
                fields=["tenant_id", "subject_name", "correlation"],
                name="runs_wait_of_signal",
            ),
        ),
        migrations.AddIndex(
            model_name="wait",
            index=models.Index(condition=models.Q(("state", "open")), fields=["run"], name="runs_wait_open_in_run"),
        ),
        migrations.AddConstraint(
            model_name="wait",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="runs_wait_number_once"),
        ),
        migrations.AddConstraint(
            model_name="wait",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ("timer", "clock_time", "signal", "children", "effects", "dependency", "rate_window"))
                ),
                name="runs_wait_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="wait",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("open", "met", "expired", "withdrawn"))), name="runs_wait_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="wait",
            constraint=models.CheckConstraint(
                condition=models.Q(("on_expiry__in", ("wake", "escalate", "fail", "cancel"))),
                name="runs_wait_expiry_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="wait",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at", None), ("state", "open")),
                    models.Q(models.Q(("state", "open"), _negated=True), ("ended_at__isnull", False)),
                    _connector="OR",
                ),
                name="runs_wait_ended_when_over",
            ),
        ),
        migrations.AddIndex(
            model_name="signal",
            index=models.Index(
                condition=models.Q(("state", "recorded")), fields=["received_at"], name="runs_signal_to_apply"
            ),
        ),
        migrations.AddIndex(
            model_name="signal",
            index=models.Index(
                condition=models.Q(("state__in", ["recorded", "kept"])),
                fields=["tenant_id", "name", "correlation", "received_at", "id"],
                name="runs_signal_kept",
            ),
        ),
        migrations.AddIndex(
            model_name="signal",
            index=models.Index(
                condition=models.Q(("state", "kept")), fields=["expires_at"], name="runs_signal_expiring"
            ),
        ),
        migrations.AddIndex(
            model_name="signal",
            index=models.Index(condition=models.Q(("run__isnull", False)), fields=["run"], name="runs_signal_by_run"),
        ),
        migrations.AddIndex(
            model_name="signal",
            index=models.Index(fields=["tenant_id", "state", "-received_at", "-id"], name="runs_signal_by_state"),
        ),
        migrations.AddIndex(
            model_name="signal",
            index=models.Index(
                condition=models.Q(("body__isnull", False), ("run", None), ("state", "expired")),
                fields=["tenant_id", "received_at"],
                name="runs_signal_to_empty",
            ),
        ),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.UniqueConstraint(
                fields=("tenant_id", "sender", "name", "message_id"), name="runs_one_signal_a_message"
            ),
        ),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("recorded", "kept", "taken", "late", "expired"))),
                name="runs_signal_state_known",
            ),
        ),
        migrations.RemoveConstraint(
            model_name="pace",
            name="runs_pace_purpose_known",
        ),
        migrations.AddConstraint(
            model_name="pace",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ("looks", "retries", "drain", "breaker"))),
                name="runs_pace_purpose_known",
            ),
        ),
        at_once(
            RUN,
            RUN_WITHOUT,
            [
                migrations.AddField(
                    model_name="run",
                    name="attention",
                    field=models.CharField(db_default="", default="", max_length=15),
                ),
                migrations.AddField(
                    model_name="run",
                    name="attention_reason",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="run",
                    name="attention_since",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="run",
                    name="corrections_count",
                    field=models.PositiveIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="run",
                    name="corrections_seen",
                    field=models.PositiveIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="run",
                    name="resume_due",
                    field=models.BooleanField(db_default=False, default=False),
                ),
                migrations.AddField(
                    model_name="run",
                    name="lease_expires_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="run",
                    name="lease_holder",
                    field=models.CharField(db_default="", default="", max_length=255),
                ),
                migrations.AddField(
                    model_name="run",
                    name="limits",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="run",
                    name="open_waits",
                    field=models.PositiveIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="run",
                    name="parent",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="children",
                        to="runs.run",
                    ),
                ),
                migrations.AddField(
                    model_name="run",
                    name="told_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="run",
                    name="used_cost",
                    field=models.DecimalField(db_default=0, decimal_places=6, default=0, max_digits=20),
                ),
                migrations.AddField(
                    model_name="run",
                    name="used_tokens",
                    field=models.BigIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="run",
                    name="versions",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="run",
                    name="watch_at",
                    field=models.DateTimeField(null=True),
                ),
            ],
        ),
        at_once(
            EFFECT,
            EFFECT_WITHOUT,
            [
                migrations.AddField(
                    model_name="effect",
                    name="after_waits",
                    field=django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), db_default=[], default=list, size=None
                    ),
                ),
                migrations.AddField(
                    model_name="effect",
                    name="cancel_asked_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="effect",
                    name="cleanup",
                    field=models.BooleanField(db_default=False, default=False),
                ),
            ],
        ),
    ]
