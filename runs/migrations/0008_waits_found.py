from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations, models

from console.schema import AddIndexWhileServing, validate


class Migration(migrations.Migration):
    """What takes its time on runs_run and runs_effect, while they are read and written."""

    atomic = False
    dependencies = [("runs", "0007_rules_of_waits")]
    operations = [
        validate("runs_run", "runs_run_corrections_count_check"),
        validate("runs_run", "runs_run_corrections_seen_check"),
        validate("runs_run", "runs_run_open_waits_check"),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("next_attempt_at", None), ("state", "ready")),
                fields=["run"],
                name="runs_effect_parked",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("next_attempt_at", None), ("state", "ready")),
                fields=["tenant_id", "id"],
                name="runs_effect_parked_among",
            ),
        ),
        AddIndexWhileServing(
            model_name="run",
            index=models.Index(
                condition=models.Q(
                    ("deadline_at__isnull", False), ("state__in", ["exhausted", "quarantined", "running", "waiting"])
                ),
                fields=["deadline_at"],
                name="runs_run_open_deadline",
            ),
        ),
        AddIndexWhileServing(
            model_name="run",
            index=models.Index(
                condition=models.Q(("state", "running"), ("watch_at__isnull", False)),
                fields=["watch_at"],
                name="runs_run_to_watch",
            ),
        ),
        AddIndexWhileServing(
            model_name="run",
            index=models.Index(
                condition=models.Q(("state", "exhausted"), ("watch_at__isnull", False)),
                fields=["watch_at"],
                name="runs_run_out",
            ),
        ),
        AddIndexWhileServing(
            model_name="run",
            index=models.Index(
                condition=models.Q(("ended_at__isnull", False), ("watch_at__isnull", False)),
                fields=["watch_at"],
                name="runs_run_left",
            ),
        ),
        AddIndexWhileServing(
            model_name="run",
            index=models.Index(
                condition=models.Q(("parent__isnull", False)), fields=["parent"], name="runs_run_by_parent"
            ),
        ),
        AddIndexWhileServing(
            model_name="run",
            index=models.Index(
                condition=models.Q(("ended_at__isnull", False), ("parent__isnull", False), ("told_at", None)),
                fields=["ended_at"],
                name="runs_run_to_tell",
            ),
        ),
        AddIndexWhileServing(
            model_name="run",
            index=models.Index(
                condition=models.Q(("attention", ""), _negated=True),
                fields=["tenant_id", "attention_since", "id"],
                name="runs_run_attention",
            ),
        ),
        RemoveIndexConcurrently(model_name="run", name="runs_run_due_deadline"),
    ]
