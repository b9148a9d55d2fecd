import django.contrib.postgres.fields
import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models

import console.fields
from console.schema import GIVE_WAY, at_once

REQUEST = """
alter table approvals_request
    drop constraint approvals_request_state_known,
    add constraint approvals_request_state_known check (
        state in ('pending', 'approved', 'consumed', 'denied', 'expired', 'withdrawn', 'lapsed', 'rerouted', 'revoked')
    ) not valid,
    drop constraint approvals_decided_has_a_time,
    add constraint approvals_decided_has_a_time check (
        not (state in ('approved', 'consumed', 'denied', 'expired', 'lapsed', 'rerouted', 'revoked', 'withdrawn')) or decided_at is not null
    ) not valid,
    add column alone boolean not null default false,
    add column deadline_at timestamptz null,
    add column escalate_at timestamptz null,
    add column escalated_at timestamptz null,
    add column extensions smallint not null default 0,
    add constraint approvals_request_extensions_check check (extensions >= 0) not valid,
    add column finish_by timestamptz null,
    add column finish_due_at timestamptz null,
    add column finish_then varchar(15) not null default '',
    add column finish_within_seconds integer null,
    add constraint approvals_request_finish_within_seconds_check check (finish_within_seconds >= 0) not valid,
    add column key varchar(255) not null default '',
    add column narrowing text not null default '',
    add column outcome varchar(20) not null default '',
    add column outcome_at timestamptz null,
    add column outcome_detail text not null default '',
    add column outcome_told varchar(20) not null default 'before',
    alter column outcome_told set default '',
    add column overran_at timestamptz null,
    add column panels text not null default '',
    add column read_due_at timestamptz null,
    add column read_fault text not null default '',
    add column read_within_seconds integer null,
    add constraint approvals_request_read_within_seconds_check check (read_within_seconds >= 0) not valid,
    add column reading_until timestamptz null,
    add column reads_failed smallint not null default 0,
    add constraint approvals_request_reads_failed_check check (reads_failed >= 0) not valid,
    add column remind_at timestamptz null,
    add column reminders smallint not null default 0,
    add constraint approvals_request_reminders_check check (reminders >= 0) not valid,
    add column revises_id uuid null constraint approvals_request_revises_id_3169fb60_fk_approvals_request_id
        references approvals_request (id) deferrable initially deferred,
    add column target_read_at timestamptz null,
    add column target_state text not null default '',
    add column target_version varchar(200) not null default '',
    add column to_fit boolean not null default false,
    add column break_glass_id uuid null constraint approvals_request_break_glass_id_e68148ee_fk_approvals
        references approvals_breakglass (id) deferrable initially deferred,
    add column asker_id uuid null constraint approvals_request_asker_id_6935a4ae_fk_identity_member_id
        references identity_member (id) deferrable initially deferred
"""
REQUEST_WITHOUT = """
alter table approvals_request
    drop column alone,
    drop column deadline_at,
    drop column escalate_at,
    drop column escalated_at,
    drop column extensions,
    drop column finish_by,
    drop column finish_due_at,
    drop column finish_then,
    drop column finish_within_seconds,
    drop column key,
    drop column narrowing,
    drop column outcome,
    drop column outcome_at,
    drop column outcome_detail,
    drop column outcome_told,
    drop column overran_at,
    drop column panels,
    drop column read_due_at,
    drop column read_fault,
    drop column read_within_seconds,
    drop column reading_until,
    drop column reads_failed,
    drop column remind_at,
    drop column reminders,
    drop column revises_id,
    drop column target_read_at,
    drop column target_state,
    drop column target_version,
    drop column to_fit,
    drop column break_glass_id,
    drop column asker_id
"""
DECISION = """
alter table approvals_decision
    add column alternative text not null default '',
    add column constraints text not null default '',
    add column seen text not null default '',
    add column stepped_up_at timestamptz null,
    add column voice_id uuid null constraint approvals_decision_voice_id_9e287fe4_fk_identity_member_id
        references identity_member (id) deferrable initially deferred,
    add column withdrawn_at timestamptz null,
    add column withdrawn_reason text not null default '',
    add column delegation_id uuid null constraint approvals_decision_delegation_id_88dcdf2b_fk_approvals
        references approvals_delegation (id) deferrable initially deferred
"""
DECISION_WITHOUT = """
alter table approvals_decision
    drop column alternative,
    drop column constraints,
    drop column seen,
    drop column stepped_up_at,
    drop column voice_id,
    drop column withdrawn_at,
    drop column withdrawn_reason,
    drop column delegation_id
"""
POLICY = """
alter table approvals_policy
    add column standing_before integer not null default 0,
    add constraint approvals_policy_standing_before_check check (standing_before >= 0) not valid
"""
POLICY_WITHOUT = """
alter table approvals_policy
    drop column standing_before
"""


