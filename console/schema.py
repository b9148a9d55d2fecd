"""Steps that migrations share: install a readable SQL file, grant rights to the two serving roles, fence rows by tenant."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import migrations

BASE_DIR: Path = settings.BASE_DIR
UNCHECKED = "set local check_function_bodies = off;\n"


def install(*files: str) -> list[migrations.RunSQL]:
    """Make steps that install SQL files (functions and triggers, written to be installed again when they change).

    An earlier migration installs today's text, which may name columns that only a later one adds: so bodies are not checked."""
    return [
        migrations.RunSQL(
            UNCHECKED + (BASE_DIR / file).read_text(encoding="utf-8"), migrations.RunSQL.noop, elidable=False
        )
        for file in files
    ]


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
