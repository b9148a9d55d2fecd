"""Steps that migrations share: install a readable SQL file, grant rights to the two serving roles, fence rows by tenant,
change a table that is read and written meanwhile."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently, NotInTransactionMixin
from django.db import migrations
from django.db.migrations.operations.base import Operation

BASE_DIR: Path = settings.BASE_DIR
UNCHECKED = "set local check_function_bodies = off;\n"
VALIDITY = "select indisvalid from pg_index where indexrelid = to_regclass(%s)"

# Stands first in each migration that changes, in one transaction, what a running version reads and writes. Who waits for a table that is
# in use makes everybody wait who comes after: so it gives up soon (before PostgreSQL looks for deadlocks), and is run again.
GIVE_WAY = migrations.RunSQL("set local lock_timeout = '800ms'", migrations.RunSQL.noop)


def install(*files: str) -> list[migrations.RunSQL]:
    """Make steps that install SQL files (functions and triggers, written to be installed again when they change).

    An earlier migration installs today's text, which may name columns that only a later one adds: so bodies are not checked."""
    return [
        migrations.RunSQL(
            UNCHECKED + (BASE_DIR / file).read_text(encoding="utf-8"), migrations.RunSQL.noop, elidable=False
        )
        for file in files
    ]


class AddIndexWhileServing(AddIndexConcurrently):
    """Make an index beside those who read and write; what an interrupted try left is made anew, what is there already is kept."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        name = schema_editor.quote_name(self.index.name)
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(VALIDITY, [name])
            found = cursor.fetchone()
        if found == (True,):
            return
        if found:
            schema_editor.execute(f"drop index concurrently {name}")
        super().database_forwards(app_label, schema_editor, from_state, to_state)


class AddUniqueWhileServing(NotInTransactionMixin, migrations.AddConstraint):
    """Make a unique constraint that has a condition beside those who read and write; what an interrupted try left is made anew."""

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        self._ensure_not_in_transaction(schema_editor)
        name = schema_editor.quote_name(self.constraint.name)
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(VALIDITY, [name])
            found = cursor.fetchone()
        if found == (True,):
            return
        if found:
            schema_editor.execute(f"drop index concurrently {name}")
        model = to_state.apps.get_model(app_label, self.model_name)
        made = str(self.constraint.create_sql(model, schema_editor))
        schema_editor.execute(made.replace("CREATE UNIQUE INDEX", "CREATE UNIQUE INDEX CONCURRENTLY", 1), None)


def at_once(forwards: str, backwards: str, known_as: Sequence[Operation]) -> migrations.SeparateDatabaseAndState:
    """Make a step that changes a table in use by one statement, and is known to Django as these operations.

    One by one they would keep the table for seconds, because Django makes up its mind about the models between two of them."""
    return migrations.SeparateDatabaseAndState([migrations.RunSQL(forwards, backwards)], [*known_as])


def validate(table: str, constraint: str) -> migrations.RunSQL:
    """Make a step that judges the rows that were there before a constraint, while they are read and written; again does no harm."""
    return migrations.RunSQL(f"alter table {table} validate constraint {constraint}", migrations.RunSQL.noop)


def grant(tables: Sequence[str], rights: str = "select, insert, update, delete") -> migrations.RunPython:
    """Make a step that gives both serving roles exactly these rights on the tables."""

    def forwards(apps: Any, editor: Any) -> None:
        for role in _serving_roles():
            for table in tables:
                editor.execute(f"revoke all on {table} from {role}")
                editor.execute(f"grant {rights} on {table} to {role}")
            editor.execute(f"grant usage on all sequences in schema public to {role}")

    return migrations.RunPython(forwards, migrations.RunPython.noop)


def let_workers_call(*functions: str) -> migrations.RunPython:
    """Make a step that lets the worker role, and nobody else, call functions that run with the owner's rights."""

    def forwards(apps: Any, editor: Any) -> None:
        _, worker = _serving_roles()
        for function in functions:
            editor.execute(f"revoke all on function {function} from public")
            editor.execute(f"grant execute on function {function} to {worker}")

    return migrations.RunPython(forwards, migrations.RunPython.noop)


def fence_by_tenant(tables: Sequence[str]) -> migrations.RunPython:
    """Make a step that switches row-level security on: one tenant for the application role, all for the worker role."""

    def forwards(apps: Any, editor: Any) -> None:
        _, worker = _serving_roles()
        mine = "tenant_id = (select nullif(current_setting('cf.tenant', true), '')::uuid)"
        for table in tables:
            editor.execute(f"alter table {table} enable row level security")
            editor.execute(f"drop policy if exists one_tenant on {table}")
            editor.execute(f"create policy one_tenant on {table} using ({mine}) with check ({mine})")
            editor.execute(f"drop policy if exists all_tenants on {table}")
            editor.execute(f"create policy all_tenants on {table} to {worker} using (true) with check (true)")

    return migrations.RunPython(forwards, migrations.RunPython.noop)


def _serving_roles() -> tuple[str, str]:
    return tuple(f'"{settings.DATABASES[alias]["USER"]}"' for alias in ("default", "worker"))  # type: ignore[return-value]
