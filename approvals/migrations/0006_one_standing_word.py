from django.db import migrations

from console.schema import GIVE_WAY, at_once

FIRST_WORD = "alter table approvals_decision drop constraint approvals_one_word_a_member"


class Migration(migrations.Migration):
    """A member's first word counts until they take it back: only now, because what takes its place has to be there before."""

    dependencies = [("approvals", "0005_in_full_found")]
    operations = [
        GIVE_WAY,
        at_once(
            FIRST_WORD,
            migrations.RunSQL.noop,
            [migrations.RemoveConstraint(model_name="decision", name="approvals_one_word_a_member")],
        ),
    ]
