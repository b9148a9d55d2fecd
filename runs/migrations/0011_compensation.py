import django.db.models.deletion
from django.db import migrations, models

from console.schema import GIVE_WAY, at_once, install

EFFECT = """
alter table runs_effect
    add column compensates_id uuid null constraint runs_effect_compensates_id_85e869a0_fk_runs_effect_id
        references runs_effect (id) deferrable initially deferred,
    add column expects text not null default '',
    add column approved_with_id uuid null constraint runs_effect_approved_with_id_0d0bbf06_fk_approvals_request_id
        references approvals_request (id) deferrable initially deferred,
    add column watch smallint not null default 0,
    add column undo_due boolean not null default false,
    add constraint runs_effect_watch_check check (watch >= 0) not valid
"""
EFFECT_WITHOUT = """
drop trigger if exists runs_effect_watch on runs_effect;
drop trigger if exists runs_effect_in_part on runs_effect;
alter table runs_effect drop column compensates_id, drop column expects, drop column approved_with_id, drop column watch, drop column undo_due
"""
RUN = """
alter table runs_run
    add column compensation varchar(10) not null default '',
    add column residue text not null default ''
"""
RUN_WITHOUT = "alter table runs_run drop column compensation, drop column residue"


class Migration(migrations.Migration):
    dependencies = [("runs", "0010_grants_found"), ("approvals", "0007_together")]

    operations = [
        GIVE_WAY,
        at_once(
            EFFECT,
            EFFECT_WITHOUT,
            [
                migrations.AddField(
                    model_name="effect",
                    name="compensates",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="compensated_by",
                        to="runs.effect",
                    ),
                ),
                migrations.AddField(
                    model_name="effect", name="expects", field=models.TextField(db_default="", default="")
                ),
                migrations.AddField(
                    model_name="effect",
                    name="approved_with",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.request",
                    ),
                ),
                migrations.AddField(
                    model_name="effect",
                    name="watch",
                    field=models.PositiveSmallIntegerField(db_default=0, default=0),
                ),
                migrations.AddField(
                    model_name="effect", name="undo_due", field=models.BooleanField(db_default=False, default=False)
                ),
            ],
        ),
        at_once(
            RUN,
            RUN_WITHOUT,
            [
                migrations.AddField(
                    model_name="run",
                    name="compensation",
                    field=models.CharField(db_default="", default="", max_length=10),
                ),
                migrations.AddField(
                    model_name="run", name="residue", field=models.TextField(db_default="", default="")
                ),
            ],
        ),
        *install(
            "runs/sql/watch.sql",
            "runs/sql/guard_effect.sql",
            "runs/sql/breaker.sql",
            "runs/sql/claim.sql",
            "runs/sql/settle.sql",
            "runs/sql/leases.sql",
            "runs/sql/finish.sql",
            "runs/sql/cancelling.sql",
            "runs/sql/parking.sql",
            "runs/sql/pace.sql",
            "runs/sql/repeat.sql",
            "runs/sql/limits.sql",
            "runs/sql/targets.sql",
        ),
    ]