class Migration(migrations.Migration):
    dependencies = [("approvals", "0002_rules"), ("identity", "0006_step_up_rights")]

    operations = [
        GIVE_WAY,
        migrations.CreateModel(
            name="Delegation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                (
                    "operations",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=63), db_default=[], default=list, size=None
                    ),
                ),
                (
                    "groups",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=63), db_default=[], default=list, size=None
                    ),
                ),
                ("reason", models.TextField()),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("created_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "giver",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "taker",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Grant",
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
                ("operation", models.CharField(max_length=63)),
                ("run_type", models.CharField(db_default="", default="", max_length=63)),
                ("target_pattern", models.TextField()),
                ("constraint", models.TextField(db_default="", default="")),
                ("uses_most", models.PositiveIntegerField()),
                ("amount_path", models.CharField(db_default="", default="", max_length=200)),
                ("amount_most", models.DecimalField(decimal_places=6, max_digits=38, null=True)),
                ("rate_most", models.PositiveIntegerField(null=True)),
                ("rate_seconds", models.PositiveIntegerField(null=True)),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                (
                    "groups",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=63), db_default=[], default=list, size=None
                    ),
                ),
                ("purpose", models.TextField()),
                ("state", models.CharField(max_length=10)),
                ("ended_reason", models.TextField(db_default="", default="")),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField()),
                ("uses_taken", models.PositiveIntegerField(db_default=0, default=0)),
                ("amount_taken", models.DecimalField(db_default=0, decimal_places=6, default=0, max_digits=38)),
                ("erased_at", models.DateTimeField(null=True)),
                (
                    "owner_as",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=70), db_default=[], default=list, size=None
                    ),
                ),
                ("owner_proved_at", models.DateTimeField(null=True)),
                (
                    "confirmed_as",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=70), db_default=[], default=list, size=None
                    ),
                ),
                ("confirmed_proved_at", models.DateTimeField(null=True)),
                ("last_used_at", models.DateTimeField(null=True)),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.agent",
                    ),
                ),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="GrantUse",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tenant_id", models.UUIDField()),
                ("subject", models.UUIDField()),
                ("amount", models.DecimalField(decimal_places=6, max_digits=38, null=True)),
                ("state", models.CharField(max_length=10)),
                ("reserved_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "grant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="uses",
                        to="approvals.grant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BreakGlass",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("tenant_id", models.UUIDField()),
                ("target", models.TextField()),
                ("reason", models.TextField()),
                ("opened_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("reviewed_at", models.DateTimeField(null=True)),
                ("review", models.TextField(db_default="", default="")),
                ("justified", models.BooleanField(null=True)),
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
                    "request",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.request",
                    ),
                ),
                (
                    "reviewed_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Spend",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("tenant_id", models.UUIDField()),
                ("subject", models.UUIDField()),
                ("meter", console.fields.Digest()),
                ("amount", console.fields.Exact()),
                ("at", models.DateTimeField()),
                ("returned_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("returned_at", None)),
                        fields=["tenant_id", "meter", "at"],
                        include=("amount", "subject"),
                        name="approvals_spent_by_time",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("subject", "meter"), name="approvals_spent_once"),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gte", 0)), name="approvals_spent_not_below_zero"
                    ),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="breakglass",
            index=models.Index(
                condition=models.Q(("ended_at", None)), fields=["ends_at"], name="approvals_glass_broken_now"
            ),
        ),
        migrations.AddIndex(
            model_name="breakglass",
            index=models.Index(
                condition=models.Q(("reviewed_at", None)),
                fields=["tenant_id", "opened_at", "id"],
                name="approvals_glass_to_review",
            ),
        ),
        migrations.AddIndex(
            model_name="breakglass",
            index=models.Index(fields=["tenant_id", "-opened_at", "-id"], name="approvals_glass_newest"),
        ),
        migrations.AddConstraint(
            model_name="breakglass",
            constraint=models.UniqueConstraint(fields=("request",), name="approvals_glass_broken_once"),
        ),
        migrations.AddConstraint(
            model_name="breakglass",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends_at__gt", models.F("opened_at"))), name="approvals_glass_has_a_time_box"
            ),
        ),
        migrations.AddConstraint(
            model_name="breakglass",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("reviewed_by", None), models.Q(("reviewed_by", models.F("member")), _negated=True), _connector="OR"
                ),
                name="approvals_glass_reviewed_by_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="breakglass",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("justified", None), ("reviewed_at", None), ("reviewed_by", None)),
                    models.Q(
                        ("justified__isnull", False), ("reviewed_at__isnull", False), ("reviewed_by__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="approvals_glass_review_is_whole",
            ),
        ),
        migrations.AddIndex(
            model_name="delegation",
            index=models.Index(
                condition=models.Q(("revoked_at", None)), fields=["taker", "ends_at"], name="approvals_delegated_to"
            ),
        ),
        migrations.AddIndex(
            model_name="delegation",
            index=models.Index(
                condition=models.Q(("revoked_at", None)), fields=["giver", "ends_at"], name="approvals_delegated_by"
            ),
        ),
        migrations.AddIndex(
            model_name="delegation",
            index=models.Index(fields=["tenant_id", "-created_at", "-id"], name="approvals_delegation_newest"),
        ),
        migrations.AddConstraint(
            model_name="delegation",
            constraint=models.CheckConstraint(
                condition=models.Q(("ends_at__gt", models.F("starts_at"))), name="approvals_delegation_has_a_span"
            ),
        ),
        migrations.AddConstraint(
            model_name="delegation",
            constraint=models.CheckConstraint(
                condition=models.Q(("giver", models.F("taker")), _negated=True), name="approvals_delegated_to_another"
            ),
        ),
        migrations.AddIndex(
            model_name="grant",
            index=models.Index(
                condition=models.Q(("state", "active")),
                fields=["tenant_id", "operation"],
                name="approvals_grant_in_force",
            ),
        ),
        migrations.AddIndex(
            model_name="grant",
            index=models.Index(fields=["tenant_id", "-created_at", "-id"], name="approvals_grant_newest"),
        ),
        migrations.AddIndex(
            model_name="grant",
            index=models.Index(
                condition=models.Q(("state__in", ["proposed", "active"])),
                fields=["ends_at"],
                name="approvals_grant_due_end",
            ),
        ),
        migrations.AddIndex(
            model_name="grant",
            index=models.Index(
                condition=models.Q(("state", "active"), ("uses_taken", models.F("uses_most"))),
                fields=["ends_at"],
                name="approvals_grant_used_up",
            ),
        ),
        migrations.AddConstraint(
            model_name="grant",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("proposed", "active", "declined", "revoked", "ended"))),
                name="approvals_grant_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="grant",
            constraint=models.CheckConstraint(
                condition=models.Q(("uses_taken__lte", models.F("uses_most"))), name="approvals_grant_not_overdrawn"
            ),
        ),
        migrations.AddConstraint(
            model_name="grant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("amount_most", None), ("amount_taken__lte", models.F("amount_most")), _connector="OR"
                ),
                name="approvals_grant_sum_not_overdrawn",
            ),
        ),
        migrations.AddConstraint(
            model_name="grant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("confirmed_by", None),
                    models.Q(("confirmed_by", models.F("owner")), _negated=True),
                    _connector="OR",
                ),
                name="approvals_grant_confirmed_by_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="grant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at", None), ("state__in", ["proposed", "active"])),
                    models.Q(("state__in", ["declined", "ended", "revoked"]), ("ended_at__isnull", False)),
                    _connector="OR",
                ),
                name="approvals_grant_ended_has_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="grantuse",
            index=models.Index(fields=["grant", "-reserved_at", "-id"], name="approvals_use_by_time"),
        ),
        migrations.AddIndex(
            model_name="grantuse",
            index=models.Index(
                condition=models.Q(("state", "reserved")), fields=["reserved_at"], name="approvals_use_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="grantuse",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "returned"), _negated=True),
                fields=("subject",),
                name="approvals_one_standing_use_a_subject",
            ),
        ),
        migrations.AddConstraint(
            model_name="grantuse",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("reserved", "spent", "returned"))), name="approvals_use_state_known"
            ),
        ),
        at_once(
            POLICY,
            POLICY_WITHOUT,
            [
                migrations.AddField(
                    model_name="policy",
                    name="standing_before",
                    field=models.PositiveIntegerField(db_default=0, default=0),
                ),
            ],
        ),
        at_once(
            REQUEST,
            REQUEST_WITHOUT,
            [
                migrations.RemoveConstraint(
                    model_name="request",
                    name="approvals_request_state_known",
                ),
                migrations.RemoveConstraint(
                    model_name="request",
                    name="approvals_decided_has_a_time",
                ),
                migrations.AddConstraint(
                    model_name="request",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                (
                                    "pending",
                                    "approved",
                                    "consumed",
                                    "denied",
                                    "expired",
                                    "withdrawn",
                                    "lapsed",
                                    "rerouted",
                                    "revoked",
                                ),
                            )
                        ),
                        name="approvals_request_state_known",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="request",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                (
                                    "state__in",
                                    [
                                        "approved",
                                        "consumed",
                                        "denied",
                                        "expired",
                                        "lapsed",
                                        "rerouted",
                                        "revoked",
                                        "withdrawn",
                                    ],
                                ),
                                _negated=True,
                            ),
                            ("decided_at__isnull", False),
                            _connector="OR",
                        ),
                        name="approvals_decided_has_a_time",
                    ),
                ),
                migrations.AddField(
                    model_name="request",
                    name="alone",
                    field=models.BooleanField(db_default=False, default=False),
                ),
                migrations.AddField(
                    model_name="request",
                    name="escalate_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="escalated_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="extensions",
                    field=models.PositiveSmallIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="request",
                    name="finish_by",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="finish_then",
                    field=models.CharField(db_default="", default="", max_length=15),
                ),
                migrations.AddField(
                    model_name="request",
                    name="finish_within_seconds",
                    field=models.PositiveIntegerField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="key",
                    field=models.CharField(db_default="", default="", max_length=255),
                ),
                migrations.AddField(
                    model_name="request",
                    name="narrowing",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="request",
                    name="deadline_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="to_fit",
                    field=models.BooleanField(db_default=False, default=False),
                ),
                migrations.AddField(
                    model_name="request",
                    name="overran_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="finish_due_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="outcome",
                    field=models.CharField(db_default="", default="", max_length=20),
                ),
                migrations.AddField(
                    model_name="request",
                    name="outcome_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="outcome_detail",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="request",
                    name="outcome_told",
                    field=models.CharField(db_default="", default="", max_length=20),
                ),
                migrations.AddField(
                    model_name="request",
                    name="panels",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="request",
                    name="read_due_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="read_fault",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="request",
                    name="read_within_seconds",
                    field=models.PositiveIntegerField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="reading_until",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="reads_failed",
                    field=models.PositiveSmallIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="request",
                    name="remind_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="reminders",
                    field=models.PositiveSmallIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="request",
                    name="revises",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.request",
                    ),
                ),
                migrations.AddField(
                    model_name="request",
                    name="target_read_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="request",
                    name="target_state",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="request",
                    name="target_version",
                    field=models.CharField(db_default="", default="", max_length=200),
                ),
                migrations.AddField(
                    model_name="request",
                    name="break_glass",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.breakglass",
                    ),
                ),
                migrations.AddField(
                    model_name="request",
                    name="asker",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
            ],
        ),
        at_once(
            DECISION,
            DECISION_WITHOUT,
            [
                migrations.AddField(
                    model_name="decision",
                    name="alternative",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="decision",
                    name="constraints",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="decision",
                    name="seen",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="decision",
                    name="stepped_up_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="decision",
                    name="voice",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="identity.member",
                    ),
                ),
                migrations.AddField(
                    model_name="decision",
                    name="withdrawn_at",
                    field=models.DateTimeField(null=True),
                ),
                migrations.AddField(
                    model_name="decision",
                    name="withdrawn_reason",
                    field=models.TextField(db_default="", default=""),
                ),
                migrations.AddField(
                    model_name="decision",
                    name="delegation",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.delegation",
                    ),
                ),
            ],
        ),
    ]
