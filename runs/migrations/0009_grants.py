import django.db.models.deletion
from django.db import migrations, models

from console.schema import GIVE_WAY, at_once, install

EFFECT = """
alter table runs_effect
    add column grant_id uuid null constraint runs_effect_grant_id_d681673e_fk_approvals_grant_id
        references approvals_grant (id) deferrable initially deferred,
    add column holds_unit boolean not null default false
"""
EFFECT_WITHOUT = "alter table runs_effect drop column grant_id, drop column holds_unit"


class Migration(migrations.Migration):
    dependencies = [("approvals", "0004_rules_in_full"), ("runs", "0008_waits_found")]

    operations = [
        GIVE_WAY,
        at_once(
            EFFECT,
            EFFECT_WITHOUT,
            [
                migrations.AddField(
                    model_name="effect",
                    name="grant",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="approvals.grant",
                    ),
                ),
                migrations.AddField(
                    model_name="effect",
                    name="holds_unit",
                    field=models.BooleanField(db_default=False, default=False),
                ),
            ],
        ),
        *install(
            "runs/sql/guard_effect.sql",
            "runs/sql/claim.sql",
            "runs/sql/units.sql",
            "runs/sql/settle.sql",
            "runs/sql/follow.sql",
            "runs/sql/targets.sql",
            "runs/sql/give_back.sql",
        ),
    ]
