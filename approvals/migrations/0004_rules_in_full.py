from django.db import migrations

from console.schema import GIVE_WAY, fence_by_tenant, grant, install

TABLES = ["approvals_delegation", "approvals_grant", "approvals_grantuse", "approvals_breakglass"]


class Migration(migrations.Migration):
    dependencies = [("approvals", "0003_in_full")]
    operations = [
        GIVE_WAY,
        grant(TABLES, "select, insert, update"),
        grant(["approvals_decision"], "select, insert, update (withdrawn_at, withdrawn_reason)"),
        grant(["approvals_spend"], "select, insert, update, delete"),
        fence_by_tenant([*TABLES, "approvals_spend"]),
        *install(
            "approvals/sql/guard_request.sql",
            "approvals/sql/guard_grant.sql",
            "approvals/sql/guard_use.sql",
            "approvals/sql/record.sql",
            "approvals/sql/counted.sql",
            "approvals/sql/use.sql",
            "approvals/sql/target.sql",
            "approvals/sql/grants.sql",
            "approvals/sql/erase.sql",
            "approvals/sql/give_back.sql",
        ),
    ]
