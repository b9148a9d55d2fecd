"""The three database roles, and what each may do, on a PostgreSQL of anybody's.

The owner owns the database and migrates; the application and the worker own nothing, and read and write what the owner
makes. Migrations take back more (nobody updates or deletes an entry of the ledger)."""

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

PLAIN = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION"
IN_THE_DATABASE = """
    REVOKE ALL ON SCHEMA public FROM PUBLIC;
    GRANT ALL ON SCHEMA public TO {owner};
    GRANT USAGE ON SCHEMA public TO {app}, {worker};
    ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA public
        GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {app}, {worker};
    ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA public
        GRANT USAGE, SELECT ON SEQUENCES TO {app}, {worker};
"""
ON_THE_DATABASE = """
    REVOKE ALL ON DATABASE {database} FROM PUBLIC;
    GRANT CONNECT ON DATABASE {database} TO {app}, {worker};
"""
KNOWN = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s"
OWNED_BY = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = %s"
PATIENCE_SECONDS = 10


class BadRoles(Exception):
    """The three roles cannot be made as the URLs say; the message says what to change."""


@dataclass(frozen=True)
class Role:
    """One of the three: what it is for, its name, its password (None where it signs in by other means), its URL."""

    purpose: str
    name: str
    password: str | None
    database: str
    url: str


def role(purpose: str, url: str) -> Role:
    """Read a role from its URL."""
    said = conninfo_to_dict(url)
    password = said.get("password")
    return Role(
        purpose,
        str(said.get("user") or ""),
        None if password is None else str(password),
        str(said.get("dbname") or ""),
        url,
    )


def make(owner: Role, app: Role, worker: Role, admin_url: str | None) -> Iterator[str]:
    """Make the roles, the database and the rights where they are missing; gives a line for each thing done. Raises BadRoles.

    `admin_url` is somebody who may create roles and databases; without it the owner's own rights must do."""
    refuse_confusion(owner, app, worker)
    with psycopg.connect(admin_url or owner.url, autocommit=True, connect_timeout=PATIENCE_SECONDS) as by:
        for each in (owner, app, worker):
            yield f"{each.purpose}: {make_role(by, each)} {each.name}"
        yield f"database: {make_database(by, owner)} {owner.database}"
    with psycopg.connect(owner.url, autocommit=True, connect_timeout=PATIENCE_SECONDS) as inside:
        names = {each.purpose: sql.Identifier(each.name) for each in (owner, app, worker)}
        inside.execute(sql.SQL(ON_THE_DATABASE).format(database=sql.Identifier(owner.database), **names))
        inside.execute(sql.SQL(IN_THE_DATABASE).format(**names))
    yield "rights: given"
    for each in (app, worker):
        refuse_too_mighty(each)
    yield "sign-in: tried, all three"


def refuse_confusion(owner: Role, app: Role, worker: Role) -> None:
    """Refuse URLs that do not name three roles of one database."""
    names = [each.name for each in (owner, app, worker)]
    if len(set(names)) < 3 or not all(names):
        raise BadRoles(
            "DATABASE_OWNER_URL, DATABASE_URL and DATABASE_WORKER_URL must name three different roles, "
            f"and name {', '.join(name or 'nobody' for name in names)}."
        )
    if len({each.database for each in (owner, app, worker)}) > 1:
        raise BadRoles(
            "DATABASE_OWNER_URL, DATABASE_URL and DATABASE_WORKER_URL must name one database, and name different ones."
        )


def make_role(by: psycopg.Connection, wanted: Role) -> str:
    """Make the role with the password of its URL, or give it that password; says which."""
    there = by.execute(KNOWN, [wanted.name]).fetchone()
    if there and there[0] and wanted.purpose != "owner":
        raise BadRoles(
            f"The role {wanted.name} is superuser or has BYPASSRLS, and the fence between tenants rests on its being neither: "
            f"name another role, or ALTER ROLE {wanted.name} NOSUPERUSER NOBYPASSRLS."
        )
    if not there:
        by.execute(sql.SQL(f"CREATE ROLE {{}} {PLAIN}").format(sql.Identifier(wanted.name)))
    if wanted.password is not None:
        set_password(by, wanted, must=not there)
    return "there already:" if there else "made"


def set_password(by: psycopg.Connection, wanted: Role, *, must: bool) -> None:
    """Set the password as a verifier, so that neither the wire nor the server's log holds it; an older role may be somebody else's."""
    verifier = by.pgconn.encrypt_password(str(wanted.password).encode(), wanted.name.encode(), b"scram-sha-256")
    try:
        by.execute(
            sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(wanted.name), sql.Literal(verifier.decode()))
        )
    except psycopg.errors.InsufficientPrivilege:
        if must:
            raise


def make_database(by: psycopg.Connection, owner: Role) -> str:
    """Make the database for the owner; says whether it was there. Raises BadRoles when it is somebody else's."""
    there = by.execute(OWNED_BY, [owner.database]).fetchone()
    if there is None:
        # Who is no superuser gives a database to a role only as one of its members, with the right to become it.
        if by.execute(KNOWN, [by.info.user]).fetchone() != (True,):
            by.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(owner.name)))
        by.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0").format(
                sql.Identifier(owner.database), sql.Identifier(owner.name)
            )
        )
        return "made"
    if there[0] != owner.name:
        raise BadRoles(
            f"The database {owner.database} belongs to {there[0]}: ALTER DATABASE {owner.database} OWNER TO {owner.name}, "
            "or name another database in the three URLs."
        )
    return "there already:"


def refuse_too_mighty(serving: Role) -> None:
    """Sign in as a serving role, and refuse one that is more than it should be."""
    with psycopg.connect(serving.url, connect_timeout=PATIENCE_SECONDS) as line:
        if line.execute("SELECT has_schema_privilege('public', 'CREATE')").fetchone() == (True,):
            raise BadRoles(
                f"The role {serving.name} may create tables: REVOKE CREATE ON SCHEMA public FROM {serving.name}."
            )
