"""System checks of `manage.py check --deploy` that ask PostgreSQL and the bell: the roles, the fence, durability, the schema, the rest."""

from collections.abc import Iterator
from typing import Any

import psycopg
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Caution
from psycopg.conninfo import conninfo_to_dict

from console import durability, env, signs
from runs.checkpoints import sealing

ROLES = {"DATABASE_URL": "serves", "DATABASE_WORKER_URL": "works", "DATABASE_OWNER_URL": "owns"}
CONNECT_SECONDS = 3
RIGHTS = """
select rolsuper, rolbypassrls, has_schema_privilege('public', 'create') as makes,
       exists (select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'MEMBER')) as owns
from pg_roles where rolname = current_user
"""
# Who is signing in, and for which tenant, is asked before a tenant is known: identity's own tables are fenced by its queries.
UNFENCED = """
select relname from pg_class as t
where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not starts_with(relname, 'identity_')
   and exists (select from pg_attribute where attrelid = t.oid and attname = 'tenant_id' and not attisdropped)
   and not (relrowsecurity and exists (select from pg_policy where polrelid = t.oid and polname = 'one_tenant'))
order by relname
"""
SECRETS = r"""
select named[1] from runs_operationcontract, regexp_matches(document, '\{secret\.([^{}]+)\}', 'g') as named
where retired_at is null and executor = 'http'
union
select named from runs_operationcontract, jsonb_array_elements_text(document::jsonb #> '{python,secrets}') as named
where retired_at is null and executor = 'python' order by 1
"""

SEALED = "select sealed_with, count(*) from runs_checkpoint where state is not null group by 1"
LONGEST_ATTEMPT = """
select name, (document::jsonb #>> array[executor, 'attempt_timeout_seconds'])::float as longest
from runs_operationcontract where retired_at is null and executor in ('http', 'python') order by 2 desc nulls last, 1 limit 1
"""
SHIFT_LASTS_AT_MOST = 900  # as runs/shift.py has it: until then a shift with slow calls takes up what else comes
MARGIN_SECONDS = 60  # to write down what came


