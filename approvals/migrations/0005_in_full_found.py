from django.db import migrations, models

from console.schema import AddIndexWhileServing, AddUniqueWhileServing, validate


class Migration(migrations.Migration):
    """What takes its time on approvals_request and approvals_decision, while they are read and written."""

    atomic = False
    dependencies = [("approvals", "0004_rules_in_full")]
    operations = [
        validate("approvals_request", "approvals_request_state_known"),
        validate("approvals_request", "approvals_decided_has_a_time"),
        validate("approvals_request", "approvals_request_extensions_check"),
        validate("approvals_request", "approvals_request_finish_within_seconds_check"),
        validate("approvals_request", "approvals_request_reminders_check"),
        validate("approvals_policy", "approvals_policy_standing_before_check"),
        AddUniqueWhileServing(
            model_name="request",
            constraint=models.UniqueConstraint(
                condition=models.Q(("alone", True)), fields=("agent", "key"), name="approvals_one_request_a_key"
            ),
        ),
        AddUniqueWhileServing(
            model_name="decision",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at", None)),
                fields=("request", "member"),
                name="approvals_one_standing_word",
            ),
        ),
        AddUniqueWhileServing(
            model_name="decision",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at", None)),
                fields=("request", "voice"),
                name="approvals_one_standing_voice",
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("state", "pending")),
                fields=["tenant_id", "tier", "decide_by", "id"],
                name="approvals_pending_by_tier",
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("state", "pending")),
                fields=["tenant_id", "created_at", "id"],
                name="approvals_pending_by_age",
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("read_due_at__isnull", False)), fields=["read_due_at"], name="approvals_to_read"
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("reading_until__isnull", False)),
                fields=["reading_until"],
                name="approvals_being_read",
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("remind_at__isnull", False)), fields=["remind_at"], name="approvals_to_remind"
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("escalate_at__isnull", False)), fields=["escalate_at"], name="approvals_to_escalate"
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("finish_due_at__isnull", False)),
                fields=["finish_due_at"],
                name="approvals_to_finish",
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("alone", True), ("finish_by__isnull", False), ("outcome", "")),
                fields=["finish_by"],
                name="approvals_unreported",
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("revises__isnull", False)), fields=["revises"], name="approvals_revised_by"
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(("state__in", ["pending", "approved"])),
                fields=["policy"],
                name="approvals_on_policy",
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(
                    models.Q(
                        ("consumed_at__isnull", False),
                        ("outcome_told__in", ["", "unknown"]),
                        ("state__in", ["consumed", "revoked"]),
                    ),
                    models.Q(("outcome_told", ""), ("state", "lapsed")),
                    _connector="OR",
                ),
                fields=["decided_at"],
                name="approvals_outcome_to_tell",
            ),
        ),
        AddIndexWhileServing(
            model_name="request",
            index=models.Index(
                condition=models.Q(
                    ("alone", True),
                    ("erased_at", None),
                    models.Q(("state__in", ["pending", "approved"]), _negated=True),
                ),
                fields=["tenant_id", "decided_at"],
                name="approvals_alone_kept",
            ),
        ),
    ]
