from django.db import migrations, models

from console.schema import AddIndexWhileServing, AddUniqueWhileServing, validate


class Migration(migrations.Migration):
    """What takes its time on the tables in use, while they are read and written."""

    atomic = False
    dependencies = [("runs", "0011_compensation")]
    operations = [
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(condition=models.Q(("watch", 2)), fields=["id"], name="runs_effect_to_hear_of"),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(
                condition=models.Q(("compensates__isnull", False)),
                fields=["compensates"],
                name="runs_effect_compensating",
            ),
        ),
        AddIndexWhileServing(
            model_name="effect",
            index=models.Index(condition=models.Q(("undo_due", True)), fields=["id"], name="runs_effect_to_undo"),
        ),
        AddIndexWhileServing(
            model_name="run",
            index=models.Index(
                condition=models.Q(("compensation", "due")), fields=["id"], name="runs_run_to_compensate"
            ),
        ),
        AddUniqueWhileServing(
            model_name="effect",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("compensates__isnull", False),
                    (
                        "state__in",
                        [
                            "accepted",
                            "awaiting_approval",
                            "blocked",
                            "dispatched",
                            "proposed",
                            "ready",
                            "unknown",
                            "succeeded",
                        ],
                    ),
                ),
                fields=("compensates",),
                name="runs_one_effect_compensates",
            ),
        ),
        validate("runs_effect", "runs_effect_watch_check"),
    ]