@register(deploy=True)
def roles(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Refuse roles that are one, and serving roles that the fence between tenants does not bind."""
    urls = {"DATABASE_URL": env.dsn("DATABASE_URL"), "DATABASE_WORKER_URL": env.dsn("DATABASE_WORKER_URL")}
    if env.given("DATABASE_OWNER_URL"):
        urls["DATABASE_OWNER_URL"] = env.dsn("DATABASE_OWNER_URL")
    names = {name: str(conninfo_to_dict(url).get("user") or "") for name, url in urls.items()}
    found: list[CheckMessage] = []
    if len(set(names.values())) < len(names):
        said = ", ".join(f"{name} names {role or 'nobody'}" for name, role in names.items())
        found.append(
            Error(
                f"Two roles are one: {said}.",
                hint="Name three roles, and run `manage.py roles`.",
                id="counterfoil.E010",
            )
        )
    for name, url in urls.items():
        try:
            with _asked(url) as asked:
                found += _rights(name, asked) if ROLES[name] != "owns" else []
        except psycopg.Error as fault:
            found.append(
                Error(
                    f"The role that {ROLES[name]} cannot sign in ({type(fault).__name__}).",
                    hint=f"Check {name}: host, port, database, name and password; `manage.py roles` sets the password that it holds.",
                    id="counterfoil.E011",
                )
            )
    return found


def _rights(name: str, asked: "psycopg.Connection") -> Iterator[CheckMessage]:
    row = asked.execute(RIGHTS).fetchone()
    mighty, escapes, makes, owns = row or (False, False, False, False)
    for is_so, said, hint in (
        (mighty, "is superuser", "ALTER ROLE … NOSUPERUSER"),
        (escapes, "has BYPASSRLS", "ALTER ROLE … NOBYPASSRLS"),
        (
            owns and not mighty,
            "owns tables, or is a member of the role that does",
            "REVOKE that role from it, or name another role",
        ),
        (makes and not mighty and not owns, "may create tables", "REVOKE CREATE ON SCHEMA public FROM …"),
    ):
        if is_so:
            yield Error(
                f"The role of {name} {said}: the fence between tenants does not bind it.",
                hint=f"{hint}; or make roles by `manage.py roles`.",
                id="counterfoil.E012",
            )


@register(deploy=True)
def database(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Refuse a PostgreSQL that is too old, may lose what it committed, has another schema, or an open fence."""
    try:
        with _asked(env.dsn("DATABASE_WORKER_URL")) as asked:
            return [*_server(asked), *_fence(asked), *_secrets(asked), *_limits(asked), *_sealed(asked)]
    except psycopg.OperationalError:
        return []  # `roles` says so


def _server(asked: "psycopg.Connection") -> Iterator[CheckMessage]:
    if asked.info.server_version < durability.OLDEST:
        yield Error(
            f"PostgreSQL {asked.info.server_version // 10000} is too old.",
            hint="Serve from PostgreSQL 15 or newer.",
            id="counterfoil.E013",
        )
    loose = durability.loose(dict(asked.execute(durability.FLUSHES).fetchall()))
    if loose:
        kind = Caution if env.flag("RELAXED_DURABILITY") else Error
        yield kind(
            f"PostgreSQL runs with {', '.join(loose)}: what was accepted can be lost when it or its machine stops.",
            hint="Switch it on in postgresql.conf (or ALTER SYSTEM SET …) and reload.", id="counterfoil.E014",
        )  # fmt: skip
    zone = asked.execute("show timezone").fetchone()
    if zone and zone[0] not in {"UTC", "Etc/UTC", "GMT"}:
        yield Caution(
            f"The time zone of the database is {zone[0]}: times in its logs and in psql differ from ours, which are UTC.",
            hint="ALTER DATABASE … SET timezone = 'UTC'.", id="counterfoil.W015",
        )  # fmt: skip


def _fence(asked: "psycopg.Connection") -> Iterator[CheckMessage]:
    open_tables = [name for (name,) in asked.execute(UNFENCED).fetchall()]
    if open_tables:
        yield Error(
            f"Row-level security is off for {', '.join(open_tables)}: a tenant may see another's rows.",
            hint="ALTER TABLE … ENABLE ROW LEVEL SECURITY, and see that the policy one_tenant is there; `manage.py migrate` makes both.",
            id="counterfoil.E016",
        )


def _secrets(asked: "psycopg.Connection") -> Iterator[CheckMessage]:
    try:
        named = [name for (name,) in asked.execute(SECRETS).fetchall()]
    except (psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege):
        return  # `machinery` says that nothing is migrated
    lacking = [name for name in named if not env.secret(name)]
    if lacking:
        variables = ", ".join(env.secret_variable(name) for name in lacking)
        yield Caution(
            f"Contracts in force name secrets that this process lacks: {', '.join(lacking)}. "
            "A worker without them leaves those effects to others.",
            hint=f"Where workers run, set {variables}, or each with _FILE.", id="counterfoil.W017",
        )  # fmt: skip


def _sealed(asked: "psycopg.Connection") -> Iterator[CheckMessage]:
    try:
        found: dict[str, int] = dict(asked.execute(SEALED).fetchall())
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn, psycopg.errors.InsufficientPrivilege):
        return  # `machinery` says that nothing is migrated
    lost = sorted(found.keys() - set(sealing.names()))
    if lost:
        yield Error(
            f"{sum(found[name] for name in lost)} states of agents are sealed with keys that this process lacks: {', '.join(lost)}. "
            "No run can be resumed from them.",
            hint="Put the key back into CHECKPOINT_KEYS, behind the first; `manage.py reseal` makes it needless.",
            id="counterfoil.E022",
        )


def _limits(asked: "psycopg.Connection") -> Iterator[CheckMessage]:
    try:
        row = asked.execute(LONGEST_ATTEMPT).fetchone()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege):
        return  # `machinery` says that nothing is migrated
    name, longest = row or ("", 0)
    needed = longest + SHIFT_LASTS_AT_MOST + MARGIN_SECONDS
    if needed > settings.SHIFT_LIMIT_SECONDS:
        yield Error(
            f"SHIFT_LIMIT_SECONDS is {settings.SHIFT_LIMIT_SECONDS}, and an attempt at {name} may take {longest:g} seconds: "
            "its worker's job would be ended in the middle of it.",
            hint=f"Set SHIFT_LIMIT_SECONDS to at least {needed:.0f}, or leave it unset.", id="counterfoil.E021",
        )  # fmt: skip


@register(deploy=True)
def machinery(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Say of the schema, the bell, the clock and the workers what readiness says; only the schema refuses."""
    hints = {
        "migrations": "Run `manage.py migrate` as the owner, or deploy the newer code.",
        "bell": "Check REDIS_URL, and that Redis or Valkey runs.",
        "clock": "Start `manage.py clock`.",
        "workers": "Start `manage.py worker`.",
    }
    found = {**signs.look_at_database(), **signs.look_at_bell()}
    return [
        (Error if sign.hinders else Caution)(
            f"{name}: {sign.state}. {sign.means}", hint=hints[name], id=f"counterfoil.{'E' if sign.hinders else 'W'}018"
        )
        for name, sign in found.items()
        if name in hints and sign.state not in {"ok", "unknown"}
    ]


def _asked(url: str) -> "psycopg.Connection":
    return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS, prepare_threshold=None)
