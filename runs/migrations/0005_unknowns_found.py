import django.contrib.postgres.indexes
from django.db import migrations, models

from console.schema import AddIndexWhileServing, validate


class Migration(migrations.Migration):
    """What takes its time on runs_effect, while it is read and written."""

    atomic = False
    dependencies = [("runs", "0004_rules_of_unknowns")]
    operations = [
        validate("runs_effect", "runs_effect_alerts_check"),
        validate("runs_effect", "runs_effect_attempts_granted_check"),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("state", "unknown")),
                fields=["tenant_id", "-irreversible", "-consequential", "unknown_since", "id"],
                name="runs_effect_unknown_by_weight",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("state", "unknown")),
                fields=["tenant_id", "owner", "irreversible", "consequential", "unknown_since", "id"],
                name="runs_effect_unknown_by_owner",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("state", "unknown")),
                fields=["tenant_id", "operation_name", "irreversible", "consequential", "unknown_since", "id"],
                name="runs_effect_unknown_by_op",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("state", "unknown")),
                fields=["tenant_id", "dependency_name", "irreversible", "consequential", "unknown_since", "id"],
                name="runs_effect_unknown_by_dep",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("state", "unknown"), models.Q(("owner_group", ""), _negated=True)),
                fields=["tenant_id", "owner_group", "irreversible", "consequential", "unknown_since", "id"],
                name="runs_effect_unknown_by_group",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("objective_at__isnull", False), ("state", "unknown")),
                fields=["tenant_id", "objective_at"],
                name="runs_effect_unknown_overdue",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("reconciled_at", None), ("state", "partial")),
                fields=["tenant_id", "ended_at", "id"],
                name="runs_effect_partial_by_age",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("next_alert_at__isnull", False), ("state__in", ("unknown", "partial"))),
                fields=["next_alert_at"],
                name="runs_effect_to_alert",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=django.contrib.postgres.indexes.HashIndex(
                condition=models.Q(("operation_reference", ""), _negated=True),
                fields=["operation_reference"],
                name="runs_effect_by_reference",
            ),
        ),
    ]
